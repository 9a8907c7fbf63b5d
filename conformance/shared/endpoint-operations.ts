import type { Credential } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  awaitStatus,
  retryWhileRefused,
  isRefusal,
  orderBody,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quoteBody,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  castNames,
  type GuardedEndpoint,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import { settlementTimeoutMs } from './waits.ts';

/** The order and the quote that a request is about. */
export interface Fixture {
  readonly order?: PlacedOrder;
  readonly quote?: PlacedQuote;
}

export interface RequestOverrides {
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Replaces the usual body. */
  readonly body?: unknown;
}

/** One request to an endpoint that requires a token, with a shared fixture. A stream is closed again. */
export async function sendRequest(
  t: CheckContext,
  by: CastName,
  endpoint: GuardedEndpoint,
  { order, quote }: Fixture,
  overrides: RequestOverrides = {},
): Promise<Exchange> {
  const party = t.party(by);
  if (endpoint === 'order.events' || endpoint === 'maker.events') {
    const { credential } = overrides;
    const stream = await party.listen({ endpoint, ...(credential && { credential }) });
    if (stream.isOpen) await stream.close();
    return stream.opened;
  }
  const body = overrides.body ?? usualBody(t, by, endpoint, order);
  const params = {
    ...(order && paramsOf(order)),
    ...(quote && { quote_id: quote.quoteId }),
  };
  return party.call(endpoint, { ...overrides, params, ...(body !== undefined && { body }) });
}

function usualBody(t: CheckContext, by: CastName, endpoint: GuardedEndpoint, order?: PlacedOrder) {
  if (endpoint === 'order.create') return orderBody(t, {}, by);
  return endpoint === 'quote.submit' && order ? quoteBody(t, order) : undefined;
}

/** Endpoints whose body is open: none, or an empty object (gaps `cancel.request`, `proposal.request`). */
const openBodies: readonly GuardedEndpoint[] = ['order.cancel', 'proposal.accept'];

/**
 * A request by a permitted party. For a stream it takes the party's open one, since a second may close it (gap
 * `stream.per_party`). A refused request is sent again, since a backend may lag behind another (gap `views.lag`).
 */
export async function sendUntilServed(
  t: CheckContext,
  by: CastName,
  endpoint: GuardedEndpoint,
  fixture: Fixture,
): Promise<Exchange> {
  if (endpoints[endpoint].result === 'stream') return t.party(by).events.opened;
  const once = await sendRequest(t, by, endpoint, fixture);
  if (!isRefusal(once)) return once;
  if (openBodies.includes(endpoint)) {
    const again = await sendRequest(t, by, endpoint, fixture, { body: {} });
    if (succeeded(again)) return again;
  }
  return retryWhileRefused(t, () => sendRequest(t, by, endpoint, fixture));
}

/** False if a deadline may have passed before the answer: then a refusal has a reason of its own. */
export const wasBeforeDeadlines = (
  t: CheckContext,
  { order, quote }: Fixture,
  exchange: Exchange,
): boolean => {
  const latest = exchange.received + t.target.clock.offset.most;
  return latest < Math.min(order?.expiresAt ?? Infinity, quote?.validUntil ?? Infinity);
};

export const changesState = (endpoint: GuardedEndpoint): boolean =>
  endpoints[endpoint].method === 'POST';

/** True if the endpoint might change an existing order. */
export const changesOrder = (endpoint: GuardedEndpoint): boolean =>
  changesState(endpoint) && endpoint !== 'order.create';

export const isFor = (endpoint: GuardedEndpoint, role: Role): boolean =>
  (endpoints[endpoint].roles as readonly Role[]).includes(role);

/** The declared parties of a role, in the order of the cast. */
export const partiesOfRole = (t: CheckContext, role: Role): readonly CastName[] =>
  castNames.filter((name) => cast[name] === role && t.target.parties[name]);

/** Party of each role for checks that need only one. */
export const partyOfRole = {
  institution: 'sender',
  custodian: 'sender_custodian',
  'market-maker': 'maker_a',
} as const satisfies Readonly<Record<Role, CastName>>;

/** Longer than any settlement. */
export const settlementWaitMs = 16_000;

export async function untilSettled(t: CheckContext, order: PlacedOrder): Promise<void> {
  const reached = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs, order.by);
  if (!reached) t.notExercised('the order did not settle');
}
