import { readPayload, recordResponse } from '../client/payload/recorded-body.ts';
import { eventDecoder } from '../client/sse/event-decoder.ts';
import { isObject } from '../history/json.ts';
import { type LimitError, limitError } from '../history/limits.ts';
import { createRecorder, type Recorder } from '../history/recorder.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import type { Exchange, HistoryRecord } from '../history/records.ts';
import { endpoints } from '../spec/endpoints.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { HarEntry } from './har-shape.ts';
import {
  isRole,
  type KnownParty,
  nameOf,
  placesOf,
  type RecordedPlace,
  roleThatMayUse,
} from './places.ts';
import { bodyAsSent } from './request-parts.ts';

/** A recording as a history, and what it could not show. */
export interface Recording {
  readonly records: readonly HistoryRecord[];
  /** The parties that it met, by name. */
  readonly parties: Readonly<Record<string, { readonly role: Role; readonly base_url: string }>>;
  /** Each a sentence: what is missing in it, and what cannot be judged therefore. */
  readonly limits: readonly string[];
}

interface Placed {
  readonly entry: HarEntry;
  readonly place: RecordedPlace;
}

const driver = 'recording';

const bodyJson = ({ responseBody }: HarEntry): unknown => {
  try {
    return JSON.parse(Buffer.from(responseBody ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** The role that a token result or an identity names. */
function roleNamedIn({ entry, place }: Placed): Role | undefined {
  if (place.endpoint !== 'token.create' && place.endpoint !== 'identity.read') return undefined;
  const body = bodyJson(entry);
  const data = isObject(body) ? body['data'] : undefined;
  const role = isObject(data) ? data['role'] : undefined;
  return isRole(role) ? role : undefined;
}

const isGranted = ({ status }: HarEntry): boolean => status >= 200 && status < 300;

function roleAt(all: readonly Placed[]): Role | undefined {
  const named = all.map(roleNamedIn).find((role) => role !== undefined);
  if (named) return named;
  const used = all.flatMap(({ entry, place }) =>
    place.endpoint && isGranted(entry) ? [place.endpoint] : [],
  );
  return roleThatMayUse(used);
}

/** Which party each base URL belongs to: as the caller says, or else as the answers show. */
function partiesAt(
  placed: readonly Placed[],
  known: readonly KnownParty[],
): {
  readonly byUrl: ReadonlyMap<string, { name: string; role: Role }>;
  readonly unclear: string[];
} {
  const byUrl = new Map<string, { name: string; role: Role }>();
  const unclear: string[] = [];
  for (const baseUrl of new Set(placed.map(({ place }) => place.baseUrl))) {
    const party = known.find((one) => one.baseUrl === baseUrl);
    const role = party?.role ?? roleAt(placed.filter(({ place }) => place.baseUrl === baseUrl));
    const name = party?.name ?? nameOf(baseUrl);
    const isTaken = [...byUrl.values()].some((one) => one.name === name);
    if (role) byUrl.set(baseUrl, { name: isTaken ? baseUrl : name, role });
    else unclear.push(baseUrl);
  }
  return { byUrl, unclear };
}

const isEventStream = ({ responseHeaders }: HarEntry): boolean =>
  /^text\/event-stream\b/i.test(responseHeaders['content-type'] ?? '');

/** Whether a token went along. A browser leaves tokens out of what it exports unless it is asked to keep them. */
function authOf(entry: HarEntry, keepsTokens: boolean): Exchange['auth'] {
  if (entry.status === 401) return 'one that was refused';
  return !keepsTokens || entry.requestHeaders['authorization'] !== undefined ? 'own' : 'none';
}

function answerOf(entry: HarEntry): Pick<Exchange, 'response' | 'error'> {
  const { status, responseHeaders: headers, responseBody: bytes, error } = entry;
  if (status === 0) {
    return { error: { code: 'aborted', message: error ?? 'the recording holds no answer' } };
  }
  if (isEventStream(entry)) return { response: { status, headers } };
  const recorded = recordResponse({ status, headers, bytes: bytes ?? new Uint8Array() });
  return recorded.limit ? { error: recorded.limit } : { response: recorded.response };
}

/** The messages of a recorded stream: when each of them came, the recording does not say. */
function addFrames(recorder: Recorder, entry: HarEntry, opened: Exchange): void {
  const { by, party, role, id: stream } = opened;
  let reached: LimitError | undefined;
  const decoder = eventDecoder(({ event, data, id, comments }) => {
    const payload = readPayload(data);
    reached ??= payload.limit;
    if (reached || payload.limit) return;
    const { body, text, oddities } = payload.kept;
    recorder.frame({
      by,
      party,
      role,
      stream,
      received: entry.received,
      after: entry.sent,
      event,
      eventId: id,
      data: body,
      text,
      oddities,
      comments,
    });
  });
  if (entry.responseBody && !decoder.feed(entry.responseBody)) {
    reached ??= limitError('stream.message_chars');
  }
  const ended = { by, party, stream, at: entry.received, after: entry.sent, cause: 'us' } as const;
  recorder.end({ ...ended, message: reached?.message, limit: reached?.limit });
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function limitsOf(
  entries: readonly HarEntry[],
  placed: readonly Placed[],
  unclear: readonly string[],
): string[] {
  const elsewhere = entries.length - placed.length;
  const bodiless = placed.filter(
    ({ entry, place }) =>
      place.endpoint !== undefined &&
      endpoints[place.endpoint].result !== 'stream' &&
      isGranted(entry) &&
      entry.status !== 204 &&
      entry.responseBody === undefined,
  ).length;
  const streams = placed.filter(({ entry }) => isEventStream(entry));
  const empty = streams.filter(({ entry }) => entry.responseBody === undefined).length;
  return [
    ...(elsewhere > 0
      ? [
          `${plural(elsewhere, 'request')} went to no known party and no endpoint of the interface, and were left out`,
        ]
      : []),
    ...unclear.map(
      (baseUrl) =>
        `the answers of ${baseUrl} do not show its role; name it: --base-url sender=${baseUrl}`,
    ),
    ...(bodiless > 0
      ? [
          `${plural(bodiless, 'answer')} came without a body in the recording and were left out: export it with content`,
        ]
      : []),
    ...(placed.some(({ entry }) => entry.requestHeaders['authorization'] !== undefined)
      ? []
      : ["no request carries a token in the recording: each is taken to have had its party's own"]),
    ...(streams.length === 0
      ? ['no event stream is in the recording: nothing is said about events']
      : []),
    ...(empty > 0
      ? [
          `${plural(empty, 'event stream')} came without messages in the recording: nothing is said about events there`,
        ]
      : []),
    ...(streams.length > empty
      ? [
          'a recording of this format does not say when each event came: nothing is said about the times of events',
        ]
      : []),
  ];
}

/** What is lost without its body cannot be judged: an empty answer would be blamed on the target. */
const isWhole = ({ entry, place }: Placed): boolean =>
  isEventStream(entry) ||
  !isGranted(entry) ||
  entry.status === 204 ||
  entry.responseBody !== undefined ||
  (place.endpoint !== undefined && endpoints[place.endpoint].result === 'stream');

/** Something to record, and when it was complete. */
interface Step {
  readonly at: number;
  readonly record: () => void;
}

function stepsOf(
  { entry, place }: Placed,
  { name: party, role }: { readonly name: string; readonly role: Role },
  recorder: Recorder,
  keepsTokens: boolean,
): Step[] {
  const isStream = isEventStream(entry) && isGranted(entry);
  // A stream is answered as soon as it begins; how long it goes on is another matter.
  const received = isStream ? entry.sent : entry.received;
  let opened: Exchange | undefined;
  const exchange = (): void => {
    opened = recorder.exchange({
      id: recorder.nextId(driver),
      by: driver,
      party,
      role,
      sent: entry.sent,
      received,
      endpoint: place.endpoint,
      params: place.params,
      query: Object.fromEntries(entry.url.searchParams),
      auth: authOf(entry, keepsTokens),
      request: {
        method: entry.method,
        path: place.path + entry.url.search,
        headers: entry.requestHeaders,
        ...bodyAsSent(entry.requestBody),
      },
      ...answerOf(entry),
      ...(isStream && { opensStream: true }),
    });
  };
  const frames = (): void => {
    if (opened) addFrames(recorder, entry, opened);
  };
  const first = { at: received, record: exchange };
  return isStream ? [first, { at: entry.received, record: frames }] : [first];
}

/** Makes a history of recorded requests and answers. */
export function harHistory(
  entries: readonly HarEntry[],
  known: readonly KnownParty[],
  secrets?: Secrets,
): Recording {
  const requests = entries.filter(({ method }) => method !== 'OPTIONS');
  const places = placesOf(requests, known);
  const placed = requests.flatMap((entry, index): Placed[] => {
    const place = places[index];
    return place ? [{ entry, place }] : [];
  });
  const { byUrl, unclear } = partiesAt(placed, known);
  const keepsTokens = placed.some(
    ({ entry }) => entry.requestHeaders['authorization'] !== undefined,
  );
  const recorder = createRecorder(secrets);
  const steps = placed.filter(isWhole).flatMap((one): Step[] => {
    const party = byUrl.get(one.place.baseUrl);
    return party ? stepsOf(one, party, recorder, keepsTokens) : [];
  });
  for (const { record } of steps.toSorted((one, other) => one.at - other.at)) record();
  return {
    records: recorder.records,
    parties: Object.fromEntries(
      [...byUrl].map(([base_url, { name, role }]) => [name, { role, base_url }]),
    ),
    limits: limitsOf(requests, placed, unclear),
  };
}
