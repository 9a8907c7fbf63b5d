import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
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
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { quoteIn, quotesOf } from './quotes-seen.ts';
import { judgeState } from './verdicts.ts';
import {
  acceptanceFields,
  acceptCall,
  type Accepter,
  each,
  isSet,
  settlementPatienceMs,
  stateOf,
  sweepMs,
  terminal,
  untilCalm,
  waits,
} from './words.ts';

/**
 * The answer to an acceptance about its deadline may be either; what the order then is, must follow from it. One that
 * was refused leaves no trace, one that succeeded is not taken back by the order's own deadline.
 */
async function judgeConsistent(
  trial: Trial,
  order: PlacedOrder,
  acceptance: Exchange,
  quoteOutlives: boolean,
): Promise<void> {
  const requirement = 'order.state.legal-under-race';
  await awaitStatus(trial, order, terminal, settlementPatienceMs);
  const end = await readOrder(trial, order);
  const set = acceptanceFields.filter((name) => isSet(end.data, name));
  if (isRefusal(acceptance)) {
    trial.judge(requirement, set.length === 0, {
      message: `An order whose acceptance was refused at its deadline showed ${set.join(', ')}.`,
      seen: [acceptance, end.exchange],
    });
    judgeState(
      trial,
      requirement,
      end,
      ['PENDING', 'EXPIRED'],
      'after an acceptance was refused at its deadline',
    );
    return;
  }
  if (!succeeded(acceptance)) return;
  trial.judge(
    requirement,
    set.length === acceptanceFields.length || stateOf(end.data) === 'EXPIRED',
    {
      message:
        'An order whose acceptance succeeded at its deadline lacked fields of the accepted quote.',
      actual: end.data,
      seen: [acceptance, end.exchange],
    },
  );
  if (quoteOutlives) {
    judgeState(
      trial,
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
      async run(trial) {
        const order = await createOrder(trial);
        const { expiresAt } = order;
        if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
        const body = quoteBody(trial, order, { validUntil: expiresAt + 20_000 });
        const params = paramsOf(order);
        const submitted = await trial.party('maker_a').call('quote.submit', { params, body });
        const taken = textOf(fieldsOf(submitted), 'quote_id');
        const outlives = taken !== undefined && grantedUntil(submitted) > expiresAt;
        const quoteId =
          taken ?? (await quote(trial, 'maker_a', order, { validUntil: expiresAt - 1 })).quoteId;
        const { timeline, clock } = trial.target;
        const moment = expiresAt - clock.offset.most - leadMs;
        trial.mayWait(moment - timeline.now() + sweepMs, "this target's orders' life");
        await timeline.until(moment);
        const acceptance = await acceptCall(trial, order, { quoteId }, by);
        await timeline.sleep(sweepMs);
        await judgeConsistent(trial, order, acceptance, outlives);
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
      async run(trial) {
        await untilCalm(trial);
        const order = await createOrder(trial);
        const rival = await quote(trial, 'maker_b', order);
        const brief = await quote(trial, 'maker_a', order, { validForMs: 2_500 });
        const { timeline, clock } = trial.target;
        await timeline.until(brief.validUntil - clock.offset.most - leadMs);
        const acceptance = await acceptCall(trial, order, brief, by);
        await timeline.sleep(sweepMs);
        await judgeConsistentQuote(trial, order, acceptance, brief.quoteId, rival);
      },
    }),
);

async function judgeConsistentQuote(
  trial: Trial,
  order: PlacedOrder,
  acceptance: Exchange,
  briefId: string,
  rival: PlacedQuote,
): Promise<void> {
  if (!isRefusal(acceptance)) return judgeConsistent(trial, order, acceptance, false);
  const requirement = 'order.state.legal-under-race';
  const now = await readOrder(trial, order);
  const latest = now.exchange.received + trial.target.clock.offset.most;
  if (order.expiresAt === undefined || latest >= order.expiresAt) return;
  judgeState(
    trial,
    requirement,
    now,
    ['PENDING'],
    'after an acceptance was refused at the deadline of a quote',
  );
  const { items, exchange } = await quotesOf(trial, order);
  for (const [quoteId, status] of [
    [briefId, 'EXPIRED'],
    [rival.quoteId, 'PENDING'],
  ] as const) {
    const shown = textOf(quoteIn(items, { quoteId }), 'status');
    // Where quotes are valid for a short while only, the rival may have lapsed as well by now.
    const lapsed =
      quoteId === rival.quoteId &&
      exchange.received + trial.target.clock.offset.most >= rival.validUntil;
    if (shown === undefined || lapsed) continue;
    trial.judge('quote.state.one-accepted-per-order', shown === status, {
      message: `A quote was ${shown} after an acceptance was refused at its deadline.`,
      expected: status,
      actual: shown,
      seen: [acceptance, exchange],
    });
  }
}

export const raceDeadlineChecks: readonly Check[] = [...aboutOrder, ...aboutQuote];
