import type { Credential } from '../src/client/contract.ts';
import type { Trial } from '../src/conformance/check.ts';
import {
  allowed,
  awaitStatus,
  type Fields,
  insist,
  isRefusal,
  orderBody,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quoteBody,
  said,
  succeeded,
} from '../src/conformance/moves/index.ts';
import type { Exchange } from '../src/history/records.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  castNames,
  type GuardedEndpoint,
  type RequirementId,
} from '../src/spec/requirements/index.ts';
import type { Role } from '../src/spec/words.ts';
import { settlementPatienceMs } from './3-states/words.ts';

/** What there is to act upon. */
export interface Ground {
  readonly order?: PlacedOrder;
  readonly quote?: PlacedQuote;
}

export interface Manner {
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** In place of the usual body. */
  readonly body?: unknown;
}

/** One request of any kind that wants a token, on the same ground for whoever makes it. A stream is closed again. */
export async function ask(
  trial: Trial,
  by: CastName,
  endpoint: GuardedEndpoint,
  { order, quote }: Ground,
  manner: Manner = {},
): Promise<Exchange> {
  const party = trial.party(by);
  if (endpoint === 'order.events' || endpoint === 'maker.events') {
    const { credential } = manner;
    const stream = await party.listen({ endpoint, ...(credential && { credential }) });
    if (stream.isOpen) await stream.close();
    return stream.opened;
  }
  const body = manner.body ?? usualBody(trial, by, endpoint, order);
  const params = {
    ...(order && paramsOf(order)),
    ...(quote && { quote_id: quote.quoteId }),
  };
  return party.call(endpoint, { ...manner, params, ...(body !== undefined && { body }) });
}

function usualBody(
  trial: Trial,
  by: CastName,
  endpoint: GuardedEndpoint,
  order?: PlacedOrder,
): Fields | undefined {
  if (endpoint === 'order.create') return orderBody(trial, {}, by);
  return endpoint === 'quote.submit' && order ? quoteBody(trial, order) : undefined;
}

/** Whether a body is taken there is open: none, or an empty object (gaps `cancel.request`, `proposal.request`). */
const openBodies: readonly GuardedEndpoint[] = ['order.cancel', 'proposal.accept'];

/**
 * What whoever may do it does. A stream is the one that the party has open already, since a second one may close it
 * (gap `stream.per_party`); a backend that lags a little behind another is asked again.
 */
export async function mayDo(
  trial: Trial,
  by: CastName,
  endpoint: GuardedEndpoint,
  ground: Ground,
): Promise<Exchange> {
  if (endpoints[endpoint].result === 'stream') return trial.party(by).events.opened;
  const once = await ask(trial, by, endpoint, ground);
  if (!isRefusal(once)) return once;
  if (openBodies.includes(endpoint)) {
    const again = await ask(trial, by, endpoint, ground, { body: {} });
    if (succeeded(again)) return again;
  }
  return insist(trial, () => ask(trial, by, endpoint, ground));
}

/** Whether a deadline may have passed by the time of an answer: then a refusal has a reason of its own. */
export const wasInTime = (trial: Trial, { order, quote }: Ground, exchange: Exchange): boolean => {
  const latest = exchange.received + trial.target.clock.offset.most;
  return latest < Math.min(order?.expiresAt ?? Infinity, quote?.validUntil ?? Infinity);
};

export interface Positive {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  /** What it shows where it succeeds, and breaks where it does not. */
  readonly requirements: readonly RequirementId[];
}

/** Makes a request that must succeed and judges it; a wrong body where none is shown is no fault. */
export async function positive(trial: Trial, ground: Ground, one: Positive): Promise<Exchange> {
  const { by, endpoint, requirements } = one;
  const exchange = await mayDo(trial, by, endpoint, ground);
  const what = `${by}, which may do this`;
  if (!succeeded(exchange) && acts(endpoint) && !wasInTime(trial, ground, exchange)) {
    trial.giveUp('the deadline passed before the request that must succeed', [exchange]);
  }
  // Which body this takes is not shown, so that a refusal of its form may be ours.
  const form =
    endpoint === 'proposal.accept' && [400, 415, 422].includes(exchange.response?.status ?? 0);
  for (const requirement of requirements) {
    // Whatever else refuses, only a 401 is about the token.
    const other = isRefusal(exchange) && exchange.response?.status !== 401;
    if (requirement === 'auth.fresh-token-accepted' && other) {
      trial.undecided(requirement, `${said(exchange)}, for another reason than its token`);
    } else if (form) trial.undecided(requirement, `${said(exchange)}, maybe for want of a body`);
    else allowed(trial, requirement, exchange, what);
  }
  return exchange;
}

/** Part 1.4 leaves these out of what custodians may do, part 4 gives them (gap `access.custodian_extras`). */
const isCustodianExtra = (endpoint: GuardedEndpoint, by: CastName): boolean =>
  cast[by] === 'custodian' && ['stats.read', 'order.events'].includes(endpoint);

/** Whether this backend gives a custodian none of what it need not. A 401 is about its token. */
export async function isWithheld(
  trial: Trial,
  by: CastName,
  endpoint: GuardedEndpoint,
  ground: Ground,
): Promise<boolean> {
  if (!isCustodianExtra(endpoint, by)) return false;
  const answer = await mayDo(trial, by, endpoint, ground);
  return isRefusal(answer) && answer.response?.status !== 401;
}

export const acts = (endpoint: GuardedEndpoint): boolean => endpoints[endpoint].method === 'POST';

/** Whether it might change an order that is there. */
export const actsOnOrder = (endpoint: GuardedEndpoint): boolean =>
  acts(endpoint) && endpoint !== 'order.create';

/** The declared parties of a role, in the order of the cast. */
export const players = (trial: Trial, role: Role): readonly CastName[] =>
  castNames.filter((name) => cast[name] === role && trial.target.parties[name]);

/** The one that plays a role where only one is needed. */
export const player = {
  institution: 'sender',
  custodian: 'sender_custodian',
  'market-maker': 'maker_a',
} as const satisfies Readonly<Record<Role, CastName>>;

/** Longer than any settlement. */
export const settlementWaitMs = 16_000;

export async function untilSettled(trial: Trial, order: PlacedOrder): Promise<void> {
  const reached = await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs, order.by);
  if (!reached) trial.giveUp('the order did not settle');
}
