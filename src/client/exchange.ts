import type { AuthLabel } from '../history/token-label.ts';
import type { Exchange, ViewAge } from '../history/records.ts';
import type { Recorder } from '../history/recorder.ts';
import type { Correlate } from './correlation.ts';
import { noAnswerReason } from '../protocol/answers.ts';
import { createSignal } from '../timeline/signal.ts';
import { LostTurnError } from '../timeline/timeline-errors.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type EndpointName, endpoints, type PathParams } from '../spec/endpoints.ts';
import type { Role } from '../spec/vocabulary.ts';
import { limitError } from '../history/limits.ts';
import { type MemoryBudget, alwaysKeptBytes } from './payload/memory-budget.ts';
import { recordResponse } from './payload/recorded-body.ts';
import type { Backoff } from './rate-limit/backoff.ts';
import { type CallEnd, type CircuitBreaker, CircuitOpenError } from './circuit-breaker.ts';
import type { TargetPresence } from './target-presence.ts';
import type { Pacer } from './rate-limit/pacer.ts';
import type { Views } from './views.ts';
import type {
  Transport,
  WireAnswer,
  WirePending,
  WireRequest,
  WireStream,
} from './http/transport.ts';

export interface PartyContext {
  readonly party: string;
  readonly role: Role;
  readonly transport: Transport;
  readonly timeline: Timeline;
  readonly recorder: Recorder;
  readonly pacer?: Pacer;
  readonly backoff: Backoff;
  /** Shared by all parties of a target. Absent: calls are made however many earlier ones were unanswered. */
  readonly circuitBreaker?: CircuitBreaker;
  /** Shared by all parties of a target. Absent: the target cannot go away. */
  readonly presence?: TargetPresence;
  /** Limits on keeping data that the party sends. */
  readonly memoryBudget: MemoryBudget;
  /**
   * Milliseconds that an answer is on its way. Only for a backend in process, which cannot be slow by itself: time
   * stands still while it works.
   */
  readonly answerDelayMs?: () => number;
  /** Fate of one request and its answer on the way; called anew for each request. Absent: the way has no faults. */
  readonly way?: () => Link;
  /** Streams whose last message has begun and not ended. Shared by all parties of a target. */
  readonly midMessage?: Set<object>;
  /** Shared by all parties of a target whose clock is moved. Absent: no view is later than the target's answers. */
  readonly views?: Views;
  /** Headers by which the target's logs name a request; absent: none are sent. */
  readonly correlate?: Correlate | undefined;
}

/** The way of one request and its answer. */
export interface Link {
  /** Milliseconds for which the request is still held up. Called again after that time, until it returns 0. */
  heldMs(): number;
  /** Hands the request to the target, or not. Returns the answer that its sender sees. */
  carry(send: () => Promise<Answer | WirePending>): Promise<Answer | WirePending>;
  /** Milliseconds until its answer arrives, or until it is known to be missing. */
  answerMs(): number;
  /** True if the way lost the answer, and not if the target gave none. */
  isLost(): boolean;
}

export interface PreparedRequest {
  readonly by: string;
  readonly endpoint?: EndpointName | undefined;
  readonly method: string;
  /** Path on the wire, with its query. */
  readonly path: string;
  readonly params: PathParams;
  /** The query as the record shows it. */
  readonly query: Readonly<Record<string, string>>;
  readonly auth: AuthLabel;
  readonly token?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once a stream's opening has been silent for a while, and time goes on without an answer. */
  readonly onSilence?: (() => void) | undefined;
  /** Goes ahead of all requests that wait for the pace. */
  readonly prompt?: boolean | undefined;
  /** No time may pass before it, on a target whose time is moved. */
  readonly still?: boolean | undefined;
  /** Uses a connection that nothing has used before. */
  readonly fresh?: true;
  /** The caller repeats the request itself, so it is not sent again here. */
  readonly once?: true;
  /** `none`: no headers by which the target's logs name a request. */
  readonly correlation?: 'none' | undefined;
  /** The body as the record shows it, and as sent. */
  readonly body?: { readonly shown: unknown; readonly sent: string } | undefined;
}

export type Answer = WireAnswer | WireStream;

/** Sends a request that will be recorded under an id. */
type SendRequest = (request: WireRequest, id: string) => Promise<Answer | WirePending>;

