import type { ProbeName } from '../discovery/discover.ts';

/** Checks and time limits of a named profile. An absent field means: the same as without a profile. */
export interface Profile {
  readonly summary: string;
  /** Ids of the checks to run. */
  readonly only?: readonly string[];
  /** Maximum wait of a check, in milliseconds of target time. */
  readonly maxWaitMs?: number;
  /** Probes of discovery that these checks need. */
  readonly probes?: readonly ProbeName[];
  /** Hard limits of the run: host milliseconds from the start, and number of requests. */
  readonly limits?: { readonly wallMs: number; readonly requests: number };
}

export const profileNames = ['smoke', 'standard', 'full'] as const;
export type ProfileName = (typeof profileNames)[number];

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  smoke: {
    summary: 'the main life of an order, in at most 15 s and 300 requests',
    // No check that walks a list: on a target with many old orders it would use up all requests.
    only: [
      'health.sender',
      'health.maker_a',
      'auth.self.sender',
      'auth.self.maker_a',
      'order.life.plain',
      'order.cancel.again',
      'order.cancel.unknown',
    ],
    // The fields of orders and quotes, and if trading waits for the custodian.
    probes: ['proposal', 'life'],
    limits: { wallMs: 15_000, requests: 300 },
  },
  standard: {
    summary: 'everything that waits for no longer than a minute',
    maxWaitMs: 60_000,
  },
  full: { summary: 'everything that the target allows' },
};
