import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  type Fields,
  findInList,
  retryWhileRefused,
  matchesOrder,
  isRefusal,
  openForQuotes,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  readOrder,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { waits } from '../../shared/waits.ts';
import { type UnusualValue, unusualValues } from './unusual-value-table.ts';

const maker: CastName = 'maker_b';

async function tried(t: CheckContext, changes: Fields): Promise<PlacedOrder | undefined> {
  const body = orderBody(t, changes);
  const exchange = await t.party('sender').call('order.create', { body });
  return isRefusal(exchange) ? undefined : placedOrder('sender', body, exchange);
}

/** All orders that were taken: one, or one for each kind of oddity. */
async function created(t: CheckContext, { kinds }: UnusualValue): Promise<readonly PlacedOrder[]> {
  // Fields that the target file fixes stay unchanged.
  const isFree = (fields: Fields): boolean =>
    !Object.keys(fields).some((name) => name in t.target.orderDefaults);
  const free = kinds(t.random)
    .map((variants) => variants.filter(isFree))
    .filter((variants) => variants.length > 0);
  if (free.length === 0) {
    const fixed = Object.keys(t.target.orderDefaults).join(', ');
    t.outOfScope(`the target's file fixes these fields under orders.defaults (${fixed})`);
  }
  const whole = await tried(t, Object.assign({}, ...free.map(([oddest]) => oddest)) as Fields);
  if (whole) return [whole];
  const orders: PlacedOrder[] = [];
  for (const variants of free) {
    for (const changes of free.length === 1 ? variants.slice(1) : variants) {
      const order = await tried(t, changes);
      if (!order) continue;
      orders.push(order);
      break;
    }
  }
  return orders;
}

/** All parties that may see an order read it: the rules judge the answers. */
async function lookAt(t: CheckContext, order: PlacedOrder): Promise<void> {
  const params = paramsOf(order);
  await t.party('sender').call('order.read', { params });
  await findInList(t, t.party('sender'), 'order.list', matchesOrder(order));
  for (const name of ['sender_custodian', 'receiver_custodian'] as const) {
    if (t.target.parties[name]) await t.party(name).call('order.read', { params });
  }
  await t.party(maker).call('rfq.list');
  await retryWhileRefused(t, () => t.party(maker).call('rfq.read', { params }));
}

/** Creates the orders, lets all parties read them, and leads the first one to its end. */
async function show(t: CheckContext, row: UnusualValue): Promise<void> {
  const orders = await created(t, row);
  const [first] = orders;
  if (!first) {
    // If the order was only to be shown, nothing is left to judge.
    if (row.rate === undefined) return;
    t.outOfScope('this target takes no such order');
  }
  for (const order of orders) {
    await openForQuotes(t, order);
    await lookAt(t, order);
    if (order !== first) await cancelOrder(t, order);
  }
  if (row.rate === undefined) {
    await cancelOrder(t, first);
    return;
  }
  // An amount in the source's currency has to be worked out first, and may be finer than any backend reckons.
  const meansTarget = t.target.answers.get('quote.target_amount') === 'target';
  const placed = await quote(t, maker, first, { rate: meansTarget ? row.rate : '1' });
  await quotesOf(t, first);
  const { data, exchange } = await readOrder(t, first);
  // The validation of this target may fail the order for its unusual value.
  if (stateOf(data) !== 'PENDING')
    t.notExercised(`the order is ${stateOf(data)}, and cannot be accepted`, [exchange]);
  await acceptAndSettle(t, { order: first, quote: placed, acceptedBy: 'sender' });
}

export const unusualValueChecks = unusualValues.map<Check>((row) => ({
  id: `order.create.unusual.${row.id}`,
  title: `An order with ${row.title} is refused, or shown to everybody as it was sent.`,
  requirements: row.rate === undefined ? [] : lifeRequirementsOf(),
  needs: {
    parties: ['sender', maker],
    ...(row.rate !== undefined && { waitMs: waits.settlement }),
  },
  run: (t) => show(t, row),
}));
