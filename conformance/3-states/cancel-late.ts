import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  awaitStatus,
  createOrder,
  type Fields,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  refused,
  succeeded,
  targetNow,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { sameValue } from '../../src/rules/same.ts';
import { Order } from '../../src/spec/resources.ts';
import { endRequirements, judgeEnd } from './cancelled.ts';
import { judgeAcceptance, lifeRequirementsOf } from './flow.ts';
import { judgeSettlement } from './settle.ts';
import { judgeTerms } from './terms.ts';
import { judgeState, reasonOf } from './verdicts.ts';
import {
  acceptCall,
  type Accepter,
  cancelCall,
  each,
  isSet,
  settlementPatienceMs,
  stateOf,
  unsettled,
  waits,
} from './words.ts';

/** So near to its deadline a quote is accepted whose order is then cancelled, and before that: it has a timer still. */
const leadMs = 500;

/**
 * Accepts and cancels with nothing in between. How long an order is QUOTED is open, so a refusal counts only where
 * the order is QUOTED even after it; then another order is tried. First one whose quote lapses a moment later, which
 * an order that was cancelled in time must not mind.
 */
async function cancelQuoted(
  trial: Trial,
  by: Accepter,
): Promise<
  | { readonly order: PlacedOrder; readonly placed: PlacedQuote; readonly exchange: Exchange }
  | undefined
> {
  const { timeline, clock } = trial.target;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const order = await createOrder(trial);
    const maker = attempt === 1 ? 'maker_b' : 'maker_a';
    const placed = await quote(trial, maker, order, attempt === 0 ? { validForMs: 3_000 } : {});
    // A rival that was passed over is nothing to a cancel.
    await quote(trial, maker === 'maker_a' ? 'maker_b' : 'maker_a', order);
    const { validUntil } = placed;
    // A target may grant more time than was asked for.
    const brief = attempt === 0 && validUntil < targetNow(trial).latest + waits.quoteExpiry;
    if (brief) await timeline.until(validUntil - clock.offset.most - leadMs);
    const [accepted, exchange, after] = await trial.quietly(async () => [
      await acceptCall(trial, order, placed, by),
      await cancelCall(trial, order),
      await readOrder(trial, order),
    ]);
    // A cancel may take effect a little later (gap `cancel.response`), and the deadline come before it.
    const inTime = after.exchange.received + clock.offset.most < validUntil;
    if (brief && !(inTime && unsettled.some((state) => state === stateOf(after.data)))) continue;
    if (!succeeded(accepted)) trial.giveUp('the quote could not be accepted', [accepted]);
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
      ...endRequirements,
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.quoteExpiry + waits.settlement,
    },
    async run(trial) {
      const tried = await cancelQuoted(trial, by);
      if (!tried)
        return trial.giveUp('orders here are QUOTED too shortly for a cancel to meet them');
      const { order, placed, exchange } = tried;
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
      const no = await trial
        .party(placed.maker)
        .call('settlement.read', { params: paramsOf(order) });
      refused(trial, 'settlement.atomic', no, 'reading the settlement of a cancelled order');
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
        if (isRefusal(no)) judgeUnchanged(trial, there, after);
      },
    }),
);

interface Read {
  readonly data: Fields;
  readonly exchange: Exchange;
}

/** Judges that an order which has settled shows after a refused request what it showed before. */
function judgeUnchanged(trial: Trial, before: Read | undefined, after: Read): void {
  if (!before || stateOf(before.data) !== 'SETTLED' || !succeeded(after.exchange)) return;
  const [was, is] = [before.data, after.data];
  const changed = Object.keys(Order.properties).filter(
    (name) => isSet(was, name) && !(isSet(is, name) && sameValue(name, was[name], is[name])),
  );
  if (reasonOf(was) === undefined && reasonOf(is) !== undefined) changed.push('failure reason');
  trial.judge('error.refusal-changes-nothing', changed.length === 0, {
    message: `After a refused cancel an order showed another ${changed.join(', ')}.`,
    expected: was,
    actual: is,
    seen: [before.exchange, after.exchange],
  });
}

export const cancelLateChecks: readonly Check[] = [...quoted, ...tooLate];
