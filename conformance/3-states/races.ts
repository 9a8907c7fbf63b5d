import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  orderBody,
  placedOrder,
} from '../../src/suite/actions/orders.ts';
import { describeExchange, succeeded } from '../../src/protocol/answers.ts';
import {
  type PlacedQuote,
  quote,
  quotedOrder,
  type QuotedOrder,
} from '../../src/suite/actions/quotes.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import {
  followToSettlement,
  lifeRequirements,
  ownQuotesOf,
  type Accepter,
  simultaneously,
  tryAccept,
  tryCancel,
  acceptAndSettle,
  lifeRequirementsOf,
  type Trade,
  quotesOf,
  tryQuote,
  readAs,
} from '../shared/order-life.ts';
import { assertRaceLeft } from '../shared/order-states.ts';
import {
  needsOf,
  settlementTimeoutMs,
  untilViewsAgree,
  waits,
  rows,
  makers,
} from '../shared/waits.ts';

/** Requirements that the rules judge after a race of requests, for the order and the rest of its life. */
const afterRace: readonly RequirementId[] = [
  'quote.state.one-accepted-under-race',
  'quote.state.one-accepted-per-order',
  'quote.state.pending-to-rejected',
  ...lifeRequirements,
];

/** Follows an order with several quotes to its end, and lists the quotes of all makers then. */
async function followRace(
  t: CheckContext,
  order: PlacedOrder,
  placed: readonly PlacedQuote[],
  attempts: readonly Exchange[],
): Promise<void> {
  const winner = placed.find(({ quoteId }) =>
    attempts.some((one) => succeeded(one) && one.params.quote_id === quoteId),
  );
  if (!winner) return;
  await followToSettlement(t, { order, quote: winner, acceptedBy: 'sender' });
  for (const { maker } of placed) await ownQuotesOf(t, order, maker);
}

const acceptances = (
  [
    { id: 'institution-and-custodian', by: ['sender', 'sender_custodian'] },
    { id: 'custodian-and-institution', by: ['sender_custodian', 'sender'] },
    { id: 'institution-twice', by: ['sender', 'sender'] },
    { id: 'custodian-twice', by: ['sender_custodian', 'sender_custodian'] },
    { id: 'three-quotes', by: ['sender', 'sender_custodian', 'sender'] },
  ] as const satisfies readonly { id: string; by: readonly Accepter[] }[]
).map<Check>(({ id, by }) => ({
  id: `order.race.accept.${id}`,
  title: `When ${by.join(' and ')} accept different quotes of one order at once, at most one is accepted and the rest are rejected.`,
  requirements: afterRace,
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', 'maker_c', ...by),
  async run(t) {
    const order = await createOrder(t);
    const tries: (() => Promise<Exchange>)[] = [];
    const placed: PlacedQuote[] = [];
    for (const [index, maker] of makers.entries()) {
      const accepter = by[index];
      if (!accepter) continue;
      const one = await quote(t, maker, order);
      placed.push(one);
      tries.push(() => tryAccept(t, order, one, accepter));
    }
    await followRace(t, order, placed, await simultaneously(t, tries));
  },
}));

/** 3.1: accepted from both sides at once, a quote is accepted once; both may be answered so (gap `accept.again`). */
const sameQuote: Check = {
  id: 'order.race.accept.same-quote',
  title:
    'When both sides accept the same quote at once, it is accepted once and the order settles.',
  requirements: afterRace,
  needs: needsOf(waits.settlement, 'sender', 'sender_custodian', 'maker_a', 'maker_b'),
  async run(t) {
    const { order, quote: chosen } = await quotedOrder(t);
    const placed = [chosen, await quote(t, 'maker_b', order)];
    const both = ['sender', 'sender_custodian'] as const;
    const answers = await simultaneously(
      t,
      both.map((by) => () => tryAccept(t, order, chosen, by)),
    );
    await followRace(t, order, placed, answers);
  },
};

const againstCancel = rows(
  { id: 'accept-first', by: 'sender', cancelFirst: false },
  { id: 'cancel-first', by: 'sender', cancelFirst: true },
  { id: 'custodian-accepts', by: 'sender_custodian', cancelFirst: false },
  { id: 'before-custodian', by: 'sender_custodian', cancelFirst: true },
).map<Check>(({ id, by, cancelFirst }) => ({
  id: `order.race.cancel.${id}`,
  title: `When ${by} accepts and the sender cancels at once, the order is either cancelled for good or settles.`,
  requirements: ['order.state.legal-under-race'],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const { order, quote: placed } = await quotedOrder(t);
    const accept = () => tryAccept(t, order, placed, by);
    const cancel = () => tryCancel(t, order);
    const answers = await simultaneously(t, cancelFirst ? [cancel, accept] : [accept, cancel]);
    // Both refused may be a conflict that neither survived: then nothing is known of the order of effects.
    if (!answers.some(succeeded)) return;
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    const end = await readOrder(t, order);
    const isCancelled = answers.some((one) => one.endpoint === 'order.cancel' && succeeded(one));
    assertRaceLeft(t, end, isCancelled ? unsettledStates : ['SETTLED'], answers);
  },
}));

