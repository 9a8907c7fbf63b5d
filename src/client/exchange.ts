import type { AuthLabel, Exchange, ViewAge } from '../history/records.ts';
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
import {
  type CallEnd,
  type CallKind,
  CircuitOpenError,
  type CircuitBreaker,
} from './circuit-breaker.ts';
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

/** What every exchange of one party goes through. */
export interface PartyContext {
  readonly party: string;
  readonly role: Role;
  readonly transport: Transport;
  readonly timeline: Timeline;
  readonly recorder: Recorder;
  readonly pacer?: Pacer;
  readonly backoff: Backoff;
  /** Shared by all parties of a target; absent: a call is made however many before it were unanswered. */
  readonly circuitBreaker?: CircuitBreaker;
  /** Shared by all parties of a target; absent: it cannot go away. */
  readonly presence?: TargetPresence;
  /** What may be kept of what it sends. */
  readonly memoryBudget: MemoryBudget;
  /**
   * How long an answer is on its way, in milliseconds. For a backend in process, which cannot be slow by itself:
   * time stands still while it works.
   */
  readonly answerDelayMs?: () => number;
  /** What becomes of one request and its answer on the way, asked anew for each; absent: nothing. */
  readonly way?: () => Link;
  /** Shared by all parties of a target: the streams whose last message has begun and not ended. */
  readonly midMessage?: Set<object>;
  /** Shared by all parties of a target whose clock is driven; absent: no view follows later than its answers. */
  readonly views?: Views;
  /** Headers by which the target's logs name a request; absent: none are sent. */
  readonly correlate?: Correlate | undefined;
}

/** The way of one request and of its answer. */
export interface Link {
  /** How much longer the request is held up, in milliseconds; asked again after so long, until it is nothing. */
  heldMs(): number;
  /** Hands it to the target, or not; answers what its sender sees of it. */
  carry(send: () => Promise<Answer | WirePending>): Promise<Answer | WirePending>;
  /** How long its answer takes then, or how long until it is known to be missing. */
  answerMs(): number;
  /** Whether it was the way that took the answer, and not the target that gave none. */
  isLost(): boolean;
}

/** A request as it is meant, before it is put on the wire. */
export interface PreparedRequest {
  readonly by: string;
  readonly endpoint?: EndpointName | undefined;
  readonly method: string;
  /** As it goes over the wire, with its query. */
  readonly path: string;
  readonly params: PathParams;
  /** The query as the record shows it. */
  readonly query: Readonly<Record<string, string>>;
  readonly auth: AuthLabel;
  readonly token?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once a stream's opening has been silent for a while, and time goes on without an answer. */
  readonly onSilence?: (() => void) | undefined;
  /** Ahead of all that wait for the pace. */
  readonly prompt?: boolean | undefined;
  /** No time is to pass before it, where the target's time is moved. */
  readonly still?: boolean | undefined;
  /** Over a connection that nothing has used before. */
  readonly fresh?: true;
  /** Whoever sends it sends it again. */
  readonly once?: true;
  /** Without the headers by which the target's logs name a request. */
  readonly correlation?: 'none' | undefined;
  /** What the record shows of the body, and the body as sent. */
  readonly body?: { readonly shown: unknown; readonly sent: string } | undefined;
}

export type Answer = WireAnswer | WireStream;

/** Sends a request that will be recorded under an id. */
export type SendRequest = (request: WireRequest, id: string) => Promise<Answer | WirePending>;

export interface ExchangeOutcome {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

function wireRequestOf({
  method,
  path,
  headers: added,
  body,
  token,
  fresh,
}: PreparedRequest): WireRequest {
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

/** Of a request that was under way as the run ended: it may have had its effect, so it must not be missing. */
const givenUp = 'given up, as the run ended before it was answered';

function recordable(answer: Answer, memoryBudget: MemoryBudget): Recordable {
  if (answer.kind === 'error') return { error: answer.error };
  if (answer.kind === 'response') {
    const recorded = recordResponse(answer.response, (cost) => memoryBudget.exceeded(cost));
    // Of what was not kept nothing can be said, so it counts as never heard.
    if (recorded.limit) return { error: recorded.limit };
    const exceeded = memoryBudget.take(recorded.cost);
    return exceeded && recorded.cost > alwaysKeptBytes
      ? { error: limitError(exceeded) }
      : { response: recorded.response };
  }
  const { status, headers } = answer;
  return { response: { status, headers }, opensStream: true };
}

/** Lets time go on until the opening of a stream is answered, or for as long as it may take. */
async function answerTo(pending: WirePending, timeline: Timeline): Promise<Answer> {
  const signal = createSignal();
  let isAnswered = false as boolean;
  void pending.answer.then(() => {
    isAnswered = true;
    signal.ring();
  });
  await timeline.wait(signal, timeline.now() + pending.waitMs);
  // An answer may come between the moment and whom it wakes: to give that up would cut off a stream that has opened.
  if (!isAnswered) pending.giveUp();
  return pending.answer;
}

const kindOf = ({ party }: PartyContext, { by, endpoint }: PreparedRequest): CallKind => ({
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

  function record(own: string, { response, error, opensStream }: Recordable): Exchange {
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
      request: {
        method: request.method,
        path: request.path,
        headers: shownHeaders(request.headers),
        body: prepared.body?.shown,
      },
      response,
      error,
      opensStream,
    });
  }
}

/**
 * Whether a request may be sent again that had no complete answer: one that changes nothing, or never left. Nobody
 * knows what became of any other. A limit of ours would be met again.
 */
function maySendAgain(
  { way }: PartyContext,
  { once, endpoint }: PreparedRequest,
  exchange: Exchange,
): boolean {
  const { request, error } = exchange;
  if (way || once || noAnswerReason(exchange) === undefined) return false;
  // A stream that stays silent has been waited for past a heartbeat.
  const isStream = endpoint !== undefined && endpoints[endpoint].result === 'stream';
  if (isStream && error?.code === 'timeout') return false;
  if (error?.code === 'refused') return true;
  const isOurs = error?.code === 'limit' || error?.code === 'aborted';
  return !isOurs && (request.method === 'GET' || request.method === 'HEAD');
}

/**
 * Sends a request, again where the target asks for backoff (429) or a view shows what had long been over, and once more
 * over a fresh connection where it had no complete answer and that is safe. Records every attempt; answers the last. Throws a `CircuitOpenError` where the
 * target has left too many like it unanswered.
 */
export async function runExchange(
  context: PartyContext,
  prepared: PreparedRequest,
  send: SendRequest,
): Promise<ExchangeOutcome> {
  if (context.presence) await confirmPresence(context);
  const outcome = await runWithBackoff(context, prepared, send);
  if (!maySendAgain(context, prepared, outcome.exchange)) return outcome;
  if (context.circuitBreaker?.reasonNotToCall(kindOf(context, prepared)) !== undefined) {
    return outcome;
  }
  return runWithBackoff(context, { ...prepared, fresh: true }, send);
}

/** Where it is in doubt whether anybody is there, no call is made until that is known: what it asks for would be lost. */
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
