import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cancel } from '../../../timeline/clock/clock.ts';
import type { Random } from '../../../random/random.ts';
import type { EndpointName, PathParams } from '../../../spec/endpoints.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import { itemEnvelope, pageEnvelopeWriter } from './envelopes.ts';
import { type Problem, problemWire } from './problems.ts';
import type { ResponseContext, WireAnswer } from '../tamper.ts';
import type { Answer, World } from '../world/world.ts';
import type { PartySpec } from '../world/world-options.ts';

/** A request to an endpoint, as far as it has been read, and the reply to it. */
export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly endpoint: EndpointName;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body, if there is one. */
  readonly body?: unknown;
}

/** Writes the answers of one party's backend. */
export interface Responder {
  /** A result in its envelope, or a refusal. */
  answer(call: Call, result: Answer): void;
  refuse(call: Call, problem: Problem): void;
  /** An answer that has no envelope. */
  plain(call: Call, wire: WireAnswer): void;
  /** Delay of all answers from now on, in milliseconds; 0 for no delay. */
  delayMs: number;
  /** Sends the delayed answers at once. */
  release(): void;
}

const json = 'application/json; charset=utf-8';

/**
 * UUIDs (version 8, RFC 9562) that are unlike those of any other backend or run of another seed, and cost next to
 * nothing: drawn once, and counted in their last twelve digits.
 */
export function requestIds(random: Random): () => string {
  const drawn = random.fork('request-ids').hex(18);
  const head = `${drawn.slice(0, 8)}-${drawn.slice(8, 12)}-8${drawn.slice(12, 15)}-8${drawn.slice(15)}-`;
  let count = 0;
  return () => head + (count += 1).toString(16).padStart(12, '0');
}

export function createResponder(
  world: World,
  party: PartySpec,
  nextRequestId: () => string,
): Responder {
  const { assignment, tamper, clock } = world.options;
  const pageEnvelope = pageEnvelopeWriter();
  const held = new Map<Cancel, () => void>();

  function write(
    { request, reply }: Call,
    status: number,
    headers: Readonly<Record<string, string>>,
    text: string | Buffer | undefined,
  ): void {
    reply.code(status);
    for (const name in headers) reply.header(name, headers[name]);
    const body = request.method === 'HEAD' ? undefined : text;
    if (request.method === 'HEAD' && text !== undefined)
      reply.header('content-length', Buffer.byteLength(text));
    if (self.delayMs > 0) hold(() => void reply.send(body));
    else reply.send(body);
  }

  function hold(send: () => void): void {
    const cancel = clock.at(world.now() + self.delayMs, () => {
      held.delete(cancel);
      send();
    });
    held.set(cancel, send);
  }

  /** For an answer whose JSON value a tamper reads, or that has no envelope. */
  function plain(call: Call, wire: WireAnswer): void {
    const sent = tamper?.response ? tamper.response(wire, contextOf(call)) : wire;
    const { status, headers, body } = sent;
    if (body === undefined) return write(call, status, headers, undefined);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    write(call, status, { 'content-type': json, ...headers }, text);
  }

  function contextOf({ request, endpoint, params, query, body }: Call): ResponseContext {
    return {
      ...world.tamperContext(party, endpoint),
      method: request.method,
      params,
      query,
      ...(body !== undefined && { requestBody: body }),
    };
  }

  const self: Responder = {
    delayMs: 0,
    answer(call, result) {
      if (!result.ok) return self.refuse(call, result.error);
      const { status, data, pagination } = result;
      if (data === undefined) return plain(call, { status, headers: {} });
      const requestId = nextRequestId();
      const timestamp = formatTimestamp(world.now());
      if (tamper?.response) {
        const meta = { request_id: requestId, timestamp };
        const body = { data, ...(pagination && { pagination }), meta };
        return plain(call, { status, headers: {}, body });
      }
      const keep = call.request.method === 'POST' ? 'forget' : 'keep';
      const text = pagination
        ? pageEnvelope(data as readonly unknown[], pagination, requestId, timestamp)
        : itemEnvelope(data, requestId, timestamp, keep);
      write(call, status, { 'content-type': json }, text);
    },
    refuse: (call, problem) => plain(call, problemWire(problem, assignment, nextRequestId())),
    plain,
    release() {
      for (const [cancel, send] of held) {
        cancel();
        send();
      }
      held.clear();
    },
  };
  return self;
}
