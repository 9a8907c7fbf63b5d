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
  /** What a refusal breaks. */
  readonly requirement?: RequirementId;
}

/** What every check that sends requests beside those that must be refused judges by them. */
export const servedRequirement = 'auth.fresh-token-accepted' satisfies RequirementId;

/**
 * Sends requests that must be refused, and beside them, with the same fixture, some that must be served. What may
 * change an order is sent by the wrong ones first, between two looks at the order: the rules compare what they show.
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
  // Of what may change an order, one that is served changes what the next is about.
  if (acting) for (const one of forbidden) answers.push(await send(one));
  else
    answers.push(
      ...(await concurrently(
        t,
        forbidden.map((one) => () => send(one)),
      )),
    );
  if (acting && order) await look(t, order);
  // What was served to somebody else may be used up.
  if (acting && !answers.some(succeeded)) {
    for (const one of permitted) await assertServed(t, fixture, one);
  }
  return answers;
}

/** An order, its quotes and its request, as those see them who may. */
async function look(t: CheckContext, order: PlacedOrder): Promise<void> {
  await concurrently(t, [
    () => sendRequest(t, order.by, 'order.read', { order }),
    () => sendRequest(t, order.by, 'order.quotes', { order }),
    ...(t.target.parties.maker_a ? [() => sendRequest(t, 'maker_a', 'rfq.read', { order })] : []),
  ]);
}

/** Statuses by which a target may say that it wants a body. Which one it wants is open (gap `proposal.request`). */
const bodyStatuses: readonly (number | undefined)[] = [400, 415, 422];

/** When a read must be granted the rules know; of all else only the check knows that nothing stands in its way. */
const isLeftToRules = (endpoint: GuardedEndpoint): boolean =>
  !changesState(endpoint) && endpoints[endpoint].result !== 'stream';

/** Makes a request that must be served. Only a 401 is about the token, whatever else may be the reason of a refusal. */
async function assertServed(
  t: CheckContext,
  fixture: Fixture,
  { by, endpoint, requirement }: PermittedRequest,
): Promise<void> {
  const exchange = await sendUntilServed(t, by, endpoint, fixture);
  const status = exchange.response?.status;
  // Said of a success as well: so a check that forgets to announce it does not break on some targets only.
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
