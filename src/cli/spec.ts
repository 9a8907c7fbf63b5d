import { gapIds, gaps } from '../spec/gaps/index.ts';
import { isRequirementId, requirementIds, requirements } from '../spec/requirements/index.ts';
import { resources } from '../spec/resources.ts';
import { suggestion } from '../yaml/index.ts';
import { type CommandInput, usageFailure } from './command.ts';
import type { ExitCode } from './terminal.ts';

/** @param without name of the members that are left out */
const pretty = (value: unknown, without?: string): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === without ? undefined : inner), 2);

/** Printers by kind of document, in the order of the help. */
const kinds: Readonly<Record<string, (json: boolean) => Promise<string> | string>> = {
  requirements: (json) => (json ? pretty(requirements) : requirementsText()),
  gaps: (json) => (json ? pretty(gaps, 'risk') : gapsText()),
  openapi: async () => pretty((await import('../spec/openapi.ts')).openapiDocument()),
  asyncapi: async () => pretty((await import('../spec/asyncapi.ts')).asyncapiDocument()),
  schemas: async () => {
    const { schemaFiles } = await import('./schema-files.ts');
    const forEditors = Object.entries(schemaFiles()).map(
      ([file, text]) => [file, JSON.parse(text) as unknown] as const,
    );
    return pretty({ ...Object.fromEntries(forEditors), resources });
  },
};

export async function spec({ terminal, words, flags }: CommandInput): Promise<ExitCode> {
  const [what = ''] = words;
  const print = Object.hasOwn(kinds, what) ? kinds[what] : undefined;
  if (!print && isRequirementId(what)) {
    const { entryText, handbookEntry } = await import('../handbook/index.ts');
    const entry = handbookEntry(what);
    terminal.out(flags.json === true ? pretty(entry) : entryText(entry));
    return 0;
  }
  if (!print) {
    const known = Object.keys(kinds);
    const next =
      suggestion(what, [...known, ...requirementIds]) ??
      `one of ${known.join(', ')}, or the id of a requirement`;
    throw usageFailure(`there is no ${JSON.stringify(what)} to print`, next);
  }
  terminal.out(await print(flags.json === true));
  return 0;
}

function requirementsText(): string {
  const entries = Object.entries(requirements);
  const width = Math.max(...entries.map(([id]) => id.length));
  const lines = entries.map(
    ([id, { part, level, summary }]) =>
      `${id.padEnd(width)}  ${part.padEnd(11)} ${level.padEnd(5)} ${summary}`,
  );
  return [...lines, '', `${entries.length} requirements`].join('\n');
}

function gapsText(): string {
  const texts = gapIds.map((id) => {
    const { part, question, values, others } = gaps[id];
    return `${id} (part ${part})\n  ${question}\n  reference: ${values.join(' | ')}; elsewhere: ${others}`;
  });
  return [...texts, `${gapIds.length} gaps`].join('\n');
}
