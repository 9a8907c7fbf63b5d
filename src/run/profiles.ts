import type { ProbeName } from '../discovery/discover.ts';

/** What a run by this name judges, and how long it may take. What is not said stays as it is without a profile. */
export interface Profile {
  readonly summary: string;
  /** Ids of the checks to run. */
  readonly only?: readonly string[];
  /** The longest that a check may wait, in milliseconds of target time. */
  readonly maxWaitMs?: number;
  /** What of discovery is needed for these checks. */
  readonly probes?: readonly ProbeName[];
  /** Bounds that hold whatever the target does: host milliseconds from the start, and requests. */
  readonly limits?: { readonly wallMs: number; readonly requests: number };
}

export const profileNames = ['smoke', 'standard', 'full'] as const;
export type ProfileName = (typeof profileNames)[number];

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  smoke: {
    summary: 'the main life of an order, in at most 15 s and 300 requests',
    // None that walks a list, which on a target with many old orders would take all requests there are.
    only: [
      'health.sender',
      'health.maker_a',
      'auth.self.sender',
      'auth.self.maker_a',
      'order.life.plain',
      'order.cancel.again',
      'order.cancel.unknown',
    ],
    // What an order and a quote must carry, and whether trading waits for the custodian.
    probes: ['proposal', 'life'],
    limits: { wallMs: 15_000, requests: 300 },
  },
  standard: {
    summary: 'everything that waits for no longer than a minute',
    maxWaitMs: 60_000,
  },
  full: { summary: 'everything that the target allows' },
};
