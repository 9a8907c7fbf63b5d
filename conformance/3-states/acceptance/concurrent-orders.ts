import type { Check } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  orderBody,
  paramsOf,
  placedOrder,
  quote,
  quoteBody,
  quotedOrder,
  readOrder,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, lifeRequirementsOf, type Trade } from '../../shared/order-life.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { simultaneously } from '../../shared/order-calls.ts';
import { needsOf, waits } from '../../shared/waits.ts';
import { rows } from '../../shared/check-table.ts';

/** 4.2: each creation makes its own order with the values sent, even if several creations come at once. */
const creations = rows(
  { id: 'one-institution', by: ['sender', 'sender', 'sender', 'sender', 'sender'] },
  { id: 'two-institutions', by: ['sender', 'outsider', 'sender', 'outsider'] },
).map<Check>(({ id, by }) => ({
  id: `order.concurrent.create.${id}`,
  title: `${by.length} orders created at once are as many orders, each with its own terms and PENDING.`,
  requirements: [
    'order.intent-id.unique',
    'order.source-contract-id.echo',
    'order.sender-party-id.is-creator',
    'order.state.starts-pending',
  ],
  needs: { parties: [...new Set(by)] },
  async run(t) {
    const sent = by.map((party, index) => {
      const body = orderBody(t, { target_amount: `${100 + index}.50` });
      return { party, body };
    });
    const answers = await simultaneously(
      t,
      sent.map(
        ({ party, body }) =>
          () =>
            t.party(party).call('order.create', { body }),
      ),
    );
    for (const [index, { party, body }] of sent.entries()) {
      const answer = answers[index];
      const order = answer && placedOrder(party, body, answer);
      if (order) await readOrder(t, order, party);
    }
  },
}));

/** 1.2: several makers may quote one order; each of their quotes is its maker's own, also when they come at once. */
const quotes: Check = {
  id: 'quote.concurrent.submit',
  title:
    "Three makers' quotes on one order at once are three quotes of it, each its maker's own; one is accepted.",
  requirements: [
    'service.several-makers-quote',
    'quote.quote-id.unique',
    'quote.market-maker-party-id.is-submitter',
    ...lifeRequirementsOf(),
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', 'maker_c'),
  async run(t) {
    const order = await createOrder(t);
    // The first quote shows that the request has reached the makers; the others then quote at once.
    const first = await quote(t, 'maker_a', order);
    const answers = await simultaneously(
      t,
      (['maker_b', 'maker_c'] as const).map((maker) => () => {
        const body = quoteBody(t, order);
        return t.party(maker).call('quote.submit', { params: paramsOf(order), body });
      }),
    );
    if (!answers.every(succeeded)) t.notExercised('not every quote was taken', answers);
    t.assert('service.several-makers-quote', true, { message: '' });
    await quotesOf(t, order);
    await acceptAndSettle(t, { order, quote: first, acceptedBy: 'sender' });
  },
};

/** 3.1: orders settle side by side, each with its own quote. */
const settlements: Check = {
  id: 'order.concurrent.settle',
  title:
    'Three orders whose quotes are accepted at the same time all settle, each with its own quote.',
  requirements: lifeRequirementsOf(),
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b'),
  async run(t) {
    const trades: Trade[] = [];
    for (const maker of ['maker_a', 'maker_b', 'maker_a'] as const)
      trades.push({ ...(await quotedOrder(t, { maker })), acceptedBy: 'sender' });
    await t.target.timeline.together(
      trades.map((trade, index) => [`order ${index + 1}`, () => acceptAndSettle(t, trade)]),
    );
  },
};

export const concurrentOrderChecks: readonly Check[] = [...creations, quotes, settlements];
