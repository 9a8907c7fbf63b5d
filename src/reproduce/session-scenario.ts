import type { Exchange, HistoryRecord } from '../history/records.ts';
import { type Known, stepsOf } from './steps-of-history.ts';
import { flowLines, titleText } from './scenario.ts';
import { bySending } from './slice.ts';
import { type Claim, isNamed, type ReproStep } from './steps.ts';

/** A scenario of what several parties did, and how much of it that is. */
export interface SessionScenario {
  /** Absent: it cannot be written; `leftOut` says why. */
  readonly text?: string;
  /** Requests in it. */
  readonly requests: number;
  /** What is not in it, in words. Absent: nothing is missing. */
  readonly leftOut?: string;
}

/** More no person reads, and no scenario should hold. */
const mostRequests = 400;

/** A party of a scenario gets its token by itself; what had no answer asks for nothing again. */
const isPlayed = ({ endpoint, response }: Exchange): boolean =>
  response !== undefined && endpoint !== undefined && endpoint !== 'token.create';

/** What a client and its connection say of themselves. */
const ofTheClient =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:encoding|language)|cookie|dnt|expect|forwarded|if-.*|keep-alive|origin|pragma|priority|referer|sec-.*|te|trailer|transfer-encoding|user-agent|via|x-forwarded-.*)$/;

function withoutClientHeaders(exchange: Exchange): Exchange {
  const { request } = exchange;
  const kept = Object.entries(request.headers).filter(([name]) => !ofTheClient.test(name));
  return { ...exchange, request: { ...request, headers: Object.fromEntries(kept) } };
}

/**
 * As if answers took no time, which they do not where time stands still: a moment comes as late after the first as it
 * did. What is closer together than so many milliseconds happens at once.
 */
const oneMoment = 20;

function withoutTravel(exchanges: readonly Exchange[]): readonly Exchange[] {
  let at = Number.NEGATIVE_INFINITY;
  return exchanges.map((exchange) => {
    if (exchange.sent - at >= oneMoment) at = exchange.sent;
    return { ...exchange, sent: at, received: at };
  });
}

/** Each request is to be granted or refused as it was: what exactly answers it is for the rules to judge. */
const claimOf = (step: ReproStep): Claim[] => {
  if (step.kind !== 'call') return [];
  const status = step.recorded.response?.status ?? 0;
  const must = status < 300 ? 'succeed' : status >= 400 && status < 500 ? 'be refused' : undefined;
  if (must === undefined) return [];
  return [{ kind: 'status', step: step.name, must }];
};

/**
 * What was recorded of several parties as one scenario: the same requests in their order, ids taken from the answers,
 * moments counted from now. Undefined where there is nothing to play.
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
  const text = [
    `# ${missing.length === 0 ? 'All that was recorded.' : `Left out: ${missing.join('; ')}.`}`,
    `scenario: ${titleText(title)}`,
    ...flowLines({ steps, claims: steps.flatMap(claimOf) }),
    '',
  ].join('\n');
  return { text, requests, ...(missing.length > 0 && { leftOut: missing.join('; ') }) };
}
