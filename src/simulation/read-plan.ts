import { type JsonReading, membersOf, misfitIn, readJsonFile } from '../history/shape.ts';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { roles } from '../spec/vocabulary.ts';
import { type Plan, planHead, stepsOf } from './plan.ts';

const planFormat = 'assay.plan/1' satisfies Plan['format'];

type Fields = Readonly<Record<string, unknown>>;

const namesIn = ({ parties }: Fields): ReadonlySet<unknown> =>
  new Set((parties as readonly Fields[]).map(({ name }) => name));

/** Problem of a gap answer that the gap does not have; undefined if there is none. */
function wrongAnswer(assignment: unknown): string | undefined {
  for (const [name, answer] of Object.entries(assignment as Fields)) {
    const id = gapIds.find((one) => one === name);
    if (id === undefined) return `assignment has ${name}, which is no gap`;
    const values: readonly unknown[] = gaps[id].values;
    if (!values.includes(answer)) return `assignment.${id} is not one of ${values.join(', ')}`;
  }
  return undefined;
}

function wrongParties(parties: readonly Fields[]): string | undefined {
  const names = parties.map(({ name }) => name);
  if (new Set(names).size < names.length) return 'two of parties have one name';
  const missing = roles.find((role) => !parties.some((one) => one['role'] === role));
  return missing === undefined ? undefined : `parties have no ${missing}`;
}

/** Reads a plan as `assay simulate` writes it. */
export const readPlan = (written: string): JsonReading<Plan> =>
  readJsonFile(
    written,
    'a plan',
    planFormat,
    (value) =>
      misfitIn(planHead, value) ??
      wrongParties(value['parties'] as readonly Fields[]) ??
      wrongAnswer(value['assignment']) ??
      misfitIn(membersOf({ steps: stepsOf(namesIn(value)) }), value),
  );
