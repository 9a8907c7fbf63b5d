import type { Check } from '../src/suite/engine/check.ts';
import { globMatches } from '../src/suite/engine/glob.ts';

/**
 * The checks that are run again at later ages of a run: few and short, and together every operation of every role, the
 * lives of orders in all their forms, every list and stream, and tokens.
 */
const everyAge: readonly string[] = [
  'order.cancel.executing',
  'order.money.endless-division',
  'quote.select.third',
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

/** Half of them at one age, half at the next: lives that differ in their details, and walks over lists that are long by then. */
const inTurns: readonly string[] = ['order.combined.*', 'list.late-in-run.*'];

const isIn = (patterns: readonly string[], { id }: Check): boolean =>
  patterns.some((pattern) => globMatches(pattern, id));

/** Marks the checks of the core that run again at later ages. */
export const withAges = (checks: readonly Check[]): readonly Check[] =>
  checks.map((check) => {
    if (isIn(everyAge, check)) return { ...check, ages: true };
    return isIn(inTurns, check) ? { ...check, ages: 'in_turns' } : check;
  });
