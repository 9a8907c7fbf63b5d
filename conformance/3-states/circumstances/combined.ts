import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  type Fields,
  openForQuotes,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  retryWhileRefused,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { type Created, createWith, otherContent } from '../../shared/order-content.ts';
import { expiryRequirements } from '../../shared/order-expiry.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { acceptQuote, lifeRequirementsOf } from '../../shared/order-life.ts';
import { cancelOrder, tryCancel } from '../../shared/order-calls.ts';
import {
  needsOf,
  expiryLagMs,
  settlementTimeoutMs,
  untilViewsAgree,
  viewLagMs,
  waits,
} from '../../shared/waits.ts';
import { type Circumstances, type Ending, type Life, lives } from './rows.ts';

/** By then most settlements of "about four seconds" are complete. */
const usualSettlementMs = 4_500;

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

const otherThan = ({ creator }: Circumstances): CastName =>
  creator === 'sender' ? 'outsider' : 'sender';

/** Identifiers of the parties in the circumstances, as far as they are known. */
function partiesIn(t: CheckContext, given: Circumstances): Fields {
  const custodian = given.custody === 'joint' && t.party('sender_custodian').partyId;
  const receiver = given.receiver === 'institution' && t.party(otherThan(given)).partyId;
  return {
    ...(custodian && { receiver_custodian_party_id: custodian }),
    ...(receiver && { receiver_party_id: receiver }),
  };
}

/** An order in the given circumstances; with usual content if the target refuses this content. */
async function orderIn(t: CheckContext, given: Circumstances): Promise<Created> {
  const created = await createWith(t, { ...given, money: given, fields: partiesIn(t, given) });
  const { order } = created;
  await openForQuotes(t, order);
  if (given.proposal === 'accepted') {
    const proposal = t.party('sender_custodian');
    await retryWhileRefused(t, () => proposal.call('proposal.accept', { params: paramsOf(order) }));
  }
  return created;
}

/** The quotes of as many makers, the one that is to be accepted in the middle. */
async function quotesIn(
  t: CheckContext,
  order: PlacedOrder,
  { makers: count, size }: Circumstances,
): Promise<PlacedQuote> {
  const rate = size === 'small' ? '1' : '1.25';
  const placed: PlacedQuote[] = [];
  for (const maker of makers.slice(0, count)) placed.push(await quote(t, maker, order, { rate }));
  return placed[count >> 1] as PlacedQuote;
}

const common = [
  'order.create.returns-order',
  'rfq.target-amount.as-order',
  'order.target-amount.echo',
] as const satisfies readonly RequirementId[];

const cancelled = [
  'order.state.cancel-ends-order',
  'order.cancel.never-settles',
] as const satisfies readonly RequirementId[];

const requirementsOf = ({ ending, with: given }: Life): readonly RequirementId[] => {
  const life = lifeRequirementsOf(given.accepter === 'creator' ? 'sender' : 'sender_custodian');
  switch (ending) {
    case 'settled':
      return [
        ...common,
        ...life,
        ...(given.receiver === 'institution'
          ? (['event.order-updated.not-to-receiver'] as const)
          : []),
      ];
    case 'expired':
      return [...common, ...expiryRequirements, 'quote.state.pending-to-expired'];
    case 'cancelled':
      return [...common, ...cancelled];
    case 'cancelled-once-quoted':
      return [...common, ...cancelled, ...life.filter((id) => id.endsWith('-accepts'))];
  }
};

type Run = (t: CheckContext, order: PlacedOrder, given: Circumstances) => Promise<void>;

const accepting = async (t: CheckContext, order: PlacedOrder, given: Circumstances) => {
  const selected = await quotesIn(t, order, given);
  const { accepter, creator } = given;
  const acceptedBy = accepter === 'creator' ? creator : accepter;
  await acceptQuote(t, { order, quote: selected, acceptedBy });
  return selected;
};

const runs: Readonly<Record<Ending, Run>> = {
  async settled(t, order, given) {
    const { maker } = await accepting(t, order, given);
    // Not looked for before it has happened: each look is a call.
    await t.target.timeline.sleep(usualSettlementMs);
    await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs, order.by);
    if (given.makers > 1) await quotesOf(t, order, 'sender_custodian');
    if (given.currencies !== 'to-yen') return;
    const winner = t.party(maker);
    await retryWhileRefused(t, () => winner.call('settlement.read', { params: paramsOf(order) }));
  },
  async cancelled(t, order, given) {
    await quotesIn(t, order, given);
    await cancelOrder(t, order, order.by);
    await untilViewsAgree(t);
    await readOrder(t, order, order.by);
  },
  async 'cancelled-once-quoted'(t, order, given) {
    await accepting(t, order, given);
    await tryCancel(t, order, order.by);
    await t.target.timeline.sleep(8_000);
    await readOrder(t, order, order.by);
  },
  async expired(t, order, given) {
    for (const maker of makers.slice(0, given.makers))
      await quote(t, maker, order, { validForMs: 5_000 });
    await t.target.timeline.sleep(10_000);
    await quotesOf(t, order, order.by);
    await untilExpired(t, order, expiryLagMs);
    await readOrder(t, order, order.by);
  },
};

const waitsFor: Readonly<Record<Ending, number>> = {
  settled: waits.settlement,
  cancelled: viewLagMs,
  'cancelled-once-quoted': waits.settlement,
  expired: waits.orderExpiry,
};

/** 2 to 4: circumstances that must not affect an order's course do not change it, in any combination of two. */
export const circumstanceChecks = lives.map<Check>((life) => {
  const { ending, with: given } = life;
  const { creator, size, currencies, makers: count } = given;
  const content = `${size} amounts, ${currencies} currencies, memo ${given.memo}`;
  const parties = `${count} quoting, custody ${given.custody}, receiver ${given.receiver}`;
  const course = `proposal ${given.proposal}, accepted by ${given.accepter}`;
  return {
    id: `order.circumstances.${ending}.${Object.values(given).join('.')}`,
    title: `An order of ${creator} (${content}; ${parties}; ${course}) comes to its end as any other: ${ending}.`,
    requirements: [...new Set(requirementsOf(life))],
    needs: needsOf(
      waitsFor[ending],
      creator,
      'sender_custodian',
      ...makers.slice(0, count),
      ...(given.receiver === 'institution' ? [otherThan(given)] : []),
    ),
    async run(t) {
      const { order, refused } = await orderIn(t, given);
      if (currencies === 'to-yen') {
        const reader = t.party(makers[0]);
        await retryWhileRefused(t, () => reader.call('rfq.read', { params: paramsOf(order) }));
      }
      await runs[ending](t, order, given);
      // The rules have judged that order's life; it was not the one of the title.
      if (refused) {
        t.notExercised(`${otherContent}: its circumstances were tried with the usual content`, [
          refused,
        ]);
      }
    },
  };
});
