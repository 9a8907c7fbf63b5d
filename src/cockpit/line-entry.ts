import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { FaultPlan } from '../scenario/language/fault-words.ts';
import type { CastName } from '../spec/requirements/requirement.ts';

/**
 * Faults that a person can inject, as in the scenario language. Restarts are excluded: the cockpit itself goes back.
 */
export type FaultEntry = Exclude<FaultPlan, { readonly kind: 'restart' | 'fill disk' }>;

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

export type CallEntry = Extract<LineEntry, { readonly what: 'call' }>;
