import type { GapId } from './gaps/index.ts';
import type { RequirementId } from './requirements/index.ts';

interface Room {
  /** Milliseconds. */
  readonly ms: number;
  /** The open question that needs the tolerance. */
  readonly gap: GapId;
  readonly what: string;
}

/**
 * Tolerances of the rules where the document gives no figure. Each is as small as it can be without calling a plausible
 * backend wrong. A value within it counts neither for nor against the backend.
 */
export const rooms = {
  // The shortest span that the document names is of seconds: a backend that sweeps every second or two keeps its word.
  deadlineLateMs: {
    ms: 3_000,
    gap: 'order.expiry_lag',
    what: 'A deadline of an order or a quote takes effect up to this much late.',
  },
  deadlineEarlyMs: {
    ms: 25,
    gap: 'time.boundary',
    what: 'A deadline takes effect up to this much early, because clocks are cut to milliseconds.',
  },
  stamp: {
    ms: 1_000,
    gap: 'views.lag',
    what: 'A timestamp differs by up to this much from the moment of the call that caused it.',
  },
  // The backends are separate participants of a ledger.
  replicationLagMs: {
    ms: 2_000,
    gap: 'views.lag',
    what: 'The backends of two parties, and the reads of a party after its own calls, lag by up to this much.',
  },
  liveEventMs: {
    ms: 3_000,
    gap: 'event.latency',
    what: 'An event arrives up to this long after its cause. A later event is a warning.',
  },
  // If a stream ended sooner after the cause, it is not certain that the event was due on it.
  eventDeliveryMs: {
    ms: 5_000,
    gap: 'event.latency',
    what: 'An event may be missing on a stream that ended less than this after the cause.',
  },
  heartbeat: {
    ms: 3_000,
    gap: 'heartbeat.phase',
    what: 'Heartbeats are up to this much closer or farther apart than 30 seconds: late timers and slow readers.',
  },
  settlement: {
    ms: 15_000,
    gap: 'settlement.steps',
    what: 'A settlement takes up to this long before it counts as missing.',
  },
  settlementMinMs: {
    ms: 2_000,
    gap: 'settlement.steps',
    what: 'The shortest settlement that is still "about 4 seconds". A shorter one is a warning.',
  },
  settlementMaxMs: {
    ms: 6_000,
    gap: 'settlement.steps',
    what: 'The longest settlement that is still "about 4 seconds". A longer one is a warning.',
  },
} as const satisfies Readonly<Record<string, Room>>;

/** A departure from a requirement that an open question admits: the rule or check that judges it says so. */
interface Departure {
  /** The open question. */
  readonly gap: GapId;
  /** In our words. */
  readonly admits: string;
  /** Answers by which a target settles the question; a departure is then a failure. Undefined if none can. */
  readonly closedBy?: string;
}

/** Departures from requirements whose words are plain. A vague requirement names its excuse itself. */
export const departures = {
  'near-deadline': {
    gap: 'order.expiry_lag',
    admits: 'An order or a quote looked at so close to its deadline that either state may show.',
  },
  'reason-not-shown': {
    gap: 'order.failure_reason_field',
    admits: 'A cancelled order without a reason, where orders that ended otherwise show theirs.',
    closedBy: 'the reasons of other cancelled orders, in reads or in events alike',
  },
  'whole-units': {
    gap: 'money.format',
    admits:
      'An amount that agrees with its rate in whole units alone, of a currency that has cents.',
    closedBy: 'amounts of the same kind and currencies with parts of a unit',
  },
  'cents-cut': {
    gap: 'money.format',
    admits: 'An amount shown in whole units by one resource, and with cents by another.',
    closedBy: 'the same amount of other orders with its cents in both',
  },
  'otherwise-rounded': {
    gap: 'money.format',
    admits:
      'An amount rounded up, down or to the nearest last place; a warning where other currencies are rounded otherwise.',
    closedBy: 'amounts of the same kind and currencies that are all rounded in one way',
  },
  'rate-turned-over': {
    gap: 'quote.rate_orientation',
    admits: 'A rate that is meant the other way round than most.',
    closedBy: 'rates of the same kind of amount and currencies that are all meant in one way',
  },
  'open-answer-unwrapped': {
    gap: 'cancel.response',
    admits:
      'A cancel or the acceptance of a proposal is answered outside the envelope; what `/health` answers is not looked at.',
    closedBy: 'other answers of the same endpoint within the envelope',
  },
  'unset-at-the-end': {
    gap: 'order.unset_fields',
    admits: 'An order that ends unsettled loses fields that its acceptance set.',
  },
  'memo-of-its-own': {
    gap: 'order.unset_fields',
    admits: 'An order that was sent without a memo shows one that nobody sent.',
  },
  'cancelled-or-expired': {
    gap: 'cancel.state',
    admits: 'An order cancelled in its last second ends as one that expired.',
  },
  'used-up': {
    gap: 'limits.open_orders',
    admits: 'Orders are refused on terms that had been taken before, and none is taken again.',
    closedBy: 'an order on the same terms that is taken later',
  },
  'settling-for-long': {
    gap: 'settlement.window',
    admits:
      'An order with an accepted quote that may settle or not is still QUOTED or EXECUTING after two minutes.',
    closedBy: 'other such orders that had all ended by then',
  },
  'reason-of-its-own': {
    gap: 'validation.when',
    admits: 'An order that failed shows a reason that is none of the six.',
  },
  'hash-of-a-revert': {
    gap: 'order.unset_fields',
    admits:
      'An order whose settlement failed shows the hash of the transaction that was taken back.',
  },
  'id-of-a-machine': {
    gap: 'result.extra_fields',
    admits: 'Ids of requests that tell which machine made them, and with it which sender asked.',
  },
} as const satisfies Readonly<Record<string, Departure>>;
export type DepartureName = keyof typeof departures;

/** The name of a room or of a departure, or the id of a requirement of vague words. */
export type ExcuseId = keyof typeof rooms | DepartureName | RequirementId;
