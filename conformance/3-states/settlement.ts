import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  openForQuotes,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import { isRefusal, matchesOrder } from '../../src/protocol/answers.ts';
import { quote, quotedOrder } from '../../src/suite/actions/quotes.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  acceptAndSettle,
  acceptQuote,
  followToSettlement,
  type LifeOptions,
  lifeRequirementsOf,
  wholeLife,
  cancelOrder,
} from '../shared/order-life.ts';
import { needsOf, untilViewsAgree, viewLagMs, waits } from '../shared/waits.ts';

interface Situation extends LifeOptions {
  readonly id: string;
  /** Words of the title "An order ... is PENDING, QUOTED, EXECUTING and SETTLED". */
  readonly what: string;
  /** Millisecond within a second at which all actions are done, if the clock stands still meanwhile. */
  readonly atMs?: number;
}

const situations: readonly Situation[] = [
  { id: 'plain', what: 'accepted by the institution' },
  {
    id: 'by-custodian',
    what: "accepted by the sender's custodian",
    acceptedBy: 'sender_custodian',
  },
  { id: 'maker-b', what: 'quoted by the second market maker', maker: 'maker_b' },
  { id: 'maker-c', what: 'quoted by the third market maker', maker: 'maker_c' },
  {
    id: 'maker-c-by-custodian',
    what: "quoted by the third market maker and accepted by the sender's custodian",
    maker: 'maker_c',
    acceptedBy: 'sender_custodian',
  },
  { id: 'of-outsider', what: 'created by another institution', by: 'outsider', maker: 'maker_b' },
  {
    id: 'short-quote',
    what: 'accepted with a quote that is valid for a little longer than settlement takes',
    validForMs: 9_000,
  },
  {
    id: 'odd-memo',
    what: 'with a memo of many scripts, marks that are more than text elsewhere, and blanks around it',
    order: { memo: `  Zahlung #7 "żółw" — 支払い\n\t\\ 🧾 O'Neil & co: 3 < 5% + 1 ` },
  },
  {
    id: 'coded-memo',
    what: 'with a memo of codes, composed letters and blanks that look like others',
    order: { memo: 'a%20b 100%25 <b>due</b> &amp; {{x}} e\u0301 \u00e9 ﬁ\u00a0\u200b|\r\nnull' },
  },
  { id: 'null-memo', what: 'with the word null as its memo', order: { memo: 'null' } },
  {
    id: 'long-memo',
    what: 'with a memo of three hundred characters, where so many are taken',
    order: { memo: 'Invoice 2030-0117, partial delivery; '.repeat(9).slice(0, 300) },
  },
  { id: 'on-a-second', what: 'traded at a whole second', atMs: 0 },
  { id: 'on-a-tenth', what: 'traded at a whole tenth of a second', atMs: 300 },
  { id: 'early-in-a-second', what: 'traded in the first milliseconds of a second', atMs: 7 },
];

/** Waits until the target's clock shows this millisecond of a second. */
async function untilMoment(t: CheckContext, ms: number): Promise<void> {
  const { timeline, clock } = t.target;
  const { latest } = targetNow(t);
  const second = Math.ceil((latest + 1 - ms) / 1_000) * 1_000;
  await timeline.until(second + ms - clock.offset.most);
}

const partiesOf = ({ by = 'sender', acceptedBy = by, maker = 'maker_a' }: LifeOptions) => [
  ...new Set<CastName>([by, acceptedBy, maker]),
];

const lives = situations.map<Check>(({ id, what, atMs, ...options }) => ({
  id: `order.life.${id}`,
  title: `An order ${what} is PENDING, QUOTED, EXECUTING and SETTLED, with its fields set on the way.`,
  requirements: lifeRequirementsOf(options.acceptedBy),
  needs: {
    parties: partiesOf(options),
    waitMs: waits.settlement + (atMs === undefined ? 0 : 1_000),
  },
  async run(t) {
    if (atMs !== undefined) await untilMoment(t, atMs);
    await wholeLife(t, options);
  },
}));

const oneCustodian: Check = {
  id: 'order.life.one-custodian',
  title: 'A custodian of both sides accepts as the custodian of the sender, and the order settles.',
  requirements: lifeRequirementsOf('sender_custodian'),
  needs: needsOf(waits.settlement, 'sender', 'sender_custodian', 'maker_a'),
  async run(t) {
    const { partyId } = t.party('sender_custodian');
    await wholeLife(t, {
      acceptedBy: 'sender_custodian',
      order: { receiver_custodian_party_id: partyId },
    });
  },
};

/** 2.2: a memo is free text without any effect. It may be optional or required (gap `order.required_fields`). */
const withoutMemo: Check = {
  id: 'order.life.no-memo',
  title:
    'Without a memo one order is listed, quoted by two makers, accepted and settled, and another is cancelled.',
  requirements: [
    ...lifeRequirementsOf('sender_custodian'),
    'order.create.listed-afterwards',
    'rfq.list.holds-new-request',
    'order.cancel.pending',
  ],
  needs: needsOf(
    viewLagMs + waits.settlement,
    'sender',
    'sender_custodian',
    'maker_a',
    'maker_b',
    'maker_c',
  ),
  async run(t) {
    const { memo: _, ...body } = orderBody(t);
    const [sender, maker] = [t.party('sender'), t.party('maker_c')];
    const exchange = await sender.call('order.create', { body });
    if (isRefusal(exchange)) return t.outOfScope('a memo is asked for here');
    const order = placedOrder('sender', body, exchange);
    if (!order) return t.notExercised('the order was not created', [exchange]);
    await openForQuotes(t, order);
    await untilViewsAgree(t);
    await findInList(t, sender, 'order.list', matchesOrder(order));
    await findInList(t, maker, 'rfq.list', matchesOrder(order));
    await maker.call('rfq.read', { params: paramsOf(order) });
    await quote(t, 'maker_a', order);
    const placed = await quote(t, 'maker_b', order);
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender_custodian' });
    await cancelOrder(t, await createOrder(t, { memo: undefined }));
  },
};

