import type { GapId } from '../spec/gaps/index.ts';

interface Room {
  /** Milliseconds. */
  readonly ms: number;
  /** The open question that it leaves room for. */
  readonly gap: GapId;
  readonly what: string;
}

/**
 * How much room the rules leave where the document gives no figure. Each is as small as it can be without calling a
 * plausible backend wrong; what lies within counts neither for nor against.
 */
export const rooms = {
  // The shortest span that the document names is of seconds: a backend that sweeps every second or two keeps its word.
  deadlineLateMs: {
    ms: 3_000,
    gap: 'order.expiry_lag',
    what: 'How late a deadline of an order or a quote may take effect.',
  },
  deadlineEarlyMs: {
    ms: 25,
    gap: 'time.boundary',
    what: 'How early it may, for clocks that are cut to milliseconds.',
  },
  stamp: {
    ms: 1_000,
    gap: 'views.lag',
    what: 'Between a moment as a backend writes it down and the call that brought it about.',
  },
  // They are separate participants of a ledger.
  replicationLagMs: {
    ms: 2_000,
    gap: 'views.lag',
    what: 'How far the backends of two parties may lag behind each other, and what a party reads behind what it did.',
  },
  liveEventMs: {
    ms: 3_000,
    gap: 'event.latency',
    what: 'How long an event may travel; beyond it there is a warning.',
  },
  // A stream that ended sooner after the cause was not due it for certain.
  eventDeliveryMs: {
    ms: 5_000,
    gap: 'event.latency',
    what: 'How long a stream must stay open after a cause for the event to be due on it.',
  },
  heartbeat: {
    ms: 3_000,
    gap: 'heartbeat.phase',
    what: 'Around the 30 seconds between heartbeats, to either side: late timers, and slow readers.',
  },
  settlement: {
    ms: 15_000,
    gap: 'settlement.steps',
    what: 'How long a settlement is waited for before it counts as one that did not happen.',
  },
  settlementMinMs: {
    ms: 2_000,
    gap: 'settlement.steps',
    what: 'The shortest settlement that is still "about 4 seconds"; of a shorter one there is a warning.',
  },
  settlementMaxMs: {
    ms: 6_000,
    gap: 'settlement.steps',
    what: 'The longest one; of a longer one there is a warning.',
  },
} as const satisfies Readonly<Record<string, Room>>;

/** The same in milliseconds, by name. */
export const tolerance = Object.fromEntries(
  Object.entries(rooms).map(([name, { ms }]) => [name, ms]),
) as { readonly [name in keyof typeof rooms]: number };
