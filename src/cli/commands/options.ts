import { InvalidArgumentError } from 'commander';
import { parseRunId, runIdForm } from '../../random/run-id.ts';
import { parseSeed } from '../../random/seed.ts';
import type { RequiredCoverage } from '../../results/coverage.ts';
import { freshSeed } from '../../run/fresh.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Shard } from '../../suite/engine/plan.ts';
import { durationForm, parseDuration } from '../../yaml/duration.ts';
import type { OptionSpec } from '../command.ts';

/** A parser of option values. The library reports its error with the name of the option. */
const reader =
  <T>(read: (text: string) => T | undefined, form: string) =>
  (text: string): T => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Expected ${form}`);
  };

const wholeNumber = (form: RegExp, least: number, most: number) => (text: string) =>
  form.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

function coverageOf(text: string): RequiredCoverage | undefined {
  const percent = Number(/^(\d{1,3})%$/.exec(text)?.[1]);
  if (percent > 0 && percent <= 100) return { kind: 'percent', percent };
  return text === 'full' ? { kind: 'full' } : undefined;
}

/** One part of the checks: `2/4` is every fourth of them, from the second on. */
function shardOf(text: string): Shard | undefined {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  return index >= 1 && index <= of ? { of, from: index - 1, to: index } : undefined;
}

export const shard = reader(shardOf, 'a part and how many there are: 1/4, 2/4, ...');

const seed = reader(
  (text) => (text === 'random' ? freshSeed() : parseSeed(text)),
  'digits, 0x and hexadecimal digits, or "random".',
);

const collect = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

function assignments(text: string, before?: readonly string[]): readonly string[] {
  if (/^[A-Za-z_]\w*=/.test(text)) return collect(text, before);
  throw new InvalidArgumentError('Expected NAME=VALUE, such as amount=12.50.');
}

/** Parsers by the flags of an option, or by its placeholder. All other values stay texts. */
const readers: Readonly<Record<string, NonNullable<OptionSpec['read']>>> = {
  '<n>': reader(wholeNumber(/^\d{1,7}$/, 1, 9_999_999), 'a whole number above zero.'),
  '<duration>': reader(parseDuration, `${durationForm}.`),
  '--port <n>': reader(
    wholeNumber(/^\d{1,5}$/, 0, 65_535),
    'a port, 0 to 65535; 0 takes a free one.',
  ),
  '--seed <n>': seed,
  '--from <seed>': seed,
  '--run-id <id>': reader(parseRunId, `${runIdForm}.`),
  '--at <time>': reader(
    (text) => (/^\d{1,15}$/.test(text) ? Number(text) : parseTimestamp(text)),
    'a timestamp such as 2030-01-01T00:00:00.000Z.',
  ),
  '--require-coverage <share>': reader(coverageOf, '1% to 100%, or "full".'),
  '--base-url <url>': collect,
  '--only <pattern>': collect,
  '--checks <file>': collect,
  '--allow-host <name>': collect,
  '--tag <tag>': collect,
  '--set <name=value>': assignments,
};

/** Descriptions by flags; with the choices, the default or the parser of an option that has its own. */
export type OptionRows = Readonly<Record<string, string | Omit<OptionSpec, 'flags'>>>;

export const optionsOf = (rows: OptionRows): readonly OptionSpec[] =>
  Object.entries(rows).map(([flags, row]) => {
    const read = readers[flags] ?? readers[flags.slice(flags.indexOf(' ') + 1)];
    const given = typeof row === 'string' ? { description: row } : row;
    return { flags, ...(read && { read }), ...given };
  });

/** Options that several commands have in the same words. */
const shared: OptionRows = {
  '--target <file>': 'target file; without one, the embedded reference',
  '--base-url <url>': 'a party to reach, as NAME=URL or a bare URL; may be given several times',
  '--only-failed <report.json>': 'only what failed in an earlier run',
  '--checks <file>': 'an ES module whose rules judge beside those of the suite; repeatable',
  '--rate <n>': 'most requests a second (default: 100 on a system clock)',
  // The default is fixed, so that a run without a word about seeds can be repeated.
  '--seed <n>': { description: 'seed of everything that is drawn, or "random"', default: 1n },
  '--run-id <id>': 'gives the orders of this run the identifiers of that one (default: new ones)',
  '--waivers <file>': 'known failures, each with its reason (docs/waivers.md)',
  '--baseline <report.json>': 'an earlier run: only what is new since then fails',
  '--json': 'print report.json instead of text',
  '--strict': 'exit 3 unless everything was exercised and proven',
  '--require-coverage <share>': 'exit 3 unless so much was judged: 80% of the checks, or "full"',
  '--mutation <id>': 'break the embedded reference on purpose',
  '--queue <url>': 'PostgreSQL that hands out the worlds, as postgres://USER@HOST/DATABASE',
  '--wait': 'until every world was played, then show what came of it',
  '--host <address>': 'address to listen on (default: 127.0.0.1)',
  '--allow-host <name>':
    'a name by which it may be reached, or HOST:PORT of a site whose pages may ask it',
};

/** The shared options of these names, as `--target`. */
export const usual = (...names: readonly string[]): OptionRows =>
  Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(shared).filter(([flags]) => flags.split(' ')[0] === name),
    ),
  );
