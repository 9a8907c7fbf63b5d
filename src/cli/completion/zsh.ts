import type { CommandSpec } from '../command.ts';
import { argumentOf, completedOptions, type OptionValue, quoted } from './options.ts';

/** Square brackets and colons end a description of zsh. */
const described = (text: string): string => text.replace(/[[\]:\\]/g, (one) => `\\${one}`);

function actionFor(value: OptionValue): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'anything':
      return ': ';
    case 'path':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'words':
      return `(${value.words.join(' ')})`;
  }
}

/** A specification of _arguments; the backslashes of a description stand before the quotes are put. */
const between = (text: string): string => `'${text.replaceAll("'", '’')}'`;

function argumentsOf(command: CommandSpec): string {
  const options = completedOptions(command).map(({ long, description, value }) =>
    between(
      `*${long}[${described(description)}]${value.kind === 'none' ? '' : `:value:${actionFor(value)}`}`,
    ),
  );
  const argument = argumentOf(command);
  const words = argument.kind === 'none' ? [] : [between(`*:argument:${actionFor(argument)}`)];
  return [...options, ...words].map((one) => `        ${one}`).join(' \\\n');
}

export function zshCompletion(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(
    (one) => `    ${one.name})\n      _arguments \\\n${argumentsOf(one)}\n      ;;`,
  );
  return `#compdef assay
# Completion of assay for zsh: keep it as _assay in a directory of $fpath, or source it after compinit.
_assay() {
  local -a names
  names=(
${names.join('\n')}
    'help:print help of a command'
  )
  if ((CURRENT == 2)); then
    _describe command names
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
    help) _describe command names ;;
  esac
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
`;
}
