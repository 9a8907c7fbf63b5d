import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { CastName } from '../spec/requirements/requirement.ts';

/** What can be made to go wrong, in the words of the scenario language. */
export type FaultEntry =
  | { readonly kind: 'revert'; readonly leg: 1 | 2 | 3 | 4 }
  | { readonly kind: 'stall' | 'withdraw' | 'invalid' }
  | { readonly kind: 'drop'; readonly party: CastName }
  | { readonly kind: 'delay'; readonly party: CastName; readonly ms: number };

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
