import { accept, quote } from '../src/suite/actions/quotes.ts';
import { awaitStatus } from '../src/suite/actions/await-state-or-event.ts';
import { cancel, createOrder, type PlacedOrder, readOrder } from '../src/suite/actions/orders.ts';
import { type Fields, fieldsOf, textOf } from '../src/protocol/answers.ts';
import { parseDecimal } from '../src/protocol/decimal.ts';
import type { Exchange, Frame } from '../src/history/records.ts';
import { intentIdOf, payloadOf } from '../src/protocol/event-payload.ts';
import { parseTimestamp } from '../src/spec/forms.ts';
import type { CastName, RequirementId } from '../src/spec/requirements/index.ts';
import type { Check, CheckContext } from '../src/suite/engine/check.ts';
import { findQuote, ownQuotesOf, quotesOf, readAs } from './shared/order-life.ts';
import { stateOf, openSecondStream } from './shared/order-states.ts';
import { needsOf, settlementTimeoutMs, untilViewsAgree, waits } from './shared/waits.ts';

/** One difference of a twin that must not affect the course of an order, by the document. */
interface Twin {
  readonly name: string;
  /** Clause of the title: "whether another maker quotes". */
  readonly whether: string;
  readonly parties?: readonly CastName[];
  readonly order?: Fields;
  readonly rate?: string;
  readonly accepter?: CastName;
  /** Called after its order was created. */
  readonly meanwhile?: (t: CheckContext, order: PlacedOrder) => Promise<unknown>;
  /** Pause between the lives without the change and those with it, if the change is age. */
  readonly ageMs?: number;
}

/** Needs rounding in either orientation: 93.093 or 107.634… */
const terms: Fields = {
  source_currency: 'USD',
  target_currency: 'EUR',
  target_amount: '100.10',
  source_amount_max: '300.00',
};
const usualRate = '0.93';

const termsOf = ({ target }: CheckContext): Fields => ({ ...terms, ...target.orderDefaults });

const minuteMs = 60_000;

const twins: readonly Twin[] = [
  {
    name: 'rival-quote',
    whether: 'whether another maker quotes as well',
    parties: ['maker_b'],
    meanwhile: (t, order) => quote(t, 'maker_b', order, { rate: '0.94' }),
  },
  {
    name: 'custodian',
    whether: 'whether the sender or its custodian accepts',
    accepter: 'sender_custodian',
  },
  { name: 'memo', whether: 'whether it has another memo', order: { memo: 'rent of november' } },
  { name: 'rate-digits', whether: 'whether its rate ends in zeros', rate: `${usualRate}00` },
  {
    name: 'stream',
    whether: 'whether its sender opens one more stream',
    meanwhile: (t, { intentId }) => openSecondStream(t, 'sender', { intentId }),
  },
  {
    name: 'read-often',
    whether: 'whether it is read often',
    async meanwhile(t, order) {
      for (let times = 0; times < 5; times += 1) await readOrder(t, order);
    },
  },
  {
    name: 'other-order',
    whether: 'whether an equal order of the same sender is under way',
    meanwhile: (t) => createOrder(t, termsOf(t)),
  },
  { name: 'age', whether: 'whether the service is some minutes older', ageMs: 4 * minuteMs },
];

/**
 * One value that a life showed, the exchange or frame that showed it, and the requirement that a difference would
 * break.
 */
interface Showing {
  readonly requirement: RequirementId;
  readonly value: string;
  readonly by: Exchange | Frame;
  readonly field: string;
}
/** All values that one life showed, by a readable name. */
type Seen = Map<string, Showing>;

const moneyFields = [
  'fx_rate',
  'source_amount',
  'target_amount',
  'source_amount_actual',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
] as const;

/** Amounts follow from terms: a difference fails. The rest is open: a difference is a warning. */
const sameAmounts = 'order.twins.same-amounts';

/** The number, without zeros at its end. */
const numberIn = (value: unknown): string | undefined =>
  parseDecimal(value) && String(value).replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');

function seeMoney(seen: Seen, where: string, fields: Fields | undefined, by: Exchange | Frame) {
  for (const name of moneyFields) {
    const value = numberIn(fields?.[name]);
    if (value !== undefined)
      seen.set(`${name} ${where}`, { requirement: sameAmounts, value, by, field: name });
  }
}

/** The money in the events of an order that a party's stream has carried. */
function seeEvents(t: CheckContext, seen: Seen, by: CastName, order: PlacedOrder): void {
  const id = order.intentId.toLowerCase();
  const frames = t
    .party(by)
    .events.frames.filter((frame) => intentIdOf(frame, payloadOf(frame))?.toLowerCase() === id);
  for (const frame of frames) {
    const payload = payloadOf(frame);
    const state = textOf(payload, 'status') ?? '';
    if (frame.event !== 'quote_received')
      seeMoney(seen, `in ${frame.event} ${state} to ${by}`, payload, frame);
  }
}

