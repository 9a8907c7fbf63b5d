import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  type Fields,
  findInList,
  insist,
  isOrder,
  isRefusal,
  openForQuotes,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  readOrder,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../3-states/flow.ts';
import { quotesOf } from '../3-states/quotes-seen.ts';
import { cancelling, each, stateOf, waits } from '../3-states/words.ts';
import { type Unusual, unusual } from './unusual-values.ts';

const maker: CastName = 'maker_b';

async function tried(trial: Trial, changes: Fields): Promise<PlacedOrder | undefined> {
  const body = orderBody(trial, changes);
  const exchange = await trial.party('sender').call('order.create', { body });
  return isRefusal(exchange) ? undefined : placedOrder('sender', body, exchange);
}

/** All orders that were taken: one, or one for each kind of oddity. */
async function created(trial: Trial, { kinds }: Unusual): Promise<readonly PlacedOrder[]> {
  // What a target's file fixes stays as it is.
  const isFree = (fields: Fields): boolean =>
    !Object.keys(fields).some((name) => name in trial.target.orderDefaults);
  const free = kinds(trial.random)
    .map((variants) => variants.filter(isFree))
    .filter((variants) => variants.length > 0);
  if (free.length === 0) {
    const fixed = Object.keys(trial.target.orderDefaults).join(', ');
    trial.outOfScope(`the target's file fixes these fields under orders.defaults (${fixed})`);
  }
  const whole = await tried(trial, Object.assign({}, ...free.map(([oddest]) => oddest)) as Fields);
  if (whole) return [whole];
  const orders: PlacedOrder[] = [];
  for (const variants of free) {
    for (const changes of free.length === 1 ? variants.slice(1) : variants) {
      const order = await tried(trial, changes);
      if (!order) continue;
      orders.push(order);
      break;
    }
  }
  return orders;
}

/** Everybody who may see an order looks at it, for the rules to judge what is shown. */
async function lookAt(trial: Trial, order: PlacedOrder): Promise<void> {
  const params = paramsOf(order);
  await trial.party('sender').call('order.read', { params });
  await findInList(trial, trial.party('sender'), 'order.list', isOrder(order));
  for (const name of ['sender_custodian', 'receiver_custodian'] as const) {
    if (trial.target.parties[name]) await trial.party(name).call('order.read', { params });
  }
  await trial.party(maker).call('rfq.list');
  await insist(trial, () => trial.party(maker).call('rfq.read', { params }));
}

/** Creates what is taken of it, has everybody look, and leads the first order to an end. */
async function show(trial: Trial, row: Unusual): Promise<void> {
  const orders = await created(trial, row);
  const [first] = orders;
  if (!first) {
    // Where it was only to be shown, nothing is left to judge.
    if (row.rate === undefined) return;
    trial.outOfScope('this target takes no such order');
  }
  for (const order of orders) {
    await openForQuotes(trial, order);
    await lookAt(trial, order);
    if (order !== first) await cancelling(trial, order);
  }
  if (row.rate === undefined) {
    await cancelling(trial, first);
    return;
  }
  // An amount in the source's currency has to be worked out first, and may be finer than any backend reckons.
  const meansTarget = trial.target.answers.get('quote.target_amount') === 'target';
  const placed = await quote(trial, maker, first, { rate: meansTarget ? row.rate : '1' });
  await quotesOf(trial, first);
  const { data, exchange } = await readOrder(trial, first);
  // It may be a reason for this target to fail the order by its validation.
  if (stateOf(data) !== 'PENDING')
    trial.giveUp(`the order is ${stateOf(data)}, and cannot be accepted`, [exchange]);
  await acceptAndSettle(trial, { order: first, quote: placed, acceptedBy: 'sender' });
}

export const unusualChecks: readonly Check[] = each(unusual, (row) =>
  defineCheck({
    id: `order.create.unusual.${row.id}`,
    title: `An order with ${row.title} is refused, or shown to everybody as it was sent.`,
    requirements: row.rate === undefined ? [] : lifeRequirementsOf(),
    needs: {
      parties: ['sender', maker],
      ...(row.rate !== undefined && { waitMs: waits.settlement }),
    },
    run: (trial) => show(trial, row),
  }),
);
