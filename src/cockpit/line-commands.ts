import { describeExchange, succeeded } from '../protocol/answers.ts';
import type { Random } from '../random/random.ts';
import { endpoints, matchEndpoint, pathOf } from '../spec/endpoints.ts';
import { castNames } from '../spec/requirements/requirement.ts';
import { callOf } from './act.ts';
import type { What } from './line-entry.ts';
import { faultNamed } from './faults.ts';
import { wordsForFault } from '../faults/faults.ts';
import type { Live } from './running-line.ts';
import type { Act, PreparedRequest, Verb, VerbAnswer } from './view/messages.ts';

/** Commands on the live line. */

const mostTimes = 2_000;

export const refused = (problem: string): VerbAnswer => ({ ok: false, problem });
export const done = (says: string): VerbAnswer => ({ ok: true, says });

export const byItself = refused("this target's time passes by itself");

const callOn = ({ stage: { target }, board, now }: Live, act: Act, random: Random) =>
  callOf(act, { target, board, now, random });

export async function actOn(live: Live, act: Act, random: Random): Promise<VerbAnswer> {
  const times = act.times ?? 1;
  if (!Number.isInteger(times) || times < 1 || times > mostTimes)
    return refused(`between once and ${mostTimes} times`);
  let last = done('nothing was asked');
  for (let count = 0; count < times; count += 1) {
    const call = callOn(live, act, random);
    if (typeof call === 'string') return refused(call);
    const exchange = await live.carryOut(call, 'you');
    if (!exchange) continue;
    const says = describeExchange(exchange);
    last = succeeded(exchange) ? done(says) : refused(says);
  }
  return last;
}

/** Returns the request for an act. */
export function prepareOn(live: Live, act: Act, random: Random): VerbAnswer {
  const call = callOn(live, act, random);
  if (typeof call === 'string') return refused(call);
  const { party, endpoint, params, body } = call;
  const { method } = endpoints[endpoint];
  const path = pathOf(endpoint, params);
  const request = { party, method, path, ...(body !== undefined && { body }) };
  return { ok: true, says: `${method} ${path}`, request };
}

/** The call of a party for a request of the public interface; a text explains why there is none. */
export function requestOf(
  { stage }: Live,
  { party: name, method, path, body }: PreparedRequest,
): What | string {
  const [bare = '', search = ''] = path.split(/\?(.*)/s);
  const found = matchEndpoint(method, bare);
  const party = castNames.find((one) => one === name && stage.target.parties[one]);
  if (!party || !found || endpoints[found.name].result === 'stream')
    return 'no party has an answer there';
  const query = Object.fromEntries(new URLSearchParams(search));
  const call = { what: 'call', party, endpoint: found.name, params: found.params, query } as const;
  return { ...call, ...(body !== undefined && { body }) };
}

export async function advance(live: Live, ms: number, longestMs: number): Promise<VerbAnswer> {
  if (!live.stage.isDriven) return byItself;
  if (!Number.isFinite(ms) || ms < 0 || ms > longestMs)
    return refused(`between 0 and ${longestMs} ms`);
  await live.passUntil(live.now + Math.round(ms));
  return done(`it is ${new Date(live.now).toISOString()}`);
}

export async function step(live: Live, longestMs: number): Promise<VerbAnswer> {
  const [next] = live.upcoming();
  if (!live.stage.isDriven) return byItself;
  if (!next) return refused('nothing is due: create an order first');
  await live.passUntil(Math.min(next.at, live.now + longestMs));
  return done(next.what);
}

export async function strikeOn(
  live: Live,
  { fault: name, party, order }: Extract<Verb, { readonly do: 'fault' }>,
): Promise<VerbAnswer> {
  const fault = faultNamed(name, party);
  if (fault === undefined) return refused(`nothing can ${JSON.stringify(name)}`);
  await live.carryOut({ what: 'fault', fault, ...(order !== undefined && { order }) }, 'you');
  return done(fault === null ? 'no fault' : wordsForFault(fault));
}
