import type { CallOptions, Party, Target } from '../../client/contract.ts';
import { CircuitOpenError } from '../../client/circuit-breaker.ts';
import type { Exchange } from '../../history/records.ts';
import { answeredOnly, UnknownEffectError } from '../../suite/engine/answered-only.ts';
import type { Random } from '../../random/random.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { type Fields, isDenied, succeeded } from '../../protocol/answers.ts';
import {
  orderBody,
  type OrderRef,
  paramsOf,
  type PlacedOrder,
  placedOrder,
} from '../../suite/actions/orders.ts';
import { placedQuote, quoteBody, type QuoteOptions } from '../../suite/actions/quotes.ts';
import { targetNow, type ActionContext } from '../../suite/actions/context.ts';

/** Name of discovery as an actor in the history. */
export const discoveryActor = 'discovery';

/** Context of a probe. A party that is not declared ends the probe; its answers then stay unknown. */
export interface ProbeContext extends ActionContext {
  /** True if the target file declares the party. */
  readonly has: (name: CastName) => boolean;
  /** Orders that probes left open, to be cancelled in the end. */
  readonly leftOpen: OrderRef[];
}

/** Ends a probe from within. */
class ProbeEnded extends Error {}

/** Runs a probe to its end, even an early one. */
export async function runProbe(probe: Promise<void>): Promise<void> {
  await probe.catch((thrown: unknown) => {
    const ends = [ProbeEnded, CircuitOpenError, UnknownEffectError];
    if (!ends.some((end) => thrown instanceof end)) throw thrown;
  });
}

export function createProbeContext(
  target: Target,
  random: Random,
  leftOpen: OrderRef[],
): ProbeContext {
  const notExercised = (reason: string): never => {
    throw new ProbeEnded(reason);
  };
  const policy = answeredOnly(() => target.history.records);
  return {
    target,
    random,
    leftOpen,
    notExercised,
    has: (name) => target.parties[name] !== undefined,
    party: (name) =>
      target.parties[name]
        ? target.party(name, discoveryActor, policy)
        : notExercised(`${name} is not declared`),
  };
}

/** Calls as a party if it is declared. */
export const callAs = async (
  t: ProbeContext,
  name: CastName,
  endpoint: Parameters<Party['call']>[0],
  options?: CallOptions,
): Promise<Exchange | undefined> =>
  t.has(name) ? t.party(name).call(endpoint, options) : undefined;

/** Sends a creation as the sender; undefined if it does not succeed. */
export async function tryOrder(t: ProbeContext, body: Fields): Promise<PlacedOrder | undefined> {
  const exchange = await t.party('sender').call('order.create', { body });
  const order = placedOrder('sender', body, exchange);
  if (order) t.leftOpen.push(order);
  return order;
}

/** Creates an order as the sender; the probe ends if that does not succeed. */
export async function placeOrder(t: ProbeContext, changes: Fields = {}): Promise<PlacedOrder> {
  const body = orderBody(t, changes);
  // A receiver may have to be a known party (gap `order.party_check`). If so, it is another institution.
  const known = t.has('outsider') ? t.party('outsider').partyId : undefined;
  const order = await tryOrder(t, body);
  if (order) return order;
  if (known === undefined || body['receiver_party_id'] === known)
    return t.notExercised('no order could be created');
  const again = await tryOrder(t, { ...body, receiver_party_id: known });
  return again ?? t.notExercised('no order could be created');
}

/** A moment on the target's clock before the order's own deadline, but not immediate. */
function withinOrder(t: ProbeContext, { expiresAt }: PlacedOrder): number {
  const now = targetNow(t).latest;
  const lasts = expiresAt === undefined ? 20_000 : Math.max(1_000, (expiresAt - now) * 0.8);
  return now + Math.min(lasts, 600_000);
}

const shorterValiditiesMs = [25_000, 10_000, 7_600, 5_600, 1_900] as const;

/** Submits a quote as a maker; returns its id if it was taken. */
export async function submitQuote(
  t: ProbeContext,
  order: PlacedOrder,
  options: QuoteOptions = {},
): Promise<{ readonly exchange: Exchange; readonly id: string | undefined }> {
  const maker = t.party('maker_a');
  const submit = (validUntil: number): Promise<Exchange> =>
    maker.call('quote.submit', {
      params: paramsOf(order),
      body: quoteBody(t, order, { validUntil, ...options }),
    });
  const validUntil = withinOrder(t, order);
  const first = await submit(validUntil);
  let exchange = first;
  // The maximum validity is open (gap `quote.max_validity`). If the caller gave none, shorter ones are tried.
  const asked = validUntil - targetNow(t).latest;
  const shorter = shorterValiditiesMs.filter((ms) => ms < asked);
  for (const ms of options.validUntil === undefined ? shorter : []) {
    if (!isDenied(exchange)) break;
    exchange = await submit(targetNow(t).latest + ms);
  }
  // Refused even with the shortest validity: so the reason is another one, which the first exchange shows best.
  if (!succeeded(exchange)) return { exchange: first, id: undefined };
  return { exchange, id: placedQuote('maker_a', exchange)?.quoteId };
}
