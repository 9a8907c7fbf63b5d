import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { FaultPlan } from '../scenario/language/model.ts';
import type { CastName } from '../spec/requirements/requirement.ts';

/** What a person can make go wrong, as the scenario language has it: the cockpit itself goes back, and has no restarts. */
export type FaultEntry = Exclude<FaultPlan, { readonly kind: 'restart' | 'fill disk' }>;

/** What is done to a target, as plain data: done again at the same moments on a fresh reference, it comes to the same. */
export type LineEntry = {
  /** Milliseconds since the epoch on the target's clock. */
  readonly at: number;
  /** How many records the history had before it. */
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
  /** `order`: an intent id, the `next` order that is created or `all`; of faults of a party there is none. */
  | {
      readonly what: 'fault';
      readonly fault: FaultEntry | null;
      readonly order?: string;
    };

export type CallEntry = Extract<LineEntry, { readonly what: 'call' }>;
