import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { NetworkFault } from '../client/faulty-network.ts';
import type { OrderFault, PartyFault } from '../faults/faults.ts';
import type { CastName } from '../spec/requirements/requirement.ts';

/**
 * Faults that a person can inject, as in the scenario language. Restarts are excluded: the cockpit itself goes back. Its
 * requests are sent by hand, so that a network with faults would show nothing.
 */
export type FaultEntry = OrderFault | Exclude<PartyFault, NetworkFault>;

/** One action on a target, as plain data. Repeated at the same moment on a fresh reference, it has the same result. */
export type LineEntry = {
  /** Milliseconds since the epoch on the target's clock. */
  readonly at: number;
  /** Number of records in the history before it. */
  readonly from: number;
  readonly driver: 'you' | 'outside' | 'opened';
} & What;

export type What =
  | {
      readonly what: 'call';
      readonly party: CastName;
      readonly endpoint: EndpointName;
      readonly params: PathParams;
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** `order`: an intent id, `next` for the next created order, or `all`; absent for faults of a party. */
  | {
      readonly what: 'fault';
      readonly fault: FaultEntry | null;
      readonly order?: string;
    };

/** One line: the actions so far, and the current time. */
export interface Line {
  readonly name: string;
  /** Gap answers that differ from the usual ones. */
  readonly answers: Readonly<Record<string, string>>;
  entries: readonly LineEntry[];
  /** Milliseconds since the epoch on the target's clock. */
  end: number;
}

/** Copy of a line up to a moment: the row at `place`, at time `at`. */
export const lineUpTo = (
  { entries, answers }: Pick<Line, 'entries' | 'answers'>,
  { place, at }: { readonly place: number; readonly at: number },
  name: string,
): Line => ({ name, answers, entries: entries.filter(({ from }) => from <= place), end: at });
