import { endpoints } from '../../spec/endpoints.ts';
import { eventKinds, heartbeat } from '../../spec/events.ts';
import { hasForm } from '../../spec/forms.ts';
import { orderStates } from '../../spec/vocabulary.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import {
  dataOf,
  type Fields,
  follows,
  isObject,
  ordersIn,
  refused,
  succeeded,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

export function observeWire(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly GapObservation[] {
  return [
    ...exchanges.flatMap(observeStatus),
    ...exchanges.flatMap(observeError),
    ...errorStatuses(exchanges),
    ...exchanges.flatMap(observeStream),
    ...observeUnknownFilter(exchanges),
    ...observeHeartbeat(exchanges, frames),
    ...observeEventPayloads(exchanges, frames),
  ];
}

const changes = ['token.create', 'quote.accept', 'order.cancel', 'proposal.accept'];

function observeStatus(exchange: Exchange): readonly GapObservation[] {
  const status = exchange.response?.status;
  const name = exchange.endpoint ?? '';
  const evidence = [exchange.id];
  if (status === 429) return [{ gap: 'limits.rate', answer: 'limited', evidence }];
  if (exchange.request.path === '/orders' && refused(exchange)) {
    return [{ gap: 'version.unprefixed', answer: 'no', evidence }];
  }
  if (!succeeded(exchange)) return [];
  if (name === 'health.read') {
    return [
      { gap: 'health.response', answer: healthKind(exchange), subject: exchange.party, evidence },
    ];
  }
  const answer = String(status);
  if (exchange.request.method === 'GET' && exchange.request.path === '/orders') {
    return [{ gap: 'version.unprefixed', answer: 'yes', evidence }];
  }
  if (name === 'order.create') return [{ gap: 'http.create_status', answer, evidence }];
  // No content is an answer to another gap (`cancel.response`, `proposal.response`).
  if (!changes.includes(name) || status === 204) return [];
  // Each operation may have its own.
  return [{ gap: 'http.success_status', answer, subject: `${name} ${exchange.role}`, evidence }];
}

function healthKind({ response }: Exchange): string {
  const body = response?.body;
  if (isObject(body)) return 'data' in body && 'meta' in body ? 'enveloped' : 'json';
  if (body !== undefined) return 'json';
  return response?.text ? 'text' : 'empty';
}

function observeError(exchange: Exchange): readonly GapObservation[] {
  if (!refused(exchange) || exchange.auth !== 'own' || exchange.endpoint === undefined) return [];
  // A framework may answer a broken body before the service sees it.
  if (exchange.request.body !== undefined && !isObject(exchange.request.body)) return [];
  const answer = errorShape(exchange);
  return [{ gap: 'error.shape', answer, subject: exchange.endpoint, evidence: [exchange.id] }];
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

function errorStatuses(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const refusals = exchanges.filter((one) => refused(one) && one.auth === 'own' && one.endpoint);
  const statuses = [...new Set(refusals.map((one) => one.response?.status ?? 0))];
  const evidence = refusals.slice(0, 3).map((one) => one.id);
  if (refusals.length < 4 || statuses.length === 0) return [];
  if (statuses.length === 1)
    return [{ gap: 'error.statuses', answer: `all-${statuses[0]}`, evidence }];
  const hides = !statuses.includes(403) && refusals.some(isHidden);
  return [{ gap: 'error.statuses', answer: hides ? 'hidden-404' : 'precise', evidence }];
}

/** Another role's endpoint that is said not to be there. */
function isHidden({ endpoint, role, response }: Exchange): boolean {
  const roles: readonly string[] = endpoint === undefined ? [] : endpoints[endpoint].roles;
  return response?.status === 404 && roles.length > 0 && !roles.includes(role);
}

function observeStream(exchange: Exchange): readonly GapObservation[] {
  if (!exchange.opensStream || exchange.auth !== 'own' || !succeeded(exchange)) return [];
  return [{ gap: 'stream.auth', answer: 'header', evidence: [exchange.id] }];
}

function observeUnknownFilter(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const known = ordersIn(exchanges);
  return callsTo(exchanges, 'order.events').flatMap((exchange): GapObservation[] => {
    const id = exchange.query['intent_id'];
    // What is no id at all may be refused where an id that nobody knows is not (gap `access.malformed_id`).
    if (id === undefined || !hasForm('uuid', id) || known.has(id)) return [];
    if (exchange.auth !== 'own') return [];
    const answer = succeeded(exchange) ? 'silent' : refused(exchange) ? 'refuse' : undefined;
    return answer ? [{ gap: 'stream.unknown_filter', answer, evidence: [exchange.id] }] : [];
  });
}

function observeHeartbeat(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly GapObservation[] {
  const openings = new Map(exchanges.map((one) => [one.id, one] as const));
  const firsts = new Map<string, Frame>();
  const payloads = frames.flatMap((frame): GapObservation[] => {
    if (frame.event !== heartbeat) return [];
    if (!firsts.has(frame.stream)) firsts.set(frame.stream, frame);
    return [{ gap: 'heartbeat.payload', answer: payloadKind(frame), evidence: [frame.id] }];
  });
  const afterMs = [...firsts].flatMap(([stream, { received }]) => {
    const opening = openings.get(stream);
    return opening ? [received - opening.sent] : [];
  });
  const phase = phaseOf(afterMs);
  const evidence = [...firsts.values()].map(({ id }) => id);
  return phase ? [...payloads, { gap: 'heartbeat.phase', answer: phase, evidence }] : payloads;
}

function payloadKind(frame: Frame): string {
  if (!isObject(frame.data)) return frame.text === undefined ? 'empty' : 'text';
  const keys = Object.keys(frame.data).sort();
  if (keys.length === 0) return 'empty-object';
  if (keys.join() === 'timestamp') return 'timestamp';
  return keys.join() === 'server_time' ? 'server-time' : keys.join(' ');
}

/** From when the first heartbeats of all streams came: a common tick is early on some, and at any time on others. */
function phaseOf(afterMs: readonly number[]): string | undefined {
  if (afterMs.length === 0) return undefined;
  if (afterMs.every((ms) => ms <= 1_000)) return 'on-connect-too';
  if (afterMs.some((ms) => ms < 29_000)) return 'common-tick';
  return afterMs.every((ms) => ms <= 31_500) ? 'per-stream' : undefined;
}

function observeEventPayloads(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly GapObservation[] {
  const observations: GapObservation[] = [];
  const extra = frames.filter(
    (one) => !Object.hasOwn(eventKinds, one.event) && one.event !== heartbeat,
  );
  const [first] = frames;
  if (first && frames.length >= 5) {
    const names = [...new Set(extra.map((one) => one.event))].sort().slice(0, 8);
    const evidence = extra.slice(0, 3).map((one) => one.id);
    observations.push({ gap: 'stream.extra_events', answer: names.join(' ') || 'none', evidence });
    if (frames.some((one) => one.eventId === undefined) && !frames.some((one) => one.eventId)) {
      observations.push({ gap: 'stream.resume', answer: 'none', evidence: [first.id] });
    }
  }
  const looked = new Set<Fields>();
  for (const frame of frames) {
    const { data } = frame;
    // Each stream shows the same object again (decision 16).
    if (frame.event !== 'order_updated' || !isObject(data) || looked.has(data)) continue;
    looked.add(data);
    const evidence = [frame.id];
    const wrapping = typeof data['intent_id'] === 'string' ? 'bare' : wrappedIn(data);
    if (wrapping) observations.push({ gap: 'event.wrapping', answer: wrapping, evidence });
    observations.push({ gap: 'event.payload', answer: updatePayload(data), evidence });
  }
  return [...observations, ...creationEvents(exchanges, frames)];
}

const wrappedIn = (data: Fields): string | undefined =>
  Object.entries(data).find(([, value]) => isObject(value) && 'intent_id' in value)?.[0];

function updatePayload(data: Fields): string {
  const keys = Object.keys(data);
  if (keys.every((key) => key === 'intent_id' || key === 'status')) return 'named-only';
  if ('data' in data || 'meta' in data) return 'enveloped-extra';
  return 'resource';
}

/** The first `order_updated` of each order on each stream tells whether its creation was one. */
function creationEvents(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly GapObservation[] {
  const openings = new Map(exchanges.map((one) => [one.id, one] as const));
  const creations = new Map(
    callsTo(exchanges, 'order.create').flatMap((one) => {
      const data = dataOf(one);
      return isObject(data) ? [[String(data['intent_id']), one] as const] : [];
    }),
  );
  const seen = new Set<string>();
  return frames.flatMap((frame): GapObservation[] => {
    const { data } = frame;
    if (frame.event !== 'order_updated' || !isObject(data)) return [];
    const id = String(data['intent_id']);
    const key = `${frame.stream} ${id}`;
    const state = orderStates.find((one) => one === data['status']);
    if (seen.has(key) || state === undefined) return [];
    seen.add(key);
    const evidence = [frame.id];
    if (state === 'PENDING') return [{ gap: 'event.creation', answer: 'updated', evidence }];
    // Silence proves something only on a stream that was open when the order was created.
    const [opening, creation] = [openings.get(frame.stream), creations.get(id)];
    const heard = opening && creation && follows(creation, opening);
    return heard ? [{ gap: 'event.creation', answer: 'silent', evidence }] : [];
  });
}
