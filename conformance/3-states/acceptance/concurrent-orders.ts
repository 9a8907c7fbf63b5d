import { type Check, defineCheck } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  fieldsOf,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  quoteBody,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { assertStillPending } from '../../shared/order-assertions.ts';
import { simultaneously, each, waits } from '../../shared/order-calls.ts';

/** Creations at once: each makes an order of its own, with what was sent for it. */
const creations = each(
  [
    { id: 'one-institution', by: ['sender', 'sender', 'sender', 'sender', 'sender'] },
    { id: 'two-institutions', by: ['sender', 'outsider', 'sender', 'outsider'] },
  ] as const satisfies readonly { id: string; by: readonly ('sender' | 'outsider')[] }[],
  ({ id, by }) =>
    defineCheck({
      id: `order.together.create.${id}`,
      title: `${by.length} orders created at once are as many orders, each with its own terms and PENDING.`,
      requirements: [
        'order.intent-id.unique',
        'order.source-contract-id.echo',
        'order.sender-party-id.is-creator',
        'order.state.starts-pending',
      ],
      needs: { parties: [...new Set(by)] },
      async run(t) {
        const bodies = by.map((_, index) => orderBody(t, { target_amount: `${100 + index}.50` }));
        const answers = await simultaneously(
          t,
          by.map(
            (party, index) => () => t.party(party).call('order.create', { body: bodies[index] }),
          ),
        );
        const orders: PlacedOrder[] = answers.flatMap((exchange, index) => {
          const party = by[index];
          const body = bodies[index];
          const order = party && body && placedOrder(party, body, exchange);
          return order ? [order] : [];
        });
        const ids = new Set(orders.map(({ intentId }) => intentId.toLowerCase()));
        t.assert('order.intent-id.unique', ids.size === orders.length, {
          message: 'Orders that were created at once shared an intent_id.',
          actual: orders.map(({ intentId }) => intentId),
          seen: answers,
        });
        for (const order of orders) await assertOwn(order);

        async function assertOwn(order: PlacedOrder): Promise<void> {
          const now = await readOrder(t, order, order.by);
          const starts = 'order.state.starts-pending';
          assertStillPending(t, starts, order, now, 'after its creation among others');
          for (const [field, wanted, requirement] of [
            [
              'source_contract_id',
              order.sent['source_contract_id'],
              'order.source-contract-id.echo',
            ],
            ['sender_party_id', t.party(order.by).partyId, 'order.sender-party-id.is-creator'],
          ] as const) {
            if (now.data[field] === undefined) continue;
            t.assert(requirement, equalValues(field, now.data[field], wanted), {
              message: `An order that was created among others showed another ${field}.`,
              expected: wanted,
              actual: now.data[field],
              seen: [order.exchange, now.exchange],
            });
          }
        }
      },
    }),
);

const quotes = defineCheck({
  id: 'quote.together.submit',
  title:
    "Three makers' quotes on one order at once are three quotes of it, each its maker's own; one is accepted.",
  requirements: [
    'service.several-makers-quote',
    'quote.quote-id.unique',
    'quote.market-maker-party-id.is-submitter',
    ...lifeRequirementsOf(),
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.settlement },
  async run(t) {
    const order = await createOrder(t);
    // The first tells whether and when the request has come to makers; the others then quote at once.
    const first = await quote(t, 'maker_a', order);
    const others = ['maker_b', 'maker_c'] as const;
    const answers = await simultaneously(
      t,
      others.map((maker) => () => {
        const body = quoteBody(t, order);
        return t.party(maker).call('quote.submit', { params: paramsOf(order), body });
      }),
    );
    if (!answers.every(succeeded)) t.notExercised('not every quote was taken', answers);
    t.assert('service.several-makers-quote', true, { message: '' });
    const ids = answers.map((answer) => textOf(fieldsOf(answer), 'quote_id'));
    t.assert('quote.quote-id.unique', new Set([...ids, first.quoteId]).size === 3, {
      message: 'Quotes that were submitted at once shared a quote_id.',
      actual: ids,
      seen: answers,
    });
    const { items, exchange } = await quotesOf(t, order);
    for (const [index, maker] of others.entries()) {
      const item = items.find((one) => textOf(one, 'quote_id') === ids[index]);
      if (!item || item['market_maker_party_id'] === undefined) continue;
      const { partyId } = t.party(maker);
      t.assert(
        'quote.market-maker-party-id.is-submitter',
        item['market_maker_party_id'] === partyId,
        {
          message: 'A quote that was submitted beside others showed another maker.',
          expected: partyId,
          actual: item['market_maker_party_id'],
          seen: [exchange],
        },
      );
    }
    await acceptAndSettle(t, { order, quote: first, acceptedBy: 'sender' });
  },
});

const settlements = defineCheck({
  id: 'order.together.settle',
  title:
    'Three orders whose quotes are accepted at the same time all settle, each with its own quote.',
  requirements: lifeRequirementsOf(),
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.settlement },
  async run(t) {
    const deals = [];
    for (const maker of ['maker_a', 'maker_b', 'maker_a'] as const) {
      const order = await createOrder(t);
      deals.push({ order, quote: await quote(t, maker, order), acceptedBy: 'sender' } as const);
    }
    await t.target.timeline.together(
      deals.map((deal, index) => [`order ${index + 1}`, () => acceptAndSettle(t, deal)]),
    );
  },
});

export const concurrentOrderChecks: readonly Check[] = [...creations, quotes, settlements];