type ExchangeOutcome = { readonly exchange: Exchange; readonly answer: Answer };

function wireRequestOf(prepared: PreparedRequest): WireRequest {
  const { method, path, headers: added, body, token, fresh } = prepared;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body) headers['content-type'] = 'application/json';
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  for (const name in added) headers[name.toLowerCase()] = added[name] ?? '';
  return { method, path, headers, body: body?.sent, fresh };
}

const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const shown: Record<string, string> = { ...headers };
  const { authorization } = shown;
  if (authorization !== undefined) {
    shown['authorization'] = `${authorization.slice(0, authorization.search(/\s/) + 1)}***`;
  }
  return shown;
};

type Recordable = Pick<Exchange, 'response' | 'error' | 'opensStream'>;

/** Error of a request that was under way when the run ended: it may have had its effect, so it must be recorded. */
const givenUp = 'given up, as the run ended before it was answered';

function recordable(answer: Answer, memoryBudget: MemoryBudget): Recordable {
  if (answer.kind === 'error') return { error: answer.error };
  if (answer.kind === 'response') {
    const recorded = recordResponse(answer.response, (cost) => memoryBudget.exceeded(cost));
    // Nothing can be said of an answer that was not kept, so it counts as not received.
    if (recorded.limit) return { error: recorded.limit };
    const exceeded = memoryBudget.take(recorded.cost);
    return exceeded && recorded.cost > alwaysKeptBytes
      ? { error: limitError(exceeded) }
      : { response: recorded.response };
  }
  const { status, headers } = answer;
  return { response: { status, headers }, opensStream: true };
}

/** Lets time go on until the opening of a stream is answered, for at most the allowed time. */
async function answerTo(pending: WirePending, timeline: Timeline): Promise<Answer> {
  const signal = createSignal();
  let isAnswered = false as boolean;
  void pending.answer.then(() => {
    isAnswered = true;
    signal.ring();
  });
  await timeline.wait(signal, timeline.now() + pending.waitMs);
  // The answer may have come between the deadline and the wake-up: giving up then would cut off an open stream.
  if (!isAnswered) pending.giveUp();
  return pending.answer;
}

const kindOf = ({ party }: PartyContext, { by, endpoint }: PreparedRequest) => ({
  party,
  endpoint: endpoint ?? 'what is no endpoint',
  by,
});

async function sendOnce(
  context: PartyContext,
  prepared: PreparedRequest,
  send: SendRequest,
): Promise<ExchangeOutcome> {
  const { timeline, recorder } = context;
  if (context.pacer) await context.pacer.admit(prepared.prompt);
  let request = wireRequestOf(prepared);
  let sent = timeline.now();
  let precededBy = recorder.records.length;
  let id: string | undefined;
  let answer: Answer;
  let ended: ((end: CallEnd) => void) | undefined;
  let seen: ((exchange: Exchange) => void) | undefined;
  let isFree = false;
  let shows: ViewAge | undefined;
  const call = { party: context.party, endpoint: prepared.endpoint };
  const begin = (): string => {
    sent = timeline.now();
    shows = context.views?.ageOf(call);
    precededBy = recorder.records.length;
    const own = recorder.nextId(prepared.by);
    const { correlate } = context;
    if (correlate && !prepared.correlation) {
      // A header that the caller sends on purpose stays as it is.
      request = { ...request, headers: { ...correlate(own), ...request.headers } };
    }
    return own;
  };
  const way = context.way?.();
  try {
    let heldMs = way?.heldMs() ?? 0;
    if (heldMs > 0) id = begin();
    for (; heldMs > 0; heldMs = way?.heldMs() ?? 0) await timeline.sleep(heldMs);
    const ask = async () => {
      await context.views?.caughtUp(call);
      const mine = (id ??= begin());
      ended = context.circuitBreaker?.begin(kindOf(context, prepared));
      seen = context.presence?.begin();
      const go = () => send(request, mine);
      return way ? way.carry(go) : go();
    };
    const first = await timeline.turn(ask, { still: prepared.prompt || prepared.still });
    isFree = first.kind === 'pending' && timeline.kind !== 'system';
    if (first.kind === 'pending') prepared.onSilence?.();
    answer = first.kind === 'pending' ? await answerTo(first, timeline) : first;
  } catch (error) {
    if (!(error instanceof LostTurnError)) {
      if (id !== undefined) record(id, { error: { code: 'aborted', message: givenUp } });
      throw error;
    }
    answer = { kind: 'error', error: { code: 'timeout', message: error.message } };
  }
  const delayMs = (context.answerDelayMs?.() ?? 0) + (way?.answerMs() ?? 0);
  if (delayMs > 0) await timeline.sleep(delayMs);
  const recorded = recordable(answer, context.memoryBudget);
  const isOurs = way?.isLost() === true;
  ended?.({ error: isOurs ? undefined : recorded.error?.code, isFree });
  const exchange = record(id ?? recorder.nextId(prepared.by), recorded);
  seen?.(exchange);
  return { exchange, answer };

  function record(own: string, recorded: Recordable): Exchange {
    const { method, path, headers } = request;
    return recorder.exchange({
      id: own,
      by: prepared.by,
      party: context.party,
      role: context.role,
      sent,
      received: timeline.now(),
      precededBy,
      shows,
      endpoint: prepared.endpoint,
      params: prepared.params,
      query: prepared.query,
      auth: prepared.auth,
      request: { method, path, headers: shownHeaders(headers), body: prepared.body?.shown },
      ...recorded,
    });
  }
}

