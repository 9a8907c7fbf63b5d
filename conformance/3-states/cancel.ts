import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  awaitStatus,
  createOrder,
  findInList,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  refused,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { judgeAcceptance, judgeSettlement, judgeTerms, lifeRequirementsOf } from './flow.ts';
import {
  acceptanceFields,
  acceptCall,
  type Accepter,
  cancelCall,
  cancelling,
  each,
  isSet,
  judgeReason,
  judgeState,
  lagMs,
  mustReach,
  settlementPatienceMs,
  stateOf,
  terminal,
  unsettled,
  waits,
} from './words.ts';

/** How soon a cancel that was answered must have taken effect (gap `cancel.response`). */
const effectMs = 5_000;

const endRequirements = [
  'order.state.cancel-ends-order',
  'order.failure-reason.user-cancelled',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Judges that a cancelled order ends unsettled, says so, and stays so. */
async function judgeEnd(trial: Trial, order: PlacedOrder): Promise<void> {
  const { timeline } = trial.target;
  const requirement = 'order.state.cancel-ends-order';
  const ended = await mustReach(trial, requirement, order, unsettled, effectMs, 'after its cancel');
  if (!ended) return;
  judgeReason(trial, 'order.failure-reason.user-cancelled', ended, ['USER_CANCELLED']);
  await timeline.sleep(1_500);
  const later = await readOrder(trial, order);
  const stays =
    ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
  judgeState(trial, stays, later, [ended.status], `after having been ${ended.status}`);
}

const pending = each(
  [
    { id: 'pending', quotes: [], requirement: 'order.cancel.pending' },
    { id: 'with-one-quote', quotes: ['maker_a'], requirement: 'order.cancel.pending-with-quotes' },
    {
      id: 'with-three-quotes',
      quotes: ['maker_b', 'maker_c', 'maker_a'],
      requirement: 'order.cancel.pending-with-quotes',
    },
  ] as const satisfies readonly {
    id: string;
    quotes: readonly CastName[];
    requirement: RequirementId;
  }[],
  ({ id, quotes, requirement }) =>
    defineCheck({
      id: `order.cancel.${id}`,
      title: `A PENDING order with ${quotes.length} quotes is cancelled, ends unsettled and is no longer a request.`,
      requirements: [
        requirement,
        'order.cancel.request-closes',
        'order.accept.cancelled-order-refused',
        ...endRequirements,
      ],
      needs: { parties: ['sender', ...new Set<CastName>(['maker_a', ...quotes])] },
      async run(trial) {
        const order = await createOrder(trial);
        const placed = [];
        for (const maker of quotes) placed.push(await quote(trial, maker, order));
        const exchange = await cancelling(trial, order);
        if (!allowed(trial, requirement, exchange, 'a cancel of a PENDING order')) return;
        await judgeEnd(trial, order);
        for (const one of placed) {
          const no = await acceptCall(trial, order, one);
          refused(
            trial,
            'order.accept.cancelled-order-refused',
            no,
            'an acceptance after a cancel',
          );
        }
        await judgeClosed(trial, order);
      },
    }),
);

async function judgeClosed(trial: Trial, order: PlacedOrder): Promise<void> {
  const party = trial.party('maker_a');
  const isIt = (item: object): boolean => textOf(item, 'intent_id') === order.intentId;
  const found = await findInList(trial, party, 'rfq.list', isIt);
  if (!found.item && found.ended !== 'whole') return;
  trial.judge('order.cancel.request-closes', !found.item, {
    message: 'A cancelled order was still among the active requests for quote.',
    actual: found.item,
    seen: found.pages.slice(-1),
  });
}

/**
 * Accepts and cancels with nothing in between. How long an order is QUOTED is open, so a refusal counts only where
 * the order is QUOTED even after it; then another order is tried.
 */
async function cancelQuoted(
  trial: Trial,
  by: Accepter,
): Promise<{ readonly order: PlacedOrder; readonly exchange: Exchange } | undefined> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const order = await createOrder(trial);
    const placed = await quote(trial, attempt === 1 ? 'maker_b' : 'maker_a', order);
    const [accepted, exchange, after] = await trial.quietly(async () => [
      await acceptCall(trial, order, placed, by),
      await cancelCall(trial, order),
      await readOrder(trial, order),
    ]);
    if (!succeeded(accepted)) trial.giveUp('the quote could not be accepted', [accepted]);
    if (isRefusal(exchange) && stateOf(after.data) !== 'QUOTED') continue;
    return { order, exchange };
  }
  return undefined;
}

