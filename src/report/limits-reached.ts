import type { LimitName } from '../history/limits.ts';
import type { History, WireError } from '../history/records.ts';
import { count } from './labels.ts';

const limitOf = (error: WireError | undefined): LimitName | undefined =>
  error?.code === 'limit' ? error.limit : undefined;

/** Minimum number of answers: fewer do not show the usual behaviour of a party or an endpoint. */
const leastAnswers = 5;

export interface LimitsReached {
  /** One line for each limit of assay that answers or streams exceeded. */
  readonly notes: readonly string[];
  /** One line for each party and endpoint that was not judged, because most of its answers exceeded a limit. */
  readonly unjudged: readonly string[];
}

/** Limits of assay that kept answers and events of a history from being judged, by name. */
export function limitsReached({ records }: History): LimitsReached {
  const times = new Map<LimitName, Map<string, number>>();
  const answers = new Map<string, { all: number; limited: number }>();
  for (const record of records) {
    if (record.kind === 'frame') continue;
    const limit = record.kind === 'exchange' ? limitOf(record.error) : record.limit;
    const senders = record.kind === 'exchange' ? [record.party, record.endpoint] : [];
    for (const sender of senders) {
      if (sender === undefined) continue;
      const of = answers.get(sender) ?? { all: 0, limited: 0 };
      answers.set(sender, of);
      of.all += 1;
      if (limit !== undefined) of.limited += 1;
    }
    if (limit === undefined) continue;
    const by = times.get(limit) ?? new Map<string, number>();
    times.set(limit, by.set(record.party, (by.get(record.party) ?? 0) + 1));
  }
  const notes = [...times].toSorted(byName).map(([limit, by]) => {
    const parties = [...by]
      .toSorted(byName)
      .map(([party, some]) => `${party} ${count(some, 'time')}`);
    return `the limit ${limit} of assay was reached: ${parties.join(', ')}; nothing is judged by it`;
  });
  const unjudged = [...answers]
    .toSorted(byName)
    .filter(([, { all, limited }]) => all >= leastAnswers && limited > all / 2)
    .map(
      ([sender, { all, limited }]) =>
        `${sender} is not judged: ${limited} of its ${all} answers ran into limits of assay`,
    );
  return { notes, unjudged };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
