import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import type { Fields } from '../../src/protocol/answers.ts';
import {
  openForQuotes,
  paramsOf,
  type PlacedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { type PlacedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { rowsIn } from '../combined/rows.ts';
import {
  type Created,
  createWith,
  otherContent,
  expiryRequirements,
  ownQuotesOf,
  quotesOf,
  acceptQuote,
  lifeRequirementsOf,
  cancelOrder,
} from '../shared/order-life.ts';
import {
  needsOf,
  expiryLagMs,
  settlementTimeoutMs,
  untilViewsAgree,
  viewLagMs,
  waits,
  makers,
} from '../shared/waits.ts';

/** Circumstances that must not change the course of an order's life, each with its values. */
export const factors = {
  creator: ['sender', 'outsider'],
  accepter: ['creator', 'sender_custodian'],
  /** Number of market makers that quote. */
  makers: [1, 2, 3],
  memo: ['some', 'none'],
  proposal: ['left', 'accepted'],
  /** Yen have no minor unit. */
  currencies: ['usual', 'to-yen', 'from-yen'],
  size: ['usual', 'small', 'large'],
  /** `joint`: one custodian keeps for both sides. */
  custody: ['apart', 'joint'],
  /** `institution`: the receiver is one of the cast; without a memo, the sender itself, which changes its own money. */
  receiver: ['stranger', 'institution'],
} as const;

type Factor = keyof typeof factors;
type Circumstances = { readonly [F in Factor]: (typeof factors)[F][number] };
type Ending = 'settled' | 'cancelled' | 'cancelled-once-quoted' | 'expired';

interface Life {
  readonly ending: Ending;
  readonly with: Circumstances;
}

/**
 * For any two values of different factors there is an order that settles with both; a test holds that. The other ends
 * come each with most values of each factor.
 */
const table = `
  ending                 creator   accepter          makers  memo  proposal  currencies  size   custody  receiver
  settled                sender    sender_custodian  3       some  left      usual       small  joint    institution
  settled                outsider  creator           2       none  left      to-yen      usual  apart    stranger
  settled                outsider  sender_custodian  1       none  accepted  from-yen    large  joint    institution
  settled                sender    creator           3       some  accepted  from-yen    large  apart    stranger
  settled                sender    sender_custodian  2       some  accepted  to-yen      usual  joint    institution
  settled                outsider  creator           1       none  accepted  usual       small  apart    stranger
  settled                sender    creator           1       some  left      to-yen      large  apart    institution
  settled                outsider  creator           3       none  left      from-yen    usual  joint    stranger
  settled                sender    sender_custodian  2       none  left      from-yen    small  apart    stranger
  settled                outsider  sender_custodian  2       some  accepted  usual       large  apart    institution
  settled                outsider  sender_custodian  3       some  accepted  to-yen      small  apart    institution
  settled                outsider  creator           1       some  left      usual       usual  joint    institution
  cancelled-once-quoted  sender    sender_custodian  2       none  accepted  usual       small  joint    institution
  cancelled-once-quoted  outsider  creator           3       some  left      from-yen    large  apart    stranger
  cancelled              outsider  creator           3       none  left      to-yen      large  joint    institution
  expired                sender    creator           2       none  left      to-yen      large  apart    stranger
  expired                outsider  creator           1       some  accepted  from-yen    small  joint    institution
`;

export const lives = rowsIn(table).map(
  ({ ending, ...row }) =>
    ({ ending, with: { ...row, makers: Number(row['makers']) } }) as unknown as Life,
);

/** By then most settlements of "about four seconds" are complete. */
const usualSettlementMs = 4_500;

const isOwnReceiver = ({ receiver, memo }: Circumstances): boolean =>
  receiver === 'institution' && memo === 'none';

const receiverOf = (given: Circumstances): CastName =>
  isOwnReceiver(given) === (given.creator === 'sender') ? 'sender' : 'outsider';

/** Identifiers of the parties in the circumstances, as far as they are known. */
function partiesIn(t: CheckContext, given: Circumstances): Fields {
  const custodian = given.custody === 'joint' && t.party('sender_custodian').partyId;
  const receiver = given.receiver === 'institution' && t.party(receiverOf(given)).partyId;
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
        ...(given.receiver === 'institution' && !isOwnReceiver(given)
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
    await cancelOrder(t, order, order.by);
    await t.target.timeline.sleep(8_000);
    await readOrder(t, order, order.by);
    // Of two makers or three the first has lost.
    await ownQuotesOf(t, order, makers[0]);
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
      ...(given.receiver === 'institution' ? [receiverOf(given)] : []),
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