/** Orders whose lives begin right after other activity. */
const afterOthers: readonly Check[] = [
  {
    id: 'order.life.after-cancel',
    title: 'The order after a cancelled one is quoted, accepted and settled like any other.',
    requirements: lifeRequirementsOf(),
    needs: needsOf(waits.settlement, 'sender', 'maker_a'),
    async run(t) {
      await cancelOrder(t, (await quotedOrder(t)).order);
      await wholeLife(t);
    },
  },
  {
    id: 'order.life.after-cancel-by-custodian',
    title:
      "After two cancels the sender's custodian can still accept a quote, and the order settles.",
    requirements: lifeRequirementsOf('sender_custodian'),
    needs: needsOf(waits.settlement, 'sender', 'sender_custodian', 'maker_b'),
    async run(t) {
      for (let n = 0; n < 2; n += 1) await cancelOrder(t, await createOrder(t));
      await wholeLife(t, { acceptedBy: 'sender_custodian', maker: 'maker_b' });
    },
  },
  {
    id: 'order.life.third-in-a-row',
    title: 'Each of three orders, one after the other with the same maker, settles.',
    requirements: lifeRequirementsOf(),
    needs: needsOf(3 * waits.settlement, 'sender', 'maker_a'),
    async run(t) {
      for (let n = 0; n < 3; n += 1) await wholeLife(t);
    },
  },
  {
    id: 'order.life.several-open',
    title: 'Of three open orders the second, the first and the third are accepted, and all settle.',
    requirements: lifeRequirementsOf(),
    needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b'),
    async run(t) {
      const first = await quotedOrder(t, { maker: 'maker_a' });
      const second = await quotedOrder(t, { maker: 'maker_b' });
      const third = await quotedOrder(t, { maker: 'maker_a' });
      await t.target.timeline.together(
        [second, first, third].map((quoted, index) => [
          `order ${index + 1}`,
          () => acceptAndSettle(t, { ...quoted, acceptedBy: 'sender' }),
        ]),
      );
    },
  },
  {
    id: 'order.life.late-acceptance',
    title: 'An order that has been open for a while is accepted and settles.',
    requirements: lifeRequirementsOf(),
    needs: needsOf(6_000 + waits.settlement, 'sender', 'maker_a'),
    async run(t) {
      const order = await createOrder(t);
      await t.target.timeline.sleep(3_000);
      const placed = await quote(t, 'maker_a', order);
      await t.target.timeline.sleep(3_000);
      await readOrder(t, order);
      await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender' });
    },
  },
];

const onWholeSeconds: Check = {
  id: 'order.life.on-whole-seconds',
  title:
    'An order that is created, quoted and accepted on whole seconds settles, and shows each moment with milliseconds.',
  requirements: lifeRequirementsOf(),
  needs: needsOf(3_000 + waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    if (t.target.timeline.kind === 'system') {
      return t.outOfScope('a clock that runs by itself cannot be made to stand on a second');
    }
    await untilMoment(t, 0);
    const order = await createOrder(t);
    await untilMoment(t, 0);
    const placed = await quote(t, 'maker_a', order);
    await untilMoment(t, 0);
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender' });
  },
};

/** Reads everything that an order leads to, even before it exists. */
async function askForAll(t: CheckContext, order: PlacedOrder): Promise<void> {
  const params = paramsOf(order);
  const asked = [
    ['sender_custodian', 'order.read'],
    ['sender', 'order.quotes'],
    ['maker_a', 'rfq.read'],
    ['maker_a', 'rfq.quotes'],
    ['maker_a', 'settlement.read'],
  ] as const;
  for (const [by, endpoint] of asked) await t.party(by).call(endpoint, { params });
  await findInList(t, t.party('maker_a'), 'settlement.list', matchesOrder(order));
  await findInList(t, t.party('sender'), 'order.list', matchesOrder(order));
}

const askedForEarly: Check = {
  id: 'order.life.asked-for-early',
  title:
    'Quotes, request and settlement of an order are asked for before they are there, and after.',
  requirements: [
    ...lifeRequirementsOf(),
    'order.quotes.complete',
    'rfq.quotes.complete',
    'settlement.list.holds-won',
  ],
  needs: needsOf(viewLagMs + waits.settlement, 'sender', 'sender_custodian', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    await askForAll(t, order);
    const placed = await quote(t, 'maker_a', order);
    await askForAll(t, order);
    await acceptQuote(t, { order, quote: placed, acceptedBy: 'sender' });
    await askForAll(t, order);
    await followToSettlement(t, { order, quote: placed, acceptedBy: 'sender' });
    await untilViewsAgree(t);
    await askForAll(t, order);
  },
};

export const orderLifeChecks: readonly Check[] = [
  ...lives,
  withoutMemo,
  oneCustodian,
  onWholeSeconds,
  askedForEarly,
  ...afterOthers,
];
