import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  awaitStatus,
  createOrder,
  type Fields,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  assertRefused,
  succeeded,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { Order } from '../../../src/spec/resources.ts';
import { cancelRequirements, assertCancelledForGood } from './cancelled-order.ts';
import { assertAcceptance, lifeRequirementsOf } from '../../shared/order-life.ts';
import { assertSettlement } from '../../shared/settlement-assertions.ts';
import { assertAcceptedTerms } from '../../shared/accepted-terms.ts';
import { failureReasonIn } from '../../../src/protocol/failure-reason.ts';
import { assertState } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  tryCancel,
  each,
  isSet,
  settlementTimeoutMs,
  stateOf,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';

/** So near to its deadline a quote is accepted whose order is then cancelled, and before that: it has a timer still. */
const leadMs = 500;

/**
 * Accepts and cancels with nothing in between. How long an order is QUOTED is open, so a refusal counts only where
 * the order is QUOTED even after it; then another order is tried. First one whose quote lapses a moment later, which
 * an order that was cancelled in time must not mind.
 */
async function cancelQuoted(
  t: CheckContext,
  by: Accepter,
): Promise<
  | { readonly order: PlacedOrder; readonly placed: PlacedQuote; readonly exchange: Exchange }
  | undefined
> {
  const { timeline, clock } = t.target;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const order = await createOrder(t);
    const maker = attempt === 1 ? 'maker_b' : 'maker_a';
    const placed = await quote(t, maker, order, attempt === 0 ? { validForMs: 3_000 } : {});
    // A rival that was passed over is nothing to a cancel.
    await quote(t, maker === 'maker_a' ? 'maker_b' : 'maker_a', order);
    const { validUntil } = placed;
    // A target may grant more time than was asked for.
    const brief = attempt === 0 && validUntil < targetNow(t).latest + waits.quoteExpiry;
    if (brief) await timeline.until(validUntil - clock.offset.most - leadMs);
    const [accepted, exchange, after] = await t.exclusively(async () => [
      await tryAccept(t, order, placed, by),
      await tryCancel(t, order),
      await readOrder(t, order),
    ]);
    // A cancel may take effect a little later (gap `cancel.response`), and the deadline come before it.
    const inTime = after.exchange.received + clock.offset.most < validUntil;
    if (brief && !(inTime && unsettledStates.some((state) => state === stateOf(after.data))))
      continue;
    if (!succeeded(accepted)) t.notExercised('the quote could not be accepted', [accepted]);
    if (isRefusal(exchange) && stateOf(after.data) !== 'QUOTED') continue;
    return { order, placed, exchange };
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
      ...cancelRequirements,
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.quoteExpiry + waits.settlement,
    },
    async run(t) {
      const tried = await cancelQuoted(t, by);
      if (!tried)
        return t.notExercised('orders here are QUOTED too shortly for a cancel to meet them');
      const { order, placed, exchange } = tried;
      if (!assertAllowed(t, 'order.cancel.quoted', exchange, 'a cancel of a QUOTED order')) return;
      await assertCancelledForGood(t, order);
      await t.target.timeline.sleep(9_000);
      const late = await readOrder(t, order);
      assertState(t, 'order.cancel.never-settles', late, unsettledStates, '10 s after its cancel');
      t.assert('settlement.atomic', !isSet(late.data, 'settled_at'), {
        message: 'A cancelled order showed a settlement moment.',
        actual: late.data['settled_at'],
        seen: [late.exchange],
      });
      const no = await t.party(placed.maker).call('settlement.read', { params: paramsOf(order) });
      assertRefused(t, 'settlement.atomic', no, 'reading the settlement of a cancelled order');
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
      requirements: [
        requirement,
        'order.state.settled-absorbs',
        'error.refusal-changes-nothing',
        ...lifeRequirementsOf(by),
      ],
      needs: {
        parties: [...new Set(['sender', 'maker_a', by] as const)],
        waitMs: waits.settlement,
      },
      async run(t) {
        const order = await createOrder(t);
        const deal = { order, quote: await quote(t, 'maker_a', order), acceptedBy: by };
        const acceptance = await assertAcceptance(t, deal);
        if (!acceptance) return;
        const there = await awaitStatus(t, order, [state], settlementTimeoutMs);
        if (stateOf(there?.data ?? {}) !== state)
          t.notExercised(`the order could not be read as ${state}`);
        const no = await tryCancel(t, order);
        assertRefused(t, requirement, no, `a cancel of an order that is ${state}`);
        if (state === 'EXECUTING') {
          await assertSettlement(t, deal, acceptance);
          return;
        }
        const after = await readOrder(t, order);
        assertState(
          t,
          'order.state.settled-absorbs',
          after,
          ['SETTLED'],
          'after a cancel that came too late',
        );
        assertAcceptedTerms(t, deal, after);
        if (isRefusal(no)) assertUnchanged(t, there, after);
      },
    }),
);

interface Read {
  readonly data: Fields;
  readonly exchange: Exchange;
}

/** Judges that an order which has settled shows after a refused request what it showed before. */
function assertUnchanged(t: CheckContext, before: Read | undefined, after: Read): void {
  if (!before || stateOf(before.data) !== 'SETTLED' || !succeeded(after.exchange)) return;
  const [was, is] = [before.data, after.data];
  const changed = Object.keys(Order.properties).filter(
    (name) => isSet(was, name) && !(isSet(is, name) && equalValues(name, was[name], is[name])),
  );
  if (failureReasonIn(was) === undefined && failureReasonIn(is) !== undefined)
    changed.push('failure reason');
  t.assert('error.refusal-changes-nothing', changed.length === 0, {
    message: `After a refused cancel an order showed another ${changed.join(', ')}.`,
    expected: was,
    actual: is,
    seen: [before.exchange, after.exchange],
  });
}

export const cancelRefusedChecks: readonly Check[] = [...quoted, ...tooLate];
