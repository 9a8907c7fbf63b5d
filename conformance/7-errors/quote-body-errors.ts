import type { CallOptions } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type Fields,
  fieldsOf,
  retryWhileRefused,
  isFields,
  isByUndeclaredMaker,
  matchesQuote,
  isRefusal,
  itemsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  assertRefused,
  succeeded,
  targetNow,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { ownQuotesOf, quotesOf } from '../shared/listed-quotes.ts';
import { each } from '../shared/check-table.ts';
import { notDecimal, notJson, notTimestamp, sentAsText, bodyWithout } from './malformed-values.ts';

interface Malformed {
  readonly name: string;
  readonly options: CallOptions;
}

const body = (name: string, fields: Fields): Malformed => ({ name, options: { body: fields } });

const situations: readonly {
  readonly id: string;
  readonly requirement: RequirementId;
  readonly what: string;
  readonly maker: CastName;
  /** Another maker's quote stands already. */
  readonly rival?: CastName;
  readonly malformed: (valid: Fields) => readonly Malformed[];
}[] = [
  {
    id: 'not-json',
    requirement: 'quote.submit.not-json-refused',
    what: 'a quote that is no JSON',
    maker: 'maker_a',
    malformed: (valid) =>
      notJson(valid).map(({ name, sent }) => ({ name, options: sentAsText(sent) })),
  },
  {
    id: 'malformed-rate',
    requirement: 'quote.submit.malformed-rate-refused',
    what: 'a rate that is no decimal number',
    maker: 'maker_a',
    malformed: (valid) =>
      notDecimal.map((value) => body(JSON.stringify(value), { ...valid, fx_rate: value })),
  },
  {
    id: 'malformed-rate-beside-rival',
    requirement: 'quote.submit.malformed-rate-refused',
    what: 'a rate that is no decimal number',
    maker: 'maker_b',
    rival: 'maker_c',
    malformed: (valid) => [body('"one"', { ...valid, fx_rate: 'one' })],
  },
  {
    id: 'malformed-amount',
    requirement: 'quote.submit.malformed-amount-refused',
    what: 'an amount that is no decimal number',
    maker: 'maker_a',
    // What the amount denotes is open (gap `quote.target_amount`); that it is a decimal number is not.
    malformed: (valid) =>
      ['abc', '12.3.4', { amount: '1000.00' }].map((value) =>
        body(JSON.stringify(value), { ...valid, target_amount: value }),
      ),
  },
  {
    id: 'malformed-deadline',
    requirement: 'quote.submit.malformed-deadline-refused',
    what: 'a deadline that is no moment',
    maker: 'maker_a',
    malformed: (valid) =>
      notTimestamp.map((value) => body(JSON.stringify(value), { ...valid, valid_until: value })),
  },
  {
    id: 'missing-rate',
    requirement: 'quote.submit.missing-rate-refused',
    what: 'a quote without a rate',
    maker: 'maker_b',
    malformed: (valid) => [
      body('left out', bodyWithout(valid, 'fx_rate')),
      body('null', { ...valid, fx_rate: null }),
      // No number and no rate: whichever it is taken for.
      body('an empty text', { ...valid, fx_rate: '' }),
    ],
  },
  {
    id: 'missing-deadline',
    requirement: 'quote.submit.missing-deadline-refused',
    what: 'a quote without a deadline',
    maker: 'maker_b',
    malformed: (valid) => [
      body('left out', bodyWithout(valid, 'valid_until')),
      body('null', { ...valid, valid_until: null }),
      body('an empty text', { ...valid, valid_until: '' }),
    ],
  },
  {
    id: 'not-a-quote',
    requirement: 'error.refusal-is-4xx',
    what: 'what is no quote',
    maker: 'maker_c',
    malformed: () => [
      ...['[]', 'null', '17'].map((text) => ({ name: text, options: sentAsText(text) })),
      { name: 'no body', options: {} },
      body('an empty object', {}),
    ],
  },
];

/** Judges that refused quotes left the order without a quote of that maker, for its sender and for the maker. */
async function noneTaken(t: CheckContext, order: PlacedOrder, maker: CastName): Promise<void> {
  const { partyId } = t.party(maker);
  const shown = await quotesOf(t, order);
  const own = await ownQuotesOf(t, order, maker);
  const theirs = shown.items.filter((item) => textOf(item, 'market_maker_party_id') === partyId);
  for (const { items, exchange } of [{ ...shown, items: theirs }, own]) {
    if (!succeeded(exchange)) continue;
    t.assert('error.refusal-changes-nothing', items.length === 0, {
      message: 'A quote that was refused stood in a list all the same.',
      expected: [],
      actual: items,
      seen: [exchange],
    });
  }
}

