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

/** Request that an answer belongs to, for a tamper that looks at it. */
export interface RequestInfo {
  readonly endpoint: EndpointName;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body, if there is one. */
  readonly body?: unknown;
}

/** Writes the answers of one party's backend. */
export interface Responder {
  /** A result in its envelope, or a refusal. */
  reply(request: FastifyRequest, reply: FastifyReply, result: Answer, info: RequestInfo): void;
  problem(request: FastifyRequest, reply: FastifyReply, problem: Problem, info: RequestInfo): void;
  /** An answer that has no envelope. */
  plain(request: FastifyRequest, reply: FastifyReply, wire: WireAnswer, info: RequestInfo): void;
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
    request: FastifyRequest,
    reply: FastifyReply,
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
  function writeValue(
    request: FastifyRequest,
    reply: FastifyReply,
    wire: WireAnswer,
    info: RequestInfo,
  ): void {
    const sent = tamper?.response ? tamper.response(wire, contextOf(request, info)) : wire;
    const { status, headers, body } = sent;
    if (body === undefined) return write(request, reply, status, headers, undefined);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    write(request, reply, status, { 'content-type': json, ...headers }, text);
  }

  function contextOf(request: FastifyRequest, info: RequestInfo): ResponseContext {
    return {
      ...world.tamperContext(party, info.endpoint),
      method: request.method,
      params: info.params,
      query: info.query,
      ...(info.body !== undefined && { requestBody: info.body }),
    };
  }

  const self: Responder = {
    delayMs: 0,
    reply(request, reply, result, info) {
      if (!result.ok) return self.problem(request, reply, result.error, info);
      const { status, data, pagination } = result;
      if (data === undefined) return writeValue(request, reply, { status, headers: {} }, info);
      const requestId = nextRequestId();
      const timestamp = formatTimestamp(world.now());
      if (tamper?.response) {
        const meta = { request_id: requestId, timestamp };
        const body = { data, ...(pagination && { pagination }), meta };
        return writeValue(request, reply, { status, headers: {}, body }, info);
      }
      const text = pagination
        ? pageEnvelope(data as readonly unknown[], pagination, requestId, timestamp)
        : itemEnvelope(data, requestId, timestamp, request.method === 'POST' ? 'forget' : 'keep');
      write(request, reply, status, { 'content-type': json }, text);
    },
    problem(request, reply, problem, info) {
      writeValue(request, reply, problemWire(problem, assignment, nextRequestId()), info);
    },
    plain: writeValue,
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
