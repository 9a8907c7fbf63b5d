import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  createOrder,
  fieldsOf,
  grantedUntil,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { findQuote, quotesOf } from '../../shared/listed-quotes.ts';
import { assertState } from '../../shared/order-assertions.ts';
import {
  acceptanceFields,
  tryAccept,
  type Accepter,
  each,
  isSet,
  settlementTimeoutMs,
  stateOf,
  expiryLagMs,
  terminalStates,
  waitWhileBusy,
  waits,
} from '../../shared/order-calls.ts';

/**
 * The answer to an acceptance about its deadline may be either; what the order then is, must follow from it. One that
 * was refused leaves no trace, one that succeeded is not taken back by the order's own deadline.
 */
async function assertConsistent(
  t: CheckContext,
  order: PlacedOrder,
  acceptance: Exchange,
  quoteOutlives: boolean,
): Promise<void> {
  const requirement = 'order.state.legal-under-race';
  await awaitStatus(t, order, terminalStates, settlementTimeoutMs);
  const end = await readOrder(t, order);
  const set = acceptanceFields.filter((name) => isSet(end.data, name));
  if (isRefusal(acceptance)) {
    t.assert(requirement, set.length === 0, {
      message: `An order whose acceptance was refused at its deadline showed ${set.join(', ')}.`,
      seen: [acceptance, end.exchange],
    });
    assertState(
      t,
      requirement,
      end,
      ['PENDING', 'EXPIRED'],
      'after an acceptance was refused at its deadline',
    );
    return;
  }
  if (!succeeded(acceptance)) return;
  t.assert(requirement, set.length === acceptanceFields.length || stateOf(end.data) === 'EXPIRED', {
    message:
      'An order whose acceptance succeeded at its deadline lacked fields of the accepted quote.',
    actual: end.data,
    seen: [acceptance, end.exchange],
  });
  if (quoteOutlives) {
    assertState(
      t,
      requirement,
      end,
      ['SETTLED'],
      'though its quote was accepted in time and stays valid',
    );
  }
}

const aboutOrder = each(
  [
    { id: 'just-before', by: 'sender', leadMs: 30 },
    { id: 'just-after', by: 'sender', leadMs: -10 },
    { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
  ] as const satisfies readonly { id: string; by: Accepter; leadMs: number }[],
  ({ id, by, leadMs }) =>
    defineCheck({
      id: `order.race.expiry.${id}`,
      title: `An acceptance by ${by} about the moment of expires_at (${id}) either settles the order or leaves it EXPIRED.`,
      requirements: ['order.state.legal-under-race'],
      needs: {
        parties: [...new Set(['sender', 'maker_a', by] as const)],
        waitMs: waits.orderExpiry,
      },
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
        const moment = expiresAt - clock.offset.most - leadMs;
        t.allowWait(moment - timeline.now() + expiryLagMs, "this target's orders' life");
        await timeline.until(moment);
        const acceptance = await tryAccept(t, order, { quoteId }, by);
        await timeline.sleep(expiryLagMs);
        await assertConsistent(t, order, acceptance, outlives);
        return undefined;
      },
    }),
);

/** About a quote's own deadline: a refusal leaves the order PENDING, and it can be accepted with another quote. */
const aboutQuote = each(
  [
    { id: 'just-before', by: 'sender', leadMs: 20 },
    { id: 'just-after', by: 'sender', leadMs: -5 },
    { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
  ] as const satisfies readonly { id: string; by: Accepter; leadMs: number }[],
  ({ id, by, leadMs }) =>
    defineCheck({
      id: `order.race.valid-until.${id}`,
      title: `An acceptance by ${by} about the moment of valid_until (${id}) takes effect whole or not at all.`,
      requirements: ['order.state.legal-under-race', 'quote.state.one-accepted-per-order'],
      needs: {
        parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
        waitMs: waits.quoteExpiry + waits.settlement,
      },
      async run(t) {
        await waitWhileBusy(t);
        const order = await createOrder(t);
        const rival = await quote(t, 'maker_b', order);
        const brief = await quote(t, 'maker_a', order, { validForMs: 2_500 });
        const { timeline, clock } = t.target;
        await timeline.until(brief.validUntil - clock.offset.most - leadMs);
        const acceptance = await tryAccept(t, order, brief, by);
        await timeline.sleep(expiryLagMs);
        await assertConsistentQuote(t, order, acceptance, brief.quoteId, rival);
      },
    }),
);

async function assertConsistentQuote(
  t: CheckContext,
  order: PlacedOrder,
  acceptance: Exchange,
  briefId: string,
  rival: PlacedQuote,
): Promise<void> {
  if (!isRefusal(acceptance)) return assertConsistent(t, order, acceptance, false);
  const requirement = 'order.state.legal-under-race';
  const now = await readOrder(t, order);
  const latest = now.exchange.received + t.target.clock.offset.most;
  if (order.expiresAt === undefined || latest >= order.expiresAt) return;
  assertState(
    t,
    requirement,
    now,
    ['PENDING'],
    'after an acceptance was refused at the deadline of a quote',
  );
  const { items, exchange } = await quotesOf(t, order);
  for (const [quoteId, status] of [
    [briefId, 'EXPIRED'],
    [rival.quoteId, 'PENDING'],
  ] as const) {
    const shown = textOf(findQuote(items, { quoteId }), 'status');
    // Where quotes are valid for a short while only, the rival may have lapsed as well by now.
    const lapsed =
      quoteId === rival.quoteId &&
      exchange.received + t.target.clock.offset.most >= rival.validUntil;
    if (shown === undefined || lapsed) continue;
    t.assert('quote.state.one-accepted-per-order', shown === status, {
      message: `A quote was ${shown} after an acceptance was refused at its deadline.`,
      expected: status,
      actual: shown,
      seen: [acceptance, exchange],
    });
  }
}

export const raceDeadlineChecks: readonly Check[] = [...aboutOrder, ...aboutQuote];
