import { departures } from '../spec/excuses.ts';
import { type GapId, gaps } from '../spec/gaps/index.ts';
import { type Excuse, type Requirement, requirements } from '../spec/requirements/index.ts';
import { rooms } from './tolerances.ts';

/** A departure that is not held against a target. */
interface Entry {
  readonly name: string;
  readonly gap: GapId;
  readonly admits: string;
  /** How a target closes it by its own answers. */
  readonly closedBy: string;
}

const secondsOf = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

const closing: Readonly<Record<Excuse['closes'], string>> = {
  'same-request': 'answers to the same request of the same role',
  'same-answer': 'answers to the same request of the same role, with the same status and state',
  never: '',
};

const catalogue: readonly [string, Requirement][] = Object.entries(requirements);

/** Every excuse that a rule or a check may make for a target. */
export const excuses: readonly Entry[] = [
  ...Object.entries(rooms).map(([name, { ms, gap, what }]) => ({
    name: `\`${name}\`, ${secondsOf(ms)}`,
    gap,
    admits: what,
    closedBy: '',
  })),
  ...catalogue.flatMap(([id, { excuse, summary }]) =>
    excuse
      ? [
          {
            name: `\`${id}\``,
            gap: excuse.gap,
            admits: `Not kept: ${summary}`,
            closedBy: closing[excuse.closes],
          },
        ]
      : [],
  ),
  ...Object.entries<{ gap: GapId; admits: string; closedBy?: string }>(departures).map(
    ([name, { gap, admits, closedBy = '' }]) => ({ name: `\`${name}\``, gap, admits, closedBy }),
  ),
];

/** The page on what is not held against a target, and until when. */
export const tolerancesPage = (): string =>
  [
    '# What is not held against a target',
    '',
    '<!-- Generated from `src/protocol/tolerances.ts`, `src/spec/excuses.ts` and the requirements by `npm run docs`. -->',
    '',
    'Where the document is silent, gives no figure, or says "about", a departure is a warning at most, or is left open. Each',
    'excuse names the open question behind it (see [the gap register](gaps.md)).',
    '',
    'A target may answer the question itself. Where the last column names answers, and the target gave them 20 times and at',
    'least 20 times as often as the departure, the excuse is closed: the departure is a failure, and shows both.',
    '',
    '| Excuse | What it admits | Part | Open question | Closed by |',
    '|---|---|---|---|---|',
    ...excuses.map(
      ({ name, gap, admits, closedBy }) =>
        `| ${name} | ${admits} | ${gaps[gap].part} | \`${gap}\`: ${gaps[gap].question} | ${closedBy} |`,
    ),
    '',
  ].join('\n');
