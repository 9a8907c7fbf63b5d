import type { Exchange } from '../../history/records.ts';
import { succeeded } from '../../protocol/answers.ts';
import { sameJson } from '../../protocol/json.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { type CastName, cast } from '../../spec/requirements/requirement.ts';
import { orderTransitions, quoteTransitions } from '../../spec/states.ts';
import { endpointFor } from '../language/actions.ts';
import type { ActStep } from '../language/steps/act.ts';
import { evaluate, fieldOf } from './evaluate.ts';
import { fail, type Mismatch } from './halt.ts';
import type { StepContext } from './session.ts';
import { shown } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** State that a refusal must not change: an order and its quotes, as their owner sees them. */
interface OrderView {
  readonly order: Fields;
  readonly quotes: readonly Fields[];
}

/**
 * Reads the state before a request that must be refused. The returned function reads it again and compares. Undefined
 * if there is nothing to compare: the request names no order, the order is not ours, or others act at the same time.
 */
export async function expectUnchanged(
  step: ActStep,
  ctx: StepContext,
): Promise<((exchange: Exchange) => Promise<void>) | undefined> {
  const endpoint = endpointFor(step.action.value, cast[step.party]);
  if (ctx.concurrent || (endpoint && endpoints[endpoint].method === 'GET')) return undefined;
  const subject = subjectOf(step, ctx);
  const owner = subject === undefined ? undefined : ctx.session.orders.get(subject);
  if (subject === undefined || !owner) return undefined;
  // A fault of the next request is meant for that of the step.
  if (ctx.session.target.networks?.get(owner)?.strikesNext) return undefined;
  const before = await look(owner, subject, ctx);
  return async (exchange) => {
    const after = await look(owner, subject, ctx);
    if (!before || !after) return;
    const changes = changesBetween(before, after, step, isVirtual(ctx));
    if (changes.length === 0) return;
    fail(step.refused?.at ?? step.at, 'it was refused, and yet something changed', {
      mismatches: changes,
      seen: [exchange],
    });
  };
}

const isVirtual = ({ session }: StepContext): boolean => session.target.clock.kind !== 'system';

function subjectOf(step: ActStep, ctx: StepContext): string | undefined {
  const named = step.of ?? step.for ?? step.quote;
  if (!named) return undefined;
  const value = evaluate(named, ctx);
  if (value.kind === 'text') return value.text;
  const id = fieldOf(value, 'intent_id');
  return id.kind === 'text' ? id.text : undefined;
}

async function look(
  owner: CastName,
  id: string,
  { session }: StepContext,
): Promise<OrderView | undefined> {
  const party = session.party(owner);
  const params = { intent_id: id };
  const order = await party.call('order.read', { params });
  const quotes = await party.call('order.quotes', { params });
  if (!succeeded(order) || !succeeded(quotes)) return undefined;
  const data = (exchange: Exchange): unknown =>
    (exchange.response?.body as Fields | undefined)?.['data'];
  const [item, list] = [data(order), data(quotes)];
  if (typeof item !== 'object' || item === null || !Array.isArray(list)) return undefined;
  return { order: item as Fields, quotes: list as Fields[] };
}

const automatic = new Set([
  'settlement-start',
  'legs-complete',
  'order-expiry',
  'quote-expiry',
  'settlement-failure',
]);

/** True if time alone leads from one state to the other. */
function byItself(from: unknown, to: unknown): boolean {
  const reached = new Set([from]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const one of [...orderTransitions, ...quoteTransitions]) {
      if (automatic.has(one.trigger) && reached.has(one.from)) reached.add(one.to);
    }
  }
  return reached.has(to);
}

function changesBetween(
  before: OrderView,
  after: OrderView,
  step: ActStep,
  exact: boolean,
): Mismatch[] {
  const at = step.refused?.at ?? step.at;
  const status = [before.order['status'], after.order['status']];
  const moved = !exact && status[0] !== status[1] && byItself(status[0], status[1]);
  const found = moved ? [] : differences(before.order, after.order, 'the order', at);
  for (const quote of before.quotes) {
    const id = quote['quote_id'];
    const now = after.quotes.find((one) => one['quote_id'] === id) ?? {};
    const waned = !exact && byItself(quote['status'], now['status']);
    const left = { ...quote, status: waned ? now['status'] : quote['status'] };
    found.push(...differences(left, now, 'a quote', at));
  }
  if (after.quotes.length !== before.quotes.length) {
    const counts = { expected: `${before.quotes.length}`, actual: `${after.quotes.length}` };
    found.push({ at, path: 'number of quotes', ...counts });
  }
  return found;
}

function differences(before: Fields, after: Fields, what: string, at: ActStep['at']): Mismatch[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys
    .filter((key) => !sameJson(before[key], after[key]))
    .map((key) => ({
      at,
      path: `${key} of ${what}`,
      expected: shown(before[key]),
      actual: shown(after[key]),
    }));
}
