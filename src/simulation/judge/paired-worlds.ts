import type { HistoryRecord } from '../../history/records.ts';
import { parseSeed } from '../../random/seed.ts';
import { defect, type WorldFinding } from '../outcome.ts';
import type { Plan } from '../plan.ts';
import type { WorldRun } from '../run-plan.ts';

/** One seed in this many is played once more with other senders. */
const pairedEvery = 10n;

/**
 * True for the seeds that are played with other senders. They differ from those that are played twice for determinism.
 */
export const runsPaired = (seed: string): boolean => (parseSeed(seed) ?? 0n) % pairedEvery === 3n;

/** New names for all institutions; their identifiers change with the names. */
export const otherSenders = ({ parties }: Plan): ReadonlyMap<string, string> =>
  new Map(
    parties
      .filter(({ role }) => role === 'institution')
      .map(({ name }) => [name, `other_${name}`] as const),
  );

/**
 * Anonymity (part 2.4), checked with two worlds that differ only in the institutions. Everything that market makers
 * receive, and its times, must be the same to the byte. A difference tells them something of a sender.
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
 * True if the two requests differ, because a maker names an institution itself (a creation that must be refused): the
 * answer may repeat that name. A request that differs because of an earlier answer is not reached, since that answer
 * differs first.
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
  // The number of other records before it says nothing to a maker.
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
  return defect(
    `privacy.paired-worlds · ${what} · ${where.replaceAll(/\d+/g, '…')}`,
    'privacy.paired-worlds',
    `what ${seen?.party} received depends on who the senders are: ${what}, ${where}`,
    { requirements: ['rfq.senders-not-told-apart'], exchanges: id === undefined ? [] : [id] },
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

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
