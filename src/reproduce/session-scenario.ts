import type { Exchange, HistoryRecord } from '../history/records.ts';
import { type Known, stepsOf } from './steps-of-history.ts';
import { flowOf, scenarioFile } from './scenario.ts';
import { literalText } from './scenario-values.ts';
import { bySending } from './slice.ts';
import { type Claim, isNamed, type ReproStep } from './steps.ts';

/** A scenario made of the requests of several parties, and the extent of it. */
export interface SessionScenario {
  /** Absent: no scenario can be written; `leftOut` has the reason. */
  readonly text?: string;
  /** Number of requests in it. */
  readonly requests: number;
  /** Requests that are not in it, in words. Absent: nothing is missing. */
  readonly leftOut?: string;
}

/** Maximum number of requests: more than a person reads or a scenario should hold. */
const mostRequests = 400;

/**
 * True for requests that the scenario repeats: not for tokens, which parties get by themselves, nor without an answer.
 */
const isPlayed = ({ endpoint, response }: Exchange): boolean =>
  response !== undefined && endpoint !== undefined && endpoint !== 'token.create';

/** Headers that describe the client and its connection. */
const ofTheClient =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:encoding|language)|cookie|dnt|expect|forwarded|if-.*|keep-alive|origin|pragma|priority|referer|sec-.*|te|trailer|transfer-encoding|user-agent|via|x-forwarded-.*)$/;

function withoutClientHeaders(exchange: Exchange): Exchange {
  const { request } = exchange;
  const kept = Object.entries(request.headers).filter(([name]) => !ofTheClient.test(name));
  return { ...exchange, request: { ...request, headers: Object.fromEntries(kept) } };
}

/**
 * Times are shifted as if answers took no time, as on a virtual clock; the time since the first request stays. Requests
 * that are closer together than this many milliseconds happen at once.
 */
const oneMoment = 20;

function withoutTravel(exchanges: readonly Exchange[]): readonly Exchange[] {
  let at = Number.NEGATIVE_INFINITY;
  return exchanges.map((exchange) => {
    if (exchange.sent - at >= oneMoment) at = exchange.sent;
    return { ...exchange, sent: at, received: at };
  });
}

/** Claims that each request is granted or refused as it was. The exact answer is for the rules to judge. */
const claimOf = (step: ReproStep): Claim[] => {
  if (step.kind !== 'call') return [];
  const status = step.recorded.response?.status ?? 0;
  const must = status < 300 ? 'succeed' : status >= 400 && status < 500 ? 'be refused' : undefined;
  if (must === undefined) return [];
  return [{ kind: 'status', step: step.name, must }];
};

/**
 * Records of several parties as one scenario: the same requests in their order, with ids from the answers and times
 * relative to now. Undefined if there is nothing to play.
 */
export function sessionScenario(
  records: readonly HistoryRecord[],
  known: Known,
  title: string,
): SessionScenario | undefined {
  const all = records
    .filter((record) => record.kind === 'exchange')
    .filter(isPlayed)
    .toSorted(bySending);
  const exchanges = withoutTravel(all.slice(0, mostRequests).map(withoutClientHeaders));
  const steps = stepsOf({ exchanges, needed: new Set(), resumed: new Map() }, known);
  const requests = steps.filter(isNamed).length;
  if (requests === 0) return undefined;
  const missing = [
    ...(all.length > mostRequests
      ? [`whatever came after the first ${mostRequests} requests`]
      : []),
    ...(requests < exchanges.length
      ? [`${exchanges.length - requests} requests with tokens that cannot be written down`]
      : []),
  ];
  const text = scenarioFile(
    [missing.length === 0 ? 'All that was recorded.' : `Left out: ${missing.join('; ')}.`],
    { scenario: literalText(title), ...flowOf({ steps, claims: steps.flatMap(claimOf) }) },
  );
  return { text, requests, ...(missing.length > 0 && { leftOut: missing.join('; ') }) };
}
