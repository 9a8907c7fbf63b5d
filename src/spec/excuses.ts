import type { GapId } from './gaps/index.ts';

/** A departure from a requirement that an open question admits: a rule or a check says so where it judges. */
interface Departure {
  /** The open question. */
  readonly gap: GapId;
  /** In our words. */
  readonly admits: string;
  /** How a target answers the question itself, after which it is a failure; undefined where nothing does. */
  readonly closedBy?: string;
}

/** Departures from requirements whose words are plain. Those of vague words are named with the requirement. */
export const departures = {
  'near-deadline': {
    gap: 'order.expiry_lag',
    admits: 'An order or a quote looked at so close to its deadline that either state may show.',
  },
  'reason-not-shown': {
    gap: 'order.failure_reason_field',
    admits: 'A cancelled order without a reason, where orders that ended otherwise show theirs.',
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
    admits: 'An amount rounded up, down or to the nearest last place.',
    closedBy: 'amounts of the same kind and currencies that are all rounded in one way',
  },
  'rate-turned-over': {
    gap: 'quote.rate_orientation',
    admits: 'A rate that is meant the other way round than most.',
    closedBy: 'rates of the same kind of amount and currencies that are all meant in one way',
  },
  'health-unwrapped': {
    gap: 'health.response',
    admits: '`/health` answers outside the envelope.',
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
