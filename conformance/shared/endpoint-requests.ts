import type { Credential, CallOptions } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { retryWhileRefused, concurrentlyEach } from '../../src/suite/actions/context.ts';
import { isRefusal, succeeded, describeExchange } from '../../src/protocol/answers.ts';
import {
  orderBody,
  paramsOf,
  type PlacedOrder,
  createOrder,
} from '../../src/suite/actions/orders.ts';
import { type PlacedQuote, quoteBody, accept, quote } from '../../src/suite/actions/quotes.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { paginationOf } from '../../src/protocol/pagination.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints, type EndpointName } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  castNames,
  type GuardedEndpoint,
  type RequirementId,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import { settlementTimeoutMs, waits } from './waits.ts';
import { isOffsetParam } from '../../src/spec/paging.ts';

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
  const params = { ...(order && paramsOf(order)), ...(quote && { quote_id: quote.quoteId }) };
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
const wasBeforeDeadlines = (
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

export async function untilSettled(t: CheckContext, order: PlacedOrder): Promise<void> {
  const reached = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs, order.by);
  if (!reached) t.notExercised('the order did not settle');
}

/** Stage of an order when the wrong role tries something on it. */
export type Stage = 'nothing' | 'pending' | 'quoted' | 'settled';

/** Stages at which the document requires that the right role is served. */
const stages: { readonly [E in EndpointName]?: readonly Stage[] } = {
  'order.read': ['pending', 'quoted', 'settled'],
  'order.cancel': ['pending', 'quoted'],
  'order.quotes': ['pending', 'quoted', 'settled'],
  'proposal.accept': ['pending'],
  'quote.accept': ['quoted'],
  'rfq.read': ['pending'],
  'quote.submit': ['pending'],
  'rfq.quotes': ['quoted'],
  'quote.list': ['nothing', 'quoted'],
  'settlement.list': ['nothing', 'settled'],
  'settlement.read': ['settled'],
};
export const stagesOf = (endpoint: GuardedEndpoint): readonly Stage[] =>
  stages[endpoint] ?? ['nothing'];

/** The first stage at which an endpoint serves its roles for certain. */
export const firstStageOf = (endpoint: GuardedEndpoint): Stage =>
  stagesOf(endpoint)[0] ?? 'nothing';

/** Parties that are needed to bring an order to a stage. */
export const partiesAt = (stage: Stage): readonly CastName[] => {
  if (stage === 'nothing') return [];
  return stage === 'pending' ? ['sender'] : ['sender', 'maker_a'];
};

/** An order at a stage, with a maker's quote if the stage has one. */
export async function fixtureAt(t: CheckContext, stage: Stage, endpoint: GuardedEndpoint) {
  if (stage === 'nothing') return {};
  const order = await createOrder(
    t,
    {},
    endpoint === 'proposal.accept' ? { proposal: 'leave' } : {},
  );
  if (stage === 'pending') return { order };
  const placed = await quote(t, 'maker_a', order);
  if (stage === 'quoted') {
    if (t.target.parties.maker_b) await quote(t, 'maker_b', order);
    return { order, quote: placed };
  }
  await accept(t, order, placed);
  await untilSettled(t, order);
  return { order };
}

/** Needs of a check whose parties send a request at a stage. */
export const needsAt = (stage: Stage, ...by: readonly CastName[]) => ({
  parties: [...new Set([...by, ...partiesAt(stage)])],
  ...(stage === 'settled' && { waitMs: waits.settlement }),
});

export interface ForbiddenRequest {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  readonly fixture?: Fixture;
  readonly overrides?: RequestOverrides;
}

export interface PermittedRequest {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  /** Requirement that a refusal breaks. */
  readonly requirement?: RequirementId;
}

/** Requirement that the permitted requests of every such check exercise. */
export const servedRequirement = 'auth.fresh-token-accepted' satisfies RequirementId;

/**
 * Sends requests that must be refused and, with the same fixture, some that must be served. If they may change an
 * order, the forbidden ones go first, between two reads of the order: the rules compare these reads.
 */