/** The frame that would tell the sender of a quote that was refused. */
function assertSilence(
  t: CheckContext,
  order: PlacedOrder,
  from: number,
  allowedQuotes: number,
): void {
  const told = t
    .party('sender')
    .events.frames.slice(from)
    .filter(
      (frame) =>
        frame.event === 'quote_received' &&
        isFields(frame.data) &&
        !isByUndeclaredMaker(t, frame.data) &&
        JSON.stringify(frame.data).toLowerCase().includes(order.intentId.toLowerCase()),
    );
  t.assert('error.refusal-sends-no-event', told.length <= allowedQuotes, {
    message: 'quote_received told of a quote that was refused.',
    expected: `${allowedQuotes} events of this order`,
    actual: told.map(({ data }) => data),
    seen: told,
  });
}

const checks = each(situations, ({ id, requirement, what, maker, rival, malformed }) =>
  defineCheck({
    id: `quote.submit.${id}`,
    title: `A maker that sends ${what} is refused, nothing stands and nobody is told; whole, the quote is taken.`,
    requirements: [requirement, 'error.refusal-changes-nothing', 'error.refusal-sends-no-event'],
    needs: {
      parties: ['sender', maker, ...(rival ? [rival] : [])],
      waitMs: 3_000,
    },
    async run(t) {
      const order = await createOrder(t);
      const from = t.party('sender').events.frames.length;
      if (rival) await quote(t, rival, order);
      const params = paramsOf(order);
      const party = t.party(maker);
      // The request may come to this maker a moment later: that must not be what it is refused for.
      await retryWhileRefused(t, () => party.call('rfq.read', { params }));
      const no: { readonly name: string; readonly exchange: Exchange }[] = [];
      for (const { name, options } of malformed(quoteBody(t, order))) {
        const exchange = await party.call('quote.submit', { ...options, params });
        if (isRefusal(exchange)) no.push({ name, exchange });
        else assertRefused(t, requirement, exchange, `${what}: ${name}`);
      }
      await noneTaken(t, order, maker);
      const twin = await quote(t, maker, order);
      for (const { name, exchange } of no) {
        assertRefused(t, requirement, exchange, `${what}: ${name}`);
      }
      const listed = await quotesOf(t, order);
      const mine = itemsOf(listed.exchange).filter(
        (item) => textOf(item, 'market_maker_party_id') === party.partyId,
      );
      const other = mine.find((item) => !matchesQuote(twin)(item));
      t.assert('error.refusal-changes-nothing', !other, {
        message: `Beside a quote that was taken one of ${what} stood in the list.`,
        expected: [textOf(fieldsOf(twin.exchange), 'quote_id')],
        actual: mine,
        seen: [listed.exchange],
      });
      await t.target.timeline.sleep(3_000);
      assertSilence(t, order, from, rival ? 2 : 1);
    },
  }),
);

/** Whether these are refused is open (gaps `quote.past_validity`, `quote.amount_match`); that a refusal is one is not. */
const doubtful = [
  {
    id: 'past-deadline',
    what: 'a deadline that has passed',
    changes: (t: CheckContext) => ({
      valid_until: formatTimestamp(Math.floor(targetNow(t).earliest) - 60_000),
    }),
  },
  {
    id: 'other-amount',
    what: "another amount than the order's",
    changes: () => ({ target_amount: '1234.56' }),
  },
] as const;

const whereRefused = each(doubtful, ({ id, what, changes }) =>
  defineCheck({
    id: `quote.submit.where-refused.${id}`,
    title: `A quote with ${what} stands nowhere and is told to nobody, where it is refused.`,
    requirements: ['error.refusal-changes-nothing', 'error.refusal-sends-no-event'],
    needs: { parties: ['sender', 'maker_a'], waitMs: 3_000 },
    async run(t) {
      // Where no quote at all is taken, its refusal would show nothing of what is odd about this one.
      await quote(t, 'maker_a', await createOrder(t));
      const order = await createOrder(t);
      const from = t.party('sender').events.frames.length;
      const params = paramsOf(order);
      const party = t.party('maker_a');
      await retryWhileRefused(t, () => party.call('rfq.read', { params }));
      const sent = { ...quoteBody(t, order), ...changes(t) };
      const exchange = await party.call('quote.submit', { params, body: sent });
      if (!isRefusal(exchange)) t.outOfScope(`${what} is no reason here to refuse a quote`);
      await noneTaken(t, order, 'maker_a');
      await t.target.timeline.sleep(3_000);
      assertSilence(t, order, from, 0);
    },
  }),
);

export const quoteErrorChecks: readonly Check[] = [...checks, ...whereRefused];