/** True if an answer is missing because of ourselves: a limit, the end of the run, or a network that is to fail. */
export const isMissingByUs = ({ error }: Exchange): boolean =>
  error?.code === 'limit' || error?.code === 'aborted';

/**
 * True if a request without a complete answer may be sent again: it changes nothing, or it never left. The effect of
 * any other request is unknown. A limit of ours would be met again.
 */
function maySendAgain({ once, endpoint }: PreparedRequest, exchange: Exchange): boolean {
  const { request, error } = exchange;
  if (once || noAnswerReason(exchange) === undefined) return false;
  // A silent stream has already been waited for past a heartbeat.
  const isStream = endpoint !== undefined && endpoints[endpoint].result === 'stream';
  if (isStream && error?.code === 'timeout') return false;
  if (error?.code === 'refused') return true;
  return !isMissingByUs(exchange) && (request.method === 'GET' || request.method === 'HEAD');
}

/**
 * Sends a request. Sends it again if the target asks for backoff (429), or if a view shows a state that ended long ago.
 * Sends it once more over a fresh connection if it had no complete answer and that is safe. Records every attempt and
 * returns the last. Throws a `CircuitOpenError` if the target has left too many calls like it unanswered.
 */
export async function runExchange(
  context: PartyContext,
  prepared: PreparedRequest,
  send: SendRequest,
): Promise<ExchangeOutcome> {
  if (context.presence) await confirmPresence(context);
  const outcome = await runWithBackoff(context, prepared, send);
  if (!maySendAgain(prepared, outcome.exchange)) return outcome;
  if (context.circuitBreaker?.reasonNotToCall(kindOf(context, prepared)) !== undefined) {
    return outcome;
  }
  return runWithBackoff(context, { ...prepared, fresh: true }, send);
}

/** If it is doubtful that the target still answers, no call is made until that is known: its request would be lost. */
async function confirmPresence({ presence, timeline }: PartyContext): Promise<void> {
  if (presence?.isDoubted()) await timeline.turn(() => presence.confirm());
  const gone = presence?.absence();
  if (gone) throw new CircuitOpenError(gone.detail);
}

async function runWithBackoff(
  context: PartyContext,
  prepared: PreparedRequest,
  send: SendRequest,
): Promise<ExchangeOutcome> {
  const { timeline, backoff, circuitBreaker } = context;
  const reason = circuitBreaker?.reasonNotToCall(kindOf(context, prepared));
  if (reason !== undefined) throw new CircuitOpenError(reason);
  const first = backoff.admit();
  if (first) await first;
  const since = timeline.now();
  const what = prepared.endpoint ?? `${prepared.method} ${prepared.path}`;
  for (let tries = 1; ; tries += 1) {
    if (tries > 1) await backoff.admit();
    const outcome = await sendOnce(context, prepared, send);
    const shouldRetry = backoff.shouldRetry(what, outcome.exchange.response, { since, tries });
    if (shouldRetry && (await shouldRetry)) continue;
    const { views } = context;
    if (!views?.shouldAskAgain(outcome.exchange)) return outcome;
    await timeline.turn(() => views.rest(), { still: true });
  }
}