export async function sendForbidden(
  t: CheckContext,
  fixture: Fixture,
  forbidden: readonly ForbiddenRequest[],
  permitted: readonly PermittedRequest[],
): Promise<readonly Exchange[]> {
  const { order } = fixture;
  const acting = forbidden.some(({ endpoint }) => changesState(endpoint));
  if (!acting) for (const one of permitted) await assertServed(t, fixture, one);
  if (acting && order) await look(t, order, ['order.read', 'order.quotes']);
  const send = ({ by, endpoint, overrides, fixture: other }: ForbiddenRequest) =>
    sendRequest(t, by, endpoint, other ?? fixture, overrides);
  const answers: Exchange[] = [];
  // Not concurrently: a request that is served changes the state that the next one meets.
  if (acting) for (const one of forbidden) answers.push(await send(one));
  else answers.push(...(await concurrentlyEach(t, forbidden, send)));
  if (acting && order) await look(t, order, ['order.read', 'order.quotes', 'rfq.read']);
  // If a forbidden request was served, the operation may not be possible a second time.
  if (acting && !answers.some(succeeded)) {
    for (const one of permitted) await assertServed(t, fixture, one);
  }
  return answers;
}

/** Reads an order, its quotes or its request as permitted parties. */
async function look(t: CheckContext, order: PlacedOrder, endpoints: readonly GuardedEndpoint[]) {
  await concurrentlyEach(t, endpoints, async (endpoint) => {
    const by = endpoint === 'rfq.read' ? 'maker_a' : order.by;
    if (t.target.parties[by]) await sendRequest(t, by, endpoint, { order });
  });
}

/** Statuses by which a target may say that it wants a body. Which one it wants is open (gap `proposal.request`). */
const bodyStatuses: readonly (number | undefined)[] = [400, 415, 422];

/**
 * True for reads, except streams: the rules know when a read must be granted. For all other requests only the check
 * knows that there is no reason for a refusal.
 */
const isLeftToRules = (endpoint: GuardedEndpoint): boolean =>
  !changesState(endpoint) && endpoints[endpoint].result !== 'stream';

/** Makes a request that must be served. Only a 401 counts against the token; other refusals may have other reasons. */
async function assertServed(
  t: CheckContext,
  fixture: Fixture,
  { by, endpoint, requirement }: PermittedRequest,
): Promise<void> {
  const exchange = await sendUntilServed(t, by, endpoint, fixture);
  const status = exchange.response?.status;
  // Asserted on success as well, so that a check that forgets to announce the requirement breaks on every target.
  if (status === 401 || succeeded(exchange)) {
    t.assert(servedRequirement, succeeded(exchange), {
      message: `${describeExchange(exchange)} to the own token of ${by}.`,
      deviation: 'refused',
      must: { answered: '2xx' },
      actual: status,
      seen: [exchange],
    });
  }
  if (requirement === undefined || isLeftToRules(endpoint)) return;
  const isLate = changesState(endpoint) && !wasBeforeDeadlines(t, fixture, exchange);
  if (!succeeded(exchange) && isLate) {
    t.notExercised('the deadline passed before the request that must succeed', [exchange]);
  }
  const isAboutBody = endpoint === 'proposal.accept' && bodyStatuses.includes(status);
  if (isRefusal(exchange) && isAboutBody)
    t.inconclusive(requirement, `${describeExchange(exchange)}, maybe for want of a body`);
  else assertAllowed(t, requirement, exchange, `${by}, which may do this`);
}

type Query = NonNullable<CallOptions['query']>;

/** Lists that do not belong to one order. */
export const topLevelLists: readonly GuardedEndpoint[] = guardedEndpoints.filter(
  (endpoint) => endpoints[endpoint].result === 'list' && !endpoints[endpoint].path.includes('{'),
);

export const topLevelListsOf = (role: Role): readonly GuardedEndpoint[] =>
  topLevelLists.filter((endpoint) => (endpoints[endpoint].roles as readonly Role[]).includes(role));

const filters: { readonly [E in GuardedEndpoint]?: readonly string[] } = {
  'order.list': ['PENDING', 'SETTLED'],
  'quote.list': ['PENDING', 'ACCEPTED'],
};

/** Queries that narrow a list: its filters, and its second page if the page parameter is known and the page exists. */
export async function narrowedQueries(t: CheckContext, by: CastName, endpoint: GuardedEndpoint) {
  const { answers } = t.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  const filtered = (filters[endpoint] ?? []).map((status): Query => ({ status }));
  if (page === undefined) return filtered;
  const sized: Query = size === undefined ? {} : { [size]: '1' };
  const first = paginationOf(await t.party(by).call(endpoint, { query: sized }));
  if (!first || first.total_pages < 2) return filtered;
  const second = isOffsetParam(page) ? first.page_size : first.page + 1;
  return [...filtered, { ...sized, [page]: String(second) }];
}
