import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  createOrder,
  fieldsOf,
  grantedUntil,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { acceptedStates, terminalOrderStates, unsettledStates } from '../../../src/spec/states.ts';
import type { OrderState } from '../../../src/spec/vocabulary.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { assertRaceLeft, assertState } from '../../shared/order-assertions.ts';
import {
  expiryLagMs,
  needsOf,
  settlementTimeoutMs,
  untilBefore,
  waits,
} from '../../shared/waits.ts';
import { tryAccept } from '../../shared/order-calls.ts';
import { rows } from '../../shared/check-table.ts';

const settled: readonly OrderState[] = ['SETTLED'];

/**
 * An acceptance at about its deadline may succeed or be refused; the state of the order must follow from the answer. A
 * refused acceptance leaves no trace. A successful one is not undone by the order's own deadline.
 */
async function assertConsistent(
  t: CheckContext,
  order: PlacedOrder,
  acceptance: Exchange,
  quoteOutlives: boolean,
): Promise<void> {
  await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
  const end = await readOrder(t, order);
  const afterSuccess = quoteOutlives ? settled : [...acceptedStates, ...unsettledStates];
  if (isRefusal(acceptance)) assertRaceLeft(t, end, ['PENDING', 'EXPIRED'], [acceptance]);
  else if (succeeded(acceptance)) assertRaceLeft(t, end, afterSuccess, [acceptance]);
}

/** 3.1: at the moment of expires_at an acceptance either succeeds, and the order settles, or is refused without a trace. */
const aboutOrder = rows(
  { id: 'just-before', by: 'sender', leadMs: 30 },
  { id: 'just-after', by: 'sender', leadMs: -10 },
  { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
).map<Check>(({ id, by, leadMs }) => ({
  id: `order.race.expiry.${id}`,
  title: `An acceptance by ${by} about the moment of expires_at (${id}) either settles the order or leaves it EXPIRED.`,
  requirements: ['order.state.legal-under-race'],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const { expiresAt } = order;
    if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
    const body = quoteBody(t, order, { validUntil: expiresAt + 20_000 });
    const params = paramsOf(order);
    const submitted = await t.party('maker_a').call('quote.submit', { params, body });
    const taken = textOf(fieldsOf(submitted), 'quote_id');
    const outlives = taken !== undefined && grantedUntil(submitted) > expiresAt;
    const quoteId =
      taken ?? (await quote(t, 'maker_a', order, { validUntil: expiresAt - 1 })).quoteId;
    const { timeline, clock } = t.target;
    const startMs = expiresAt - clock.offset.most - leadMs;
    t.allowWait(startMs - timeline.now() + expiryLagMs, "this target's orders' life");
    await timeline.until(startMs);
    const acceptance = await t.promptly(() => tryAccept(t, order, { quoteId }, by));
    await timeline.sleep(expiryLagMs);
    await assertConsistent(t, order, acceptance, outlives);
    return undefined;
  },
}));

/** 3.2: at the moment of valid_until as well; after a refusal the order is PENDING, with its other quotes. */
const aboutQuote = rows(
  { id: 'just-before', by: 'sender', leadMs: 20 },
  { id: 'just-after', by: 'sender', leadMs: -5 },
  { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
).map<Check>(({ id, by, leadMs }) => ({
  id: `order.race.valid-until.${id}`,
  title: `An acceptance by ${by} about the moment of valid_until (${id}) takes effect whole or not at all.`,
  requirements: ['order.state.legal-under-race', 'quote.state.one-accepted-per-order'],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_b', order);
    const brief = await quote(t, 'maker_a', order, { validForMs: 2_500 });
    const { timeline, clock } = t.target;
    await untilBefore(t, brief.validUntil, leadMs);
    const acceptance = await t.promptly(() => tryAccept(t, order, brief, by));
    await timeline.sleep(expiryLagMs);
    if (!isRefusal(acceptance)) return assertConsistent(t, order, acceptance, false);
    const now = await readOrder(t, order);
    await quotesOf(t, order);
    const latest = now.exchange.received + clock.offset.most;
    if (order.expiresAt === undefined || latest >= order.expiresAt) return undefined;
    const when = 'after an acceptance was refused at the deadline of a quote';
    assertState(t, 'order.state.legal-under-race', now, ['PENDING'], when);
    return undefined;
  },
}));

export const raceDeadlineChecks: readonly Check[] = [...aboutOrder, ...aboutQuote];