const rival = 'maker_b';

/** An order with a quote, and a rival maker whose backend shows the request. */
async function contested(t: CheckContext): Promise<QuotedOrder> {
  const quoted = await quotedOrder(t);
  await readAs(t, rival, 'rfq.read', quoted.order);
  return quoted;
}

const rivalCall = (t: CheckContext, order: PlacedOrder): Promise<Exchange> =>
  tryQuote(t, rival, order);

/** Judges nothing: its effect on an order is open, but for that it ends none and reopens none. */
const tryProposal = (t: CheckContext, order: PlacedOrder): Promise<Exchange> =>
  t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });

/**
 * 3.1: a quote at the moment of the decision, and where the custodian decides its acceptance of the proposal as well. The
 * fate of the quote is open (gap `quote.late`), that of the order is not.
 */
const againstQuote = rows(
  { id: 'quote-first', by: 'sender', quoteFirst: true },
  { id: 'accept-first', by: 'sender_custodian', quoteFirst: false },
).map<Check>(({ id, by, quoteFirst }) => ({
  id: `order.race.quote.${id}`,
  title: `When ${by} accepts${quoteFirst ? '' : ', and the proposal too,'} while a rival's quote comes in, the order goes on with what was accepted.`,
  requirements: afterRace,
  needs: needsOf(waits.settlement, 'sender', 'maker_a', rival, by),
  async run(t) {
    const { order, quote: placed } = await contested(t);
    const accepting = () => tryAccept(t, order, placed, by);
    const quoting = () => rivalCall(t, order);
    const proposing = () => tryProposal(t, order);
    const answers = await simultaneously(
      t,
      quoteFirst ? [quoting, accepting] : [accepting, proposing, quoting],
    );
    const exchange = answers.find((one) => one.endpoint === 'quote.accept');
    if (exchange && !succeeded(exchange)) {
      t.notExercised(`the quote was not accepted: ${describeExchange(exchange)}`, answers);
    }
    await followRace(t, order, [placed], answers);
  },
}));

/** 3.1: a cancelled order stays ended, whatever request comes at the same moment. */
const againstSecond = rows(
  {
    id: 'quote.cancelled',
    title: 'A quote that comes in while the sender cancels does not bring the order back.',
    makers: ['maker_a', rival],
    second: rivalCall,
  },
  {
    id: 'cancel.twice',
    title: 'Two cancels at once end the order once, unsettled.',
    makers: ['maker_a'],
    second: tryCancel,
  },
  {
    id: 'proposal.cancelled',
    title: 'A proposal that is accepted while the sender cancels does not bring the order back.',
    makers: ['maker_a'],
    second: tryProposal,
  },
).map<Check>(({ id, title, makers, second }) => ({
  id: `order.race.${id}`,
  title,
  requirements: ['order.state.cancel-ends-order'],
  needs: {
    parties: [
      'sender',
      ...(second === tryProposal ? ['sender_custodian' as const] : []),
      ...makers,
    ],
    waitMs: waits.settlement,
  },
  async run(t) {
    const { order } = await (makers.length > 1 ? contested(t) : quotedOrder(t));
    const calls = [() => tryCancel(t, order), () => second(t, order)];
    const answers = await simultaneously(t, calls);
    if (!answers.some((one) => one.endpoint === 'order.cancel' && succeeded(one)))
      t.notExercised('no cancel was taken', answers);
    await awaitStatus(t, order, unsettledStates, 5_000);
    await untilViewsAgree(t);
    await readOrder(t, order);
  },
}));

export const raceChecks: readonly Check[] = [
  ...acceptances,
  sameQuote,
  ...againstCancel,
  ...againstQuote,
  ...againstSecond,
];

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
        return tryQuote(t, maker, order);
      }),
    );
    if (!answers.every(succeeded)) t.notExercised('not every quote was taken', answers);
    t.assert('service.several-makers-quote', true, { message: '' });
    await quotesOf(t, order);
    await acceptAndSettle(t, { order, quote: first, acceptedBy: 'sender' });
  },
};

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
