import type { Exchange, Frame } from '../../history/records.ts';
import {
  type Fields,
  fieldsOf,
  isDenied,
  isObject,
  shownText,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { eventKinds, heartbeat } from '../../spec/events.ts';
import { hasForm } from '../../spec/forms.ts';
import { orderStates } from '../../spec/vocabulary.ts';
import {
  callsTo,
  follows,
  ordersIn,
  ownCallsTo,
  type Observations,
  observed,
  outcomeOf,
} from './exchange-index.ts';

/** Statuses, bodies of errors, streams and event payloads. */
export function* observeWire(exchanges: readonly Exchange[], frames: readonly Frame[]) {
  for (const exchange of exchanges) {
    yield* observeStatus(exchange);
    yield* observeError(exchange);
    if (exchange.opensStream && exchange.auth === 'own' && succeeded(exchange))
      yield observed('stream.auth', 'header', [exchange]);
  }
  yield* observeErrorStatuses(exchanges);
  yield* observeUnknownFilter(exchanges);
  yield* observeHeartbeats(exchanges, frames);
  yield* observeEventNames(frames);
  yield* observeUpdates(frames);
  yield* observeCreationEvents(exchanges, frames);
}

const changes: readonly (EndpointName | undefined)[] = [
  'token.create',
  'quote.accept',
  'order.cancel',
  'proposal.accept',
];

function* observeStatus(exchange: Exchange): Observations {
  const { endpoint, party, role, request } = exchange;
  const status = exchange.response?.status;
  if (status === 429) yield observed('limits.rate', 'limited', [exchange]);
  if (request.path === '/orders' && (request.method === 'GET' || isDenied(exchange))) {
    const answer = outcomeOf(exchange, 'yes', 'no');
    if (answer) yield observed('version.unprefixed', answer, [exchange]);
    return;
  }
  if (!succeeded(exchange)) return;
  const type = exchange.response?.headers['content-type'];
  if (type !== undefined && !exchange.opensStream && endpoint !== 'health.read')
    yield observed('body.content_type', /[/+]json\b/i.test(type) ? 'json' : type, [exchange]);
  if (endpoint === 'health.read')
    yield observed('health.response', healthKind(exchange), [exchange], party);
  if (endpoint === 'order.create') yield observed('http.create_status', String(status), [exchange]);
  // No content is an answer to another gap (`cancel.response`, `proposal.response`). Each operation may have its own.
  if (changes.includes(endpoint) && status !== 204)
    yield observed('http.success_status', String(status), [exchange], `${endpoint} ${role}`);
}

function healthKind({ response }: Exchange): string {
  const body = response?.body;
  if (isObject(body)) return 'data' in body && 'meta' in body ? 'enveloped' : 'json';
  if (body !== undefined) return 'json';
  return response?.text ? 'text' : 'empty';
}

function* observeError(exchange: Exchange): Observations {
  const { auth, endpoint, request } = exchange;
  if (!isDenied(exchange) || auth !== 'own' || endpoint === undefined) return;
  // A framework may answer a broken body before the service sees it.
  if (request.body !== undefined && !isObject(request.body)) return;
  yield observed('error.shape', errorShape(exchange), [exchange], endpoint);
}

function errorShape({ response }: Exchange): string {
  const body = response?.body;
  if (body === undefined) return response?.text ? 'text' : 'empty';
  if (!isObject(body)) return 'text';
  const media = response?.headers['content-type'] ?? '';
  if (media.includes('problem+json') || ('type' in body && 'title' in body)) return 'problem';
  if ('meta' in body) return 'enveloped';
  if (isObject(body['error'])) return 'error-object';
  return `fields ${Object.keys(body).sort().slice(0, 8).join(' ')}`;
}

/** Fewer refusals do not tell whether a target has one status for all of them. */
const fewestRefusals = 4;

function* observeErrorStatuses(exchanges: readonly Exchange[]): Observations {
  const refusals = exchanges.filter((one) => isDenied(one) && one.auth === 'own' && one.endpoint);
  if (refusals.length < fewestRefusals) return;
  const statuses = [...new Set(refusals.map((one) => one.response?.status ?? 0))];
  const hides = !statuses.includes(403) && refusals.some(isHidden);
  const several = hides ? 'hidden-404' : 'precise';
  const answer = statuses.length === 1 ? `all-${statuses[0]}` : several;
  yield observed('error.statuses', answer, refusals.slice(0, 3));
}

/** Another role's endpoint that is said not to be there. */
function isHidden({ endpoint, role, response }: Exchange): boolean {
  const roles: readonly string[] = endpoint === undefined ? [] : endpoints[endpoint].roles;
  return response?.status === 404 && roles.length > 0 && !roles.includes(role);
}

function* observeUnknownFilter(exchanges: readonly Exchange[]): Observations {
  const known = ordersIn(exchanges);
  for (const exchange of ownCallsTo(exchanges, 'order.events')) {
    const id = exchange.query['intent_id'];
    // A malformed id may be refused even if an unknown id is not (gap `access.malformed_id`).
    if (id === undefined || !hasForm('uuid', id) || known.has(id)) continue;
    const answer = outcomeOf(exchange, 'silent');
    if (answer) yield observed('stream.unknown_filter', answer, [exchange]);
  }
}

function* observeHeartbeats(exchanges: readonly Exchange[], frames: readonly Frame[]) {
  const heartbeats = frames.filter(({ event }) => event === heartbeat);
  const firsts = new Map<string, Frame>();
  for (const frame of heartbeats) {
    if (!firsts.has(frame.stream)) firsts.set(frame.stream, frame);
    yield observed('heartbeat.payload', payloadKind(frame), [frame]);
  }
  const openings = new Map(exchanges.map((one) => [one.id, one]));
  const afterMs = [...firsts].flatMap(([stream, { received }]) => {
    const opening = openings.get(stream);
    return opening ? [received - opening.sent] : [];
  });
  const phase = phaseOf(afterMs);
  if (phase) yield observed('heartbeat.phase', phase, [...firsts.values()]);
}

function payloadKind({ data, text }: Frame): string {
  if (!isObject(data)) return text === undefined ? 'empty' : 'text';
  const keys = Object.keys(data).sort().join(' ');
  return { '': 'empty-object', server_time: 'server-time' }[keys] ?? keys;
}

/** From the delays of the first heartbeats: a common tick is early on some streams, and at any time on others. */
function phaseOf(afterMs: readonly number[]): string | undefined {
  if (afterMs.length === 0) return undefined;
  if (afterMs.every((ms) => ms <= 1_000)) return 'on-connect-too';
  if (afterMs.some((ms) => ms < 29_000)) return 'common-tick';
  return afterMs.every((ms) => ms <= 31_500) ? 'per-stream' : undefined;
}

/** Fewer frames do not tell what a target sends. */
const fewestFrames = 5;

function* observeEventNames(frames: readonly Frame[]): Observations {
  if (frames.length < fewestFrames) return;
  const extra = frames.filter(
    ({ event }) => !Object.hasOwn(eventKinds, event) && event !== heartbeat,
  );
  const names = [...new Set(extra.map(({ event }) => event))].sort().slice(0, 8);
  yield observed('stream.extra_events', names.join(' ') || 'none', extra.slice(0, 3));
  const withoutIds = frames.some(({ eventId }) => eventId === undefined);
  if (withoutIds && !frames.some(({ eventId }) => eventId))
    yield observed('stream.resume', 'none', frames.slice(0, 1));
}

function* observeUpdates(frames: readonly Frame[]): Observations {
  const looked = new Set<Fields>();
  for (const frame of frames) {
    const { data } = frame;
    // Each stream shows the same object again (decision 16).
    if (frame.event !== 'order_updated' || !isObject(data) || looked.has(data)) continue;
    looked.add(data);
    const wrapping = typeof data['intent_id'] === 'string' ? 'bare' : wrappedIn(data);
    if (wrapping) yield observed('event.wrapping', wrapping, [frame]);
    yield observed('event.payload', updatePayload(data), [frame]);
  }
}

const wrappedIn = (data: Fields): string | undefined =>
  Object.entries(data).find(([, value]) => isObject(value) && 'intent_id' in value)?.[0];

function updatePayload(data: Fields): string {
  const keys = Object.keys(data);
  if (keys.every((key) => key === 'intent_id' || key === 'status')) return 'named-only';
  return 'data' in data || 'meta' in data ? 'enveloped-extra' : 'resource';
}

/** The first `order_updated` of each order on each stream shows if its creation sent one. */
function* observeCreationEvents(exchanges: readonly Exchange[], frames: readonly Frame[]) {
  const openings = new Map(exchanges.map((one) => [one.id, one]));
  const creations = new Map(
    callsTo(exchanges, 'order.create').map((one) => [textOf(fieldsOf(one), 'intent_id'), one]),
  );
  const seen = new Set<string>();
  for (const frame of frames) {
    const { data, stream } = frame;
    if (frame.event !== 'order_updated' || !isObject(data)) continue;
    const id = shownText(data['intent_id']);
    const state = orderStates.find((one) => one === data['status']);
    if (seen.has(`${stream} ${id}`) || state === undefined) continue;
    seen.add(`${stream} ${id}`);
    // Silence proves something only on a stream that was open when the order was created.
    const [opening, creation] = [openings.get(stream), creations.get(id)];
    if (state === 'PENDING') yield observed('event.creation', 'updated', [frame]);
    else if (opening && creation && follows(creation, opening))
      yield observed('event.creation', 'silent', [frame]);
  }
}
