import type { HistoryRecord } from '../../history/records.ts';
import { parseSeed } from '../../random/seed.ts';
import type { WorldFinding } from '../outcome.ts';
import type { Plan } from '../plan.ts';
import type { WorldRun } from '../run-plan.ts';

/** One seed in so many is played once more with other senders. */
const pairedEvery = 10n;

/** Other seeds than those that are played twice for determinism. */
export const runsPaired = (seed: string): boolean => (parseSeed(seed) ?? 0n) % pairedEvery === 3n;

/** Every institution is somebody else, by name and identifier. */
export const otherSenders = ({ parties }: Plan): ReadonlyMap<string, string> =>
  new Map(
    parties
      .filter(({ role }) => role === 'institution')
      .map(({ name }) => [name, `other_${name}`] as const),
  );

/**
 * Anonymity (part 2.4), seen from two worlds that differ in nothing but who the institutions are: whatever market
 * makers receive, and when, is the same to the byte. What differs tells them something of a sender.
 */
export function toldApart(one: WorldRun, other: WorldRun): WorldFinding | undefined {
  const [first, second] = [recordsOfMakers(one), recordsOfMakers(other)];
  for (let place = 0; place < Math.max(first.length, second.length); place += 1) {
    const [here, there] = [first[place], second[place]];
    if (JSON.stringify(here) === JSON.stringify(there) || namesSender(here, there)) continue;
    return findingOf(here, there);
  }
  return undefined;
}

/**
 * A maker that names an institution itself, as in a creation that must be refused: the answer may repeat the name. A
 * request that differs because of an earlier answer is not reached, since that answer differs first.
 */
const namesSender = (here: HistoryRecord | undefined, there: HistoryRecord | undefined): boolean =>
  here?.kind === 'exchange' &&
  there?.kind === 'exchange' &&
  JSON.stringify(here.request.body) !== JSON.stringify(there.request.body);

function recordsOfMakers({ plan, history }: WorldRun): readonly HistoryRecord[] {
  const makers = new Set(
    plan.parties.filter(({ role }) => role === 'market-maker').map(({ name }) => name),
  );
  const own = history.records.filter((record) => makers.has(record.party));
  // How much else was recorded before says nothing to a maker.
  return own.map((record) =>
    record.kind === 'exchange' ? { ...record, precededBy: undefined } : record,
  );
}

const nameOf = (record: HistoryRecord | undefined): string => {
  if (record === undefined) return 'nothing';
  if (record.kind === 'exchange') return record.endpoint ?? 'a request';
  return record.kind === 'frame' ? (record.event ?? 'a message') : 'the end of a stream';
};

function findingOf(
  here: HistoryRecord | undefined,
  there: HistoryRecord | undefined,
): WorldFinding {
  const seen = here ?? there;
  const what = nameOf(seen);
  const where = nameOf(here) === nameOf(there) ? pathOfDifference(here, there) : 'its place';
  const id = seen && (seen.kind === 'end' ? seen.stream : seen.id);
  return {
    cause: `privacy.paired-worlds · ${what} · ${where.replaceAll(/\d+/g, '…')}`,
    rule: 'privacy.paired-worlds',
    requirements: ['rfq.senders-not-told-apart'],
    message: `what ${seen?.party} received depends on who the senders are: ${what}, ${where}`,
    exchanges: id === undefined ? [] : [id],
    blame: 'defect',
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The first place at which two values differ, as a path. */
function pathOfDifference(one: unknown, other: unknown): string {
  if (!isObject(one) || !isObject(other)) return '';
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const name = [...names, ...others].find(
    (member) => JSON.stringify(one[member]) !== JSON.stringify(other[member]),
  );
  if (name === undefined) return 'the order of its fields';
  const rest = pathOfDifference(one[name], other[name]);
  return rest === '' ? name : `${name}.${rest}`;
}
