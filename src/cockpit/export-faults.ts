import type { WrittenStep } from '../reproduce/collapse-repeats.ts';
import type { CallStep } from '../reproduce/steps.ts';
import type { LineEntry, FaultEntry } from './line-entry.ts';
import { wordsForFault } from '../faults/faults.ts';

type FaultOf = Extract<LineEntry, { readonly what: 'fault' }>;

/** Steps that inject a fault, with their time. */
interface FaultEvent {
  readonly at: number;
  readonly steps: readonly WrittenStep[];
}

export interface FaultWriter {
  /** Faults before the call that this number of records precede. */
  before(place: number): readonly FaultEvent[];
  /** Faults of the order that is created now. */
  ofNext(): readonly WrittenStep[];
}

/**
 * Writes the faults of a line as steps of a scenario. A scenario cannot express a fault of all orders, so each order
 * gets its own. It cannot take a fault back either, so a fault that is taken back before it takes effect is left out.
 */
export function faultWriter(
  entries: readonly LineEntry[],
  created: ReadonlyMap<string, CallStep>,
): FaultWriter {
  const faults = entries.filter((entry): entry is FaultOf => entry.what === 'fault');
  let done = 0;
  let next: FaultEntry | null = null;
  let all: FaultEntry | null = null;

  /** Orders created before a fault. */
  const there = ({ from }: FaultOf): readonly CallStep[] =>
    [...created.values()].filter(({ recorded }) => (recorded.precededBy ?? 0) < from);

  function strike(entry: FaultOf): readonly WrittenStep[] {
    const { fault, order } = entry;
    if (order === 'next') next = fault;
    else if (order === 'all') {
      all = fault;
      return fault ? there(entry).map(({ name }) => stepFor(fault, name)) : [];
    } else if (fault) return [stepFor(fault, order && created.get(order.toLowerCase())?.name)];
    return [];
  }

  return {
    before(place) {
      const faultEvents: FaultEvent[] = [];
      for (let entry = faults[done]; entry && entry.from <= place; entry = faults[done]) {
        done += 1;
        const steps = strike(entry);
        if (steps.length > 0) faultEvents.push({ at: entry.at, steps });
      }
      return faultEvents;
    },
    ofNext() {
      const fault = next ?? all;
      next = null;
      return fault ? [stepFor(fault)] : [];
    },
  };
}

const stepFor = (fault: FaultEntry, order?: string): WrittenStep => ({
  fault: wordsForFault(fault),
  ...(order !== undefined && { of: `$${order}` }),
});
