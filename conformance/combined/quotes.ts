import type { DrivenLife } from '../../src/combinations/factors.ts';
import {
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  readOrder,
} from '../../src/suite/actions/index.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { findQuote, ownQuotesOf } from '../shared/listed-quotes.ts';
import { quoteBeyondExpiry } from '../shared/order-expiry.ts';
import { untilLapsed } from '../shared/waits.ts';
import { stateOf } from '../shared/order-fields.ts';
import type { Moments } from './plan.ts';

/** Maker of the quote that is to be accepted. */
export const winner = 'maker_a';

/** Makers of the rival quotes. */
export const rivalsIn = ({ rivals }: DrivenLife): readonly CastName[] =>
  (({ none: [], one: ['maker_b'], several: ['maker_b', 'maker_c'], own: [winner] }) as const)[
    rivals
  ];

const once = 'a maker has one quote at a time here (gap quote.twice)';
const briefMs = 2_500;

/** Places the rival quotes and waits until the first of them has lapsed. */
export async function placeLapsing(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
): Promise<readonly PlacedQuote[]> {
  const [first, ...others] = rivalsIn(life);
  if (first === undefined) return [];
  requireTwoOfOneMaker(t, life);
  const brief = await quote(t, first, order, { validForMs: briefMs });
  const placed = [brief];
  for (const maker of others) placed.push(await quote(t, maker, order));
  await untilLapsed(t, brief);
  return placed;
}

/** Places the rival quotes so that all are valid when the winner is accepted. */
export async function placeLasting(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
): Promise<readonly PlacedQuote[]> {
  requireTwoOfOneMaker(t, life);
  const near = life['expires-at'];
  const isLeft = near === 'none' && life.ending === 'expired';
  const beyond = isLeft || near === 'last' || near === 'after';
  const placed: PlacedQuote[] = [];
  for (const maker of rivalsIn(life)) {
    const longer = beyond ? await quoteBeyondExpiry(t, maker, order) : undefined;
    placed.push(longer ?? (await quote(t, maker, order)));
  }
  return placed;
}

function requireTwoOfOneMaker(t: CheckContext, { rivals }: DrivenLife): void {
  const known = t.target.answers.get('quote.twice');
  if (rivals === 'own' && known !== undefined && known !== 'allow') t.outOfScope(once);
}

/** The quote that is to be accepted, with the deadline that its life wants. */
export async function placeWinner(
  t: CheckContext,
  order: PlacedOrder,
  { validUntil }: Moments,
  rivals: readonly PlacedQuote[],
): Promise<PlacedQuote> {
  if (validUntil === undefined) return stillBeside(t, order, await quote(t, winner, order), rivals);
  const body = quoteBody(t, order, { validUntil });
  const exchange = await t.promptly(() =>
    t.party(winner).call('quote.submit', { params: paramsOf(order), body }),
  );
  const placed = placedQuote(winner, exchange);
  if (!placed || placed.validUntil !== validUntil) {
    await readOrder(t, order, order.by);
    const gaps = 'gaps quote.beyond_expiry, quote.max_validity';
    return t.notExercised(`no quote with that deadline was taken (${gaps})`, [exchange]);
  }
  return stillBeside(t, order, placed, rivals);
}

/** Ends the check if a second quote of a maker replaced the first. */
async function stillBeside(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  rivals: readonly PlacedQuote[],
): Promise<PlacedQuote> {
  const own = rivals.find(({ maker }) => maker === winner);
  if (!own || t.target.answers.get('quote.twice') === 'allow') return placed;
  const { items } = await ownQuotesOf(t, order, winner);
  const states = ['PENDING', 'EXPIRED'];
  const stands = states.includes(stateOf(findQuote(items, own) ?? {}) ?? '');
  if (placed.quoteId === own.quoteId || !stands) t.outOfScope(once);
  return placed;
}

/** Submits a quote on an order with an accepted quote. It may be refused (gap `quote.late`), and changes nothing. */
export async function quoteLate(t: CheckContext, order: PlacedOrder): Promise<void> {
  const body = quoteBody(t, order);
  await t.party('maker_c').call('quote.submit', { params: paramsOf(order), body });
}
