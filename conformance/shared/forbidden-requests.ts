import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  describeExchange,
  isRefusal,
  type PlacedOrder,
  concurrently,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../src/spec/requirements/index.ts';
import {
  changesState,
  type Fixture,
  type RequestOverrides,
  sendRequest,
  sendUntilServed,
  wasBeforeDeadlines,
} from './endpoint-operations.ts';

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
  if (acting && order) await look(t, order);
  const send = ({ by, endpoint, overrides, fixture: other }: ForbiddenRequest) =>
    sendRequest(t, by, endpoint, other ?? fixture, overrides);
  const answers: Exchange[] = [];
  // Not concurrently: a request that is served changes the state that the next one meets.
  if (acting) for (const one of forbidden) answers.push(await send(one));
  else
    answers.push(
      ...(await concurrently(
        t,
        forbidden.map((one) => () => send(one)),
      )),
    );
  if (acting && order) await look(t, order);
  // If a forbidden request was served, the operation may not be possible a second time.
  if (acting && !answers.some(succeeded)) {
    for (const one of permitted) await assertServed(t, fixture, one);
  }
  return answers;
}

/** Reads an order, its quotes and its request as permitted parties. */
async function look(t: CheckContext, order: PlacedOrder): Promise<void> {
  await concurrently(t, [
    () => sendRequest(t, order.by, 'order.read', { order }),
    () => sendRequest(t, order.by, 'order.quotes', { order }),
    ...(t.target.parties.maker_a ? [() => sendRequest(t, 'maker_a', 'rfq.read', { order })] : []),
  ]);
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
