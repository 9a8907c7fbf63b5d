import type { CommandSpec } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands/index.ts';

/** Text as roff shows it: a backslash is one, a hyphen can be copied, and no line begins a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const entry = (term: string, text: string): readonly string[] => [
  '.TP',
  `.B ${roff(term)}`,
  roff(text),
];

const commandSection = ({
  name,
  summary,
  argument,
  options,
  examples,
}: CommandSpec): readonly string[] => [
  `.SS ${roff(`assay ${name}${argument ? ` ${argument[0]}` : ''}`)}`,
  roff(`${summary}.`),
  ...(argument ? entry(argument[0], argument[1]) : []),
  ...options.flatMap(({ flags, description }) => entry(flags, description)),
  ...(examples.length > 0 ? ['.PP', 'Examples:', '.PP', '.nf', ...examples.map(roff), '.fi'] : []),
];

/** docs/assay.1, the manual page of the command. */
export const manPage = (): string =>
  [
    '.\\" Written by npm run docs from src/cli/commands; do not edit.',
    '.TH ASSAY 1 "" "" "Assay"',
    '.SH NAME',
    roff('assay - check backends of the Cross-Currency Settlement Service Interface'),
    '.SH SYNOPSIS',
    '.B assay',
    roff('<command> [options]'),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...entry('0', 'Nothing was violated.'),
    ...entry('1', 'The interface was violated.'),
    ...entry('2', 'The command line or a file is wrong.'),
    ...entry('3', 'The target could not be judged.'),
    '.SH ENVIRONMENT',
    ...entry('ASSAY_DEBUG', 'If set, a fault of assay is shown with its place.'),
    ...entry('NO_COLOR', 'If set, the output has no colours.'),
    '.SH SEE ALSO',
    'The folder docs of the package, and assay <command> \\-\\-help.',
    '',
  ].join('\n');
