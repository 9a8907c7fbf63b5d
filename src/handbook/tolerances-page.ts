import { beyondFinding } from '../../mutants/beyond-finding.ts';
import { mutations } from '../../mutants/index.ts';
import { type DepartureName, departures, type ExcuseId, rooms } from '../spec/excuses.ts';
import { type GapId, gaps } from '../spec/gaps/index.ts';
import {
  type Excuse,
  type Requirement,
  type RequirementId,
  requirements,
} from '../spec/requirements/index.ts';

/** A departure that does not count against a target. */
interface Entry {
  readonly id: ExcuseId;
  /** Name as written on the page. */
  readonly name: string;
  readonly gap: GapId;
  readonly admits: string;
  /** Answers of the target that close the excuse. */
  readonly closedBy: string;
}

const secondsOf = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

const closing: Readonly<Record<Excuse['closes'], string>> = {
  'same-request': 'answers to the same request of the same role',
  'same-answer': 'answers to the same request of the same role, with the same status and state',
  never: '',
};

const entriesOf = <K extends ExcuseId, V>(table: Readonly<Record<K, V>>): [K, V][] =>
  Object.entries(table) as [K, V][];

/** Every excuse that a rule or a check may make for a target. */
export const excuses: readonly Entry[] = [
  ...entriesOf(rooms).map(([id, { ms, gap, what }]) => ({
    id,
    name: `\`${id}\`, ${secondsOf(ms)}`,
    gap,
    admits: what,
    closedBy: '',
  })),
  ...entriesOf<RequirementId, Requirement>(requirements).flatMap(([id, { excuse, summary }]) =>
    excuse
      ? [
          {
            id,
            name: `\`${id}\``,
            gap: excuse.gap,
            admits: `Not kept: ${summary}`,
            closedBy: closing[excuse.closes],
          },
        ]
      : [],
  ),
  ...entriesOf<DepartureName, { gap: GapId; admits: string; closedBy?: string }>(departures).map(
    ([id, { gap, admits, closedBy = '' }]) => ({ id, name: `\`${id}\``, gap, admits, closedBy }),
  ),
];

const mistakeInside = (excuse: ExcuseId): string => {
  const found = mutations.find(({ inside }) => inside === excuse);
  if (found) return `\`${found.id}\`: ${found.summary}`;
  const { mistake = '', because = '' } = beyondFinding[excuse] ?? {};
  return `${mistake} Not to be found: ${because}`;
};

/** The page on departures that do not count against a target, and on their closing. */
export const tolerancesPage = (): string =>
  [
    '# What is not held against a target',
    '',
    '<!-- Generated from `src/spec/excuses.ts`, the requirements and `mutants/` by `npm run docs`. -->',
    '',
    'Where the document is silent, gives no figure, or says "about", a departure is a warning at most, or is left open. Each',
    'excuse names the open question behind it (see [the gap register](gaps.md)).',
    '',
    'A target may answer the question itself. Where a row says what closes it, and the target gave them 20 times and at',
    'least 20 times as often as the departure, the excuse is closed: the departure is a failure, and shows both.',
    '',
    'The last column holds a mistake that somebody may think is covered by the excuse. The suite finds each that has a name',
    '(see [the trial of the suite](judge.md)); of the others it says why no suite can.',
    '',
    '| Excuse | What it admits | Part | Open question | Closed by | A mistake inside it |',
    '|---|---|---|---|---|---|',
    ...excuses.map(
      ({ id, name, gap, admits, closedBy }) =>
        `| ${name} | ${admits} | ${gaps[gap].part} | \`${gap}\`: ${gaps[gap].question} | ${closedBy} | ${mistakeInside(id)} |`,
    ),
    '',
  ].join('\n');
