import { castNames } from '../../../spec/requirements/requirement.ts';
import type { Deadline, Entry } from './entries.ts';

/** Filters of the timeline. */
export interface View {
  /** A check, a rule's party or a scenario, with the events of its orders. Empty: all drivers. */
  readonly by: string;
  /** An order, in lower case. Empty: all. */
  readonly order: string;
  /** Words that an entry must contain. */
  readonly words: string;
  readonly pulses: 'shown' | 'hidden';
}

export const everything: View = { by: '', order: '', words: '', pulses: 'hidden' };

export function entriesIn(entries: readonly Entry[], view: View): readonly Entry[] {
  const { by, order, pulses } = view;
  const words = view.words.toLowerCase().split(/\s+/).filter(Boolean);
  const own = new Set(by === '' ? [] : entries.flatMap((one) => (one.by === by ? one.orders : [])));
  return entries.filter((one) => {
    if (one.isPulse && pulses === 'hidden' && !one.isEvidence) return false;
    if (
      by !== '' &&
      one.by !== by &&
      !(one.kind === 'event' && one.orders.some((id) => own.has(id)))
    )
      return false;
    if (order !== '' && !one.orders.includes(order)) return one.kind === 'failure' && one.by === by;
    if (words.length === 0) return true;
    const text = `${one.says} ${one.answer ?? ''} ${one.party ?? ''} ${one.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Parties of the standard cast in their order, then any others. */
export function lanesOf(entries: readonly Entry[]): readonly string[] {
  const seen = new Set(entries.flatMap(({ party }) => party ?? []));
  return [...new Set([...castNames.filter((name) => seen.has(name)), ...seen])];
}

/** State changes of orders, by the index of the entry that first shows the new state. */
export function stateChanges(entries: readonly Entry[]): ReadonlyMap<number, string> {
  const last = new Map<string, string>();
  const changes = new Map<number, string>();
  for (const [index, { orders, state }] of entries.entries()) {
    const order = orders.at(-1);
    if (order === undefined || state === undefined || last.get(order) === state) continue;
    last.set(order, state);
    changes.set(index, state);
  }
  return changes;
}

/** All deadlines without duplicates, in the order of time; each read of an order names the same ones. */
export function deadlinesIn(entries: readonly Entry[]): readonly Deadline[] {
  const found = new Map<string, Deadline>();
  for (const { deadlines } of entries) {
    for (const one of deadlines) found.set(`${one.what} ${one.atMs}`, one);
  }
  return [...found.values()].toSorted((one, other) => one.atMs - other.atMs);
}
