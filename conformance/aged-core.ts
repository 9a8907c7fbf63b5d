import type { Check } from '../src/suite/engine/check.ts';
import { globMatches } from '../src/suite/engine/glob.ts';

/**
 * The checks that are run again at later ages of a run: few and short, and together every operation of every role, the
 * lives of orders in all their forms, every list and stream, and tokens. Each age costs a twentieth of a run.
 */
export const agedCore: readonly string[] = [
  'order.combined.*',
  'order.cancel.executing',
  'order.money.endless-division',
  'quote.select.third',
  'list.late-in-run.sender',
  'list.late-in-run.sender_custodian',
  'list.late-in-run.maker_a',
  'rfq.list.plain',
  'stream.filter.two-orders.sender',
  'access.order.read.settled',
  'access.lists.usual.pending',
  'access.stats.read.nothing',
  'access.relation.quote.accept.usual.creator.1-quotes',
  'auth.self.sender',
  'auth.self.maker_a',
  'auth.expired.used.*',
  'token.at-once.*',
  'limit.token-lifetime.*',
  'health.sender',
  'error.valid-after-refused.creation',
];

/** The same checks, those of the core marked. */
export const withAges = (checks: readonly Check[]): readonly Check[] =>
  checks.map((check) =>
    agedCore.some((pattern) => globMatches(pattern, check.id)) ? { ...check, ages: true } : check,
  );
