import type { Check } from '../src/suite/engine/check.ts';
import { globMatches } from '../src/suite/engine/plan.ts';
import { envelopeChecks, schemaVersionChecks, baseUrlChecks } from './base-urls-and-envelopes.ts';
import { accessChecks } from './1-roles/index.ts';
import { stateChecks } from './3-states/index.ts';
import { endpointChecks } from './4-endpoints/index.ts';
import { authChecks } from './5-authentication/index.ts';
import { eventChecks } from './6-events/index.ts';
import { errorChecks } from './7-errors/index.ts';
import { tokenLifetimeChecks } from './5-authentication/tokens.ts';
import { combinedChecks } from './combined/index.ts';
import { randomSequenceChecks } from './random-sequences.ts';
import { twinChecks } from './twins.ts';

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
const withAges = (checks: readonly Check[]): readonly Check[] =>
  checks.map((check) => {
    if (isIn(everyAge, check)) return { ...check, ages: true };
    return isIn(inTurns, check) ? { ...check, ages: 'in_turns' } : check;
  });

/** In the order of the document's parts. */
const all: readonly Check[] = [
  ...baseUrlChecks,
  ...accessChecks,
  ...envelopeChecks,
  ...stateChecks,
  ...endpointChecks,
  ...authChecks,
  ...eventChecks,
  ...errorChecks,
  ...tokenLifetimeChecks,
  ...schemaVersionChecks,
  ...combinedChecks,
  ...twinChecks,
  ...randomSequenceChecks,
];

/** The suite: every check. The terms and the rate of an order are drawn unless its check fixes them. */
export const checks: readonly Check[] = withAges(all).map((check) => ({ ...check, draws: true }));