/** Values shown by one order from its creation to its settlement, and by one order that is cancelled. */
async function lifeOf(t: CheckContext, twin?: Twin): Promise<Seen> {
  const seen: Seen = new Map();
  const { rate = usualRate, accepter = 'sender' } = twin ?? {};
  const fields = { ...termsOf(t), ...twin?.order };
  const order = await createOrder(t, fields);
  const [created, expires] = ['created_at', 'expires_at'].map((name) =>
    parseTimestamp(textOf(fieldsOf(order.exchange), name)),
  );
  if (created !== undefined && expires !== undefined)
    seen.set('its lifetime in s', {
      requirement: 'order.expires-at.after-creation',
      value: String(Math.round((expires - created) / 1_000)),
      by: order.exchange,
      field: 'expires_at',
    });
  await twin?.meanwhile?.(t, order);
  const placed = await quote(t, 'maker_a', order, { rate });
  seeMoney(seen, 'of the quote as submitted', placed.data, placed.exchange);
  const acceptance = await accept(t, order, placed, accepter);
  seeMoney(seen, 'in the acceptance', acceptance.data, acceptance.exchange);
  const reached = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
  if (!reached) return t.notExercised('the order did not settle in time');
  seeMoney(seen, 'of the order as sender reads it', reached.data, reached.exchange);
  const { data: kept, exchange: read } = await readOrder(t, order, 'sender_custodian');
  seeMoney(seen, 'of the order as sender_custodian reads it', kept, read);
  const quotes = await quotesOf(t, order);
  const listed = findQuote(quotes.items, placed);
  seeMoney(seen, 'of the quote as the sender lists it', listed, quotes.exchange);
  const own = await ownQuotesOf(t, order, 'maker_a');
  seeMoney(seen, 'of the quote as its maker lists it', findQuote(own.items, placed), own.exchange);
  const settlement = await readAs(t, 'maker_a', 'settlement.read', order);
  seeMoney(seen, 'of the settlement', fieldsOf(settlement), settlement);
  for (const by of ['sender', 'maker_a'] as const) seeEvents(t, seen, by, order);

  const ended = await createOrder(t, fields);
  await twin?.meanwhile?.(t, ended);
  await quote(t, 'maker_a', ended, { rate });
  await cancel(t, ended);
  await untilViewsAgree(t);
  const { data, exchange } = await readOrder(t, ended);
  const value = stateOf(data);
  if (value !== undefined)
    seen.set('the state of a cancelled order', {
      requirement: 'order.state.cancel-ends-order',
      value,
      by: exchange,
      field: 'status',
    });
  return seen;
}

/** Names of values that are equal in all lives of one kind but differ between the two kinds. */
function differences(plain: readonly Seen[], others: readonly Seen[]): readonly string[] {
  const valueIn = (lives: readonly Seen[], name: string): string | undefined => {
    const values = new Set(lives.map((seen) => seen.get(name)?.value));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const [first] = plain;
  return [...(first?.keys() ?? [])].filter((name) => {
    const [one, other] = [valueIn(plain, name), valueIn(others, name)];
    return one !== undefined && other !== undefined && one !== other;
  });
}

const judged = [
  sameAmounts,
  'order.state.cancel-ends-order',
  'order.expires-at.after-creation',
] as const satisfies readonly RequirementId[];

/** Pauses between lives. None is a multiple of another, so that no rhythm of the target separates the two kinds. */
const pausesMs = [1_300, 2_900, 1_700, 3_100, 2_300, 3_700] as const;

async function compareTwins(t: CheckContext, twin: Twin): Promise<void> {
  const plain: Seen[] = [];
  const others: Seen[] = [];
  let pauses = 0;
  const live = async (into: Seen[], as: Twin | undefined): Promise<void> => {
    await t.target.timeline.sleep(pausesMs[pauses % pausesMs.length] ?? 0);
    pauses += 1;
    into.push(await lifeOf(t, as));
  };
  const kinds = [plain, others] as const;
  const inTurns = async (...turns: readonly (0 | 1)[]): Promise<void> => {
    for (const turn of turns) await live(kinds[turn], turn === 0 ? undefined : twin);
  };
  if (twin.ageMs === undefined) {
    await inTurns(0, 1);
    // Once may be chance.
    if (differences(...kinds).length > 0) await inTurns(1, 0, 0, 1);
  } else {
    await inTurns(0, 0);
    await t.target.timeline.sleep(twin.ageMs);
    await inTurns(1, 1);
    if (differences(...kinds).length > 0) await inTurns(1);
  }
  const [[onePlain], [oneOther]] = kinds;
  for (const requirement of judged) {
    const names = differences(...kinds).filter(
      (name) => onePlain?.get(name)?.requirement === requirement,
    );
    const shown = names.flatMap((name) => onePlain?.get(name) ?? []);
    const [one, other] = [shown[0], oneOther?.get(names[0] ?? '')];
    t[requirement === sameAmounts ? 'assert' : 'warnUnless'](requirement, names.length === 0, {
      message: `It mattered ${twin.whether}: ${names.slice(0, 3).join(', ')}.`,
      fields: [...new Set(shown.map(({ field }) => field))],
      expected: one?.value,
      actual: other?.value,
      seen: [one?.by, other?.by].flatMap((by) => by ?? []),
    });
  }
}

/** 2.2 and 3: an order twice, with one change that must not affect its course. */
export const twinChecks = twins.map<Check>((twin) => {
  const { name, whether, parties = [], ageMs = 0 } = twin;
  return {
    id: `order.twins.${name}`,
    title: `An order goes the same way and costs the same ${whether}.`,
    requirements: judged,
    needs: needsOf(
      Math.max(waits.settlement, ageMs + minuteMs),
      'sender',
      'sender_custodian',
      'maker_a',
      ...parties,
    ),
    run: (t) => compareTwins(t, twin),
  };
});
