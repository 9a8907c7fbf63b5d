import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  isRefusal,
  matchesQuote,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  pollUntil,
  quote,
  quoteBody,
  retryWhileRefused,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { parseTimestamp } from '../../../src/spec/forms.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { ownQuotesOf, findQuote, quotesOf, quotesOnceListed } from '../../shared/listed-quotes.ts';
import { needsOf, viewLagMs, settlementTimeoutMs, waits } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { pollList } from '../lists/list-walks.ts';
import { rows } from '../../shared/check-table.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** 2: timestamps have milliseconds, also if the clock shows a whole second. */
const wholeSecond: Check = {
  id: 'quote.whole-second-deadline',
  title: 'A quote whose deadline is a whole second shows it with milliseconds, wherever it stands.',
  requirements: [],
  needs: { parties: ['sender', 'maker_b'] },
  async run(t) {
    const order = await createOrder(t);
    const usual = parseTimestamp(quoteBody(t, order)['valid_until']) ?? 0;
    const validUntil = Math.floor(usual / 1_000) * 1_000;
    const placed = await quote(t, 'maker_b', order, { validUntil });
    await ownQuotesOf(t, order, 'maker_b');
    await quotesOf(t, order);
    await accept(t, order, placed);
  },
};

/** Looks at a quote in each list that it belongs in: the order's, its maker's under the request, and its maker's. */
async function lookInLists(
  t: CheckContext,
  order: PlacedOrder,
  placed: readonly PlacedQuote[],
  sides: readonly CastName[] = ['sender'],
): Promise<void> {
  for (const by of sides) await quotesOnceListed(t, order, placed, by);
  for (const one of placed) {
    const isThere = ({ items }: Awaited<ReturnType<typeof ownQuotesOf>>): boolean =>
      findQuote(items, one) !== undefined;
    await pollUntil(t, () => ownQuotesOf(t, order, one.maker), isThere);
    await pollList(t, { by: one.maker, endpoint: 'quote.list' }, matchesQuote(one));
  }
}

const ofLists = [
  'rfq.quotes.complete',
  'rfq.quotes.only-that-request',
  'quote.list.complete',
  'quote.list.agrees-with-request',
  'order.quotes.complete',
  'quote.submit.shown-to-order-side',
] as const satisfies readonly RequirementId[];

/** 4.2 to 4.4: a quote is listed for its order's side and for its maker, among those of other makers or alone. */
const shown = rows(
  { id: 'three-makers', rates: ['1', '1', '1'] },
  { id: 'different-rates', rates: ['1', '1.0125', '0.9875'] },
).map<Check>(({ id, rates }) => ({
  id: `quote.lists.${id}`,
  title: `Three makers' quotes (${id}) on each of two orders are in all lists that they belong in, and in no other.`,
  requirements: [...ofLists, 'order.quotes.custodian-sees-same'],
  needs: { parties: ['sender', 'sender_custodian', ...makers], waitMs: 15_000 },
  async run(t) {
    const orders = [await createOrder(t), await createOrder(t)];
    for (const order of orders) {
      const placed: PlacedQuote[] = [];
      for (const [index, maker] of makers.entries()) {
        placed.push(await quote(t, maker, order, { rate: rates[index] ?? '1' }));
        await quotesOnceListed(t, order, placed);
      }
      await t.target.timeline.sleep(viewLagMs + 100);
      await lookInLists(t, order, placed, ['sender', 'sender_custodian']);
    }
  },
}));

/** 4.4: all own quotes are listed, in any state. */
const states = rows(
  { id: 'settled', by: 'sender' },
  { id: 'settled-by-custodian', by: 'sender_custodian' },
).map<Check>(({ id, by }) => ({
  id: `quote.lists.${id}`,
  title: `Quotes that won, lost and lapsed before an order was ${id} are still in the lists of their makers.`,
  requirements: ofLists,
  needs: needsOf(waits.settlement + 5_000, 'sender', by, ...makers),
  async run(t) {
    const order = await createOrder(t);
    const lapsed = await quote(t, 'maker_c', order, { validForMs: 2_500 });
    const won = await quote(t, 'maker_a', order);
    const lost = await quote(t, 'maker_b', order);
    await t.target.timeline.sleep(3_000);
    await accept(t, order, won, by);
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    await t.target.timeline.sleep(viewLagMs);
    await lookInLists(t, order, [lapsed, won, lost]);
  },
}));

/**
 * 4.2, 4.3: an acceptance needs no body. Only a success with a body proves that the missing body was the reason of a
 * refusal.
 */
const bare = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.accept.without-body.${by}`,
  title: `A quote that ${by} accepts without a body is accepted; one with a body is not the only way.`,
  requirements: ['quote.accept.no-body-needed'],
  needs: { parties: ['sender', by, 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { quoteId } = await quote(t, 'maker_a', order);
    const params = { ...paramsOf(order), quote_id: quoteId };
    const party = t.party(by);
    const no = await retryWhileRefused(t, () => party.call('quote.accept', { params }));
    const yes = isRefusal(no) ? await party.call('quote.accept', { params, body: {} }) : no;
    if (!succeeded(yes)) t.notExercised('the quote could not be accepted at all', [no, yes]);
  },
}));

export const quoteEndpointChecks: readonly Check[] = [...shown, ...states, ...bare, wholeSecond];