const quoted = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.cancel.quoted.${by}`,
    title: `An order whose quote ${by} accepted a moment ago is cancelled, and never settles.`,
    requirements: [
      'order.cancel.quoted',
      'order.cancel.never-settles',
      'settlement.atomic',
      ...endRequirements,
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.settlement,
    },
    async run(trial) {
      const tried = await cancelQuoted(trial, by);
      if (!tried)
        return trial.giveUp('orders here are QUOTED too shortly for a cancel to meet them');
      const { order, exchange } = tried;
      if (!allowed(trial, 'order.cancel.quoted', exchange, 'a cancel of a QUOTED order')) return;
      await judgeEnd(trial, order);
      await trial.target.timeline.sleep(9_000);
      const late = await readOrder(trial, order);
      judgeState(trial, 'order.cancel.never-settles', late, unsettled, '10 s after its cancel');
      trial.judge('settlement.atomic', !isSet(late.data, 'settled_at'), {
        message: 'A cancelled order showed a settlement moment.',
        actual: late.data['settled_at'],
        seen: [late.exchange],
      });
    },
  }),
);

/** From EXECUTING on a cancel comes too late: it is refused, and the order settles all the same. */
const tooLate = each(
  [
    {
      id: 'executing',
      state: 'EXECUTING',
      by: 'sender',
      requirement: 'order.cancel.executing-refused',
    },
    {
      id: 'executing-by-custodian',
      state: 'EXECUTING',
      by: 'sender_custodian',
      requirement: 'order.cancel.executing-refused',
    },
    { id: 'settled', state: 'SETTLED', by: 'sender', requirement: 'order.cancel.settled-refused' },
    {
      id: 'settled-by-custodian',
      state: 'SETTLED',
      by: 'sender_custodian',
      requirement: 'order.cancel.settled-refused',
    },
  ] as const,
  ({ id, state, by, requirement }) =>
    defineCheck({
      id: `order.cancel.${id}`,
      title: `An order that is ${state} cannot be cancelled, and settles all the same.`,
      requirements: [requirement, 'order.state.settled-absorbs', ...lifeRequirementsOf(by)],
      needs: {
        parties: [...new Set(['sender', 'maker_a', by] as const)],
        waitMs: waits.settlement,
      },
      async run(trial) {
        const order = await createOrder(trial);
        const deal = { order, quote: await quote(trial, 'maker_a', order), acceptedBy: by };
        const acceptance = await judgeAcceptance(trial, deal);
        if (!acceptance) return;
        const there = await awaitStatus(trial, order, [state], settlementPatienceMs);
        if (stateOf(there?.data ?? {}) !== state)
          trial.giveUp(`the order could not be read as ${state}`);
        const no = await cancelCall(trial, order);
        refused(trial, requirement, no, `a cancel of an order that is ${state}`);
        if (state === 'EXECUTING') {
          await judgeSettlement(trial, deal, acceptance);
          return;
        }
        const after = await readOrder(trial, order);
        judgeState(
          trial,
          'order.state.settled-absorbs',
          after,
          ['SETTLED'],
          'after a cancel that came too late',
        );
        judgeTerms(trial, deal, after);
      },
    }),
);

const others: readonly Check[] = [
  defineCheck({
    id: 'order.cancel.again',
    title: 'A second cancel, however it is answered, leaves the order as it ended.',
    requirements: ['order.cancel.pending', ...endRequirements],
    needs: { parties: ['sender'] },
    async run(trial) {
      const order = await createOrder(trial);
      const first = await cancelling(trial, order);
      if (!allowed(trial, 'order.cancel.pending', first, 'a cancel of a PENDING order')) return;
      const ended = await awaitStatus(trial, order, terminal, effectMs);
      await cancelCall(trial, order);
      await judgeEnd(trial, order);
      if (!ended) return;
      const after = await readOrder(trial, order);
      const stays =
        ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
      judgeState(trial, stays, after, [ended.status], 'after a second cancel');
    },
  }),
  defineCheck({
    id: 'order.cancel.unknown',
    title: 'Cancelling an id that no order has is refused, while the order beside it is cancelled.',
    requirements: ['order.cancel.unknown-refused', 'order.cancel.pending', ...endRequirements],
    needs: { parties: ['sender'] },
    async run(trial) {
      const order = await createOrder(trial);
      const no = await cancelCall(trial, { intentId: trial.random.uuid() });
      refused(trial, 'order.cancel.unknown-refused', no, 'a cancel of no order');
      const yes = await cancelling(trial, order);
      if (allowed(trial, 'order.cancel.pending', yes, 'a cancel of a PENDING order')) {
        await judgeEnd(trial, order);
      }
    },
  }),
  defineCheck({
    id: 'order.cancel.leaves-no-acceptance',
    title:
      'A cancelled order that nobody accepted carries no accepted quote, for its custodian neither.',
    requirements: [
      'order.quote-id.not-before-acceptance',
      'order.state.views-agree',
      ...endRequirements,
    ],
    needs: { parties: ['sender', 'sender_custodian', 'maker_b'] },
    async run(trial) {
      const order = await createOrder(trial);
      await quote(trial, 'maker_b', order);
      await cancelling(trial, order);
      await judgeEnd(trial, order);
      const when = 'though its sender had cancelled it';
      const theirs = await mustReach(
        trial,
        'order.state.views-agree',
        order,
        unsettled,
        lagMs,
        when,
        'sender_custodian',
      );
      const mine = await readOrder(trial, order);
      for (const { data, exchange } of [mine, ...(theirs ? [theirs] : [])]) {
        const set = acceptanceFields.filter((name) => isSet(data, name));
        trial.judge('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
          message: `A cancelled order without an accepted quote showed ${set.join(', ')}.`,
          seen: [exchange],
        });
      }
      await trial.party('maker_b').call('quote.submit', {
        params: paramsOf(order),
        body: {
          fx_rate: '1',
          target_amount: order.sent['target_amount'],
          valid_until: order.data['expires_at'],
        },
      });
    },
  }),
];

export const cancelChecks: readonly Check[] = [...pending, ...quoted, ...tooLate, ...others];
