import { type Payload, readPayload, recordResponse } from '../client/payload/recorded-body.ts';
import { eventDecoder, type StreamMessage } from '../client/sse/event-decoder.ts';
import { isObject, parsedJson } from '../history/json.ts';
import type { LimitName } from '../history/limits.ts';
import { createRecorder, type Recorder } from '../history/recorder.ts';
import type { AuthLabel } from '../history/token-label.ts';
import type { Exchange, HistoryRecord, Span } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import type { PathParams } from '../spec/endpoints.ts';
import type { Role } from '../spec/vocabulary.ts';
import { type FiledEntry, withoutDuplicates } from './duplicates.ts';
import { bodyAsSent } from './har-body.ts';
import type { HarEntry } from './har-entry.ts';
import type { HarFile } from './har-file.ts';
import { limitsOf } from './har-limits.ts';
import { isRole, type KnownParty, nameOf, placesOf, roleThatMayUse } from './places.ts';
import { hasMessages, isGranted, isWhole, type PlacedEntry } from './placed-entry.ts';
import { createTokenOwners } from './token-owners.ts';

/** A recording as a history, and its limits. */
export interface Recording {
  readonly records: readonly HistoryRecord[];
  /** The parties in the recording, by name. */
  readonly parties: Readonly<Record<string, { readonly role: Role; readonly base_url: string }>>;
  /** Sentences: each one names data that is missing, and what cannot be judged for that reason. */
  readonly limits: readonly string[];
  /** Time spans in which all calls of a party are in the recording. Absent: it holds all calls of its parties. */
  readonly recorded?: (party: string) => readonly Span[];
  /** Report of the run that was recorded, as the file holds it. Absent: the recording is of no run, or does not say. */
  readonly report?: unknown;
}

export const driver = 'recording';

/** `data` of an answer. */
function dataOf({ responseBody }: HarEntry): unknown {
  const body = parsedJson(Buffer.from(responseBody ?? []).toString('utf8'));
  return isObject(body) ? body['data'] : undefined;
}

/** The role that a token result or an identity names. */
function roleNamedIn({ entry, place }: PlacedEntry): Role | undefined {
  if (place.endpoint !== 'token.create' && place.endpoint !== 'identity.read') return undefined;
  const data = dataOf(entry);
  const role = isObject(data) ? data['role'] : undefined;
  return isRole(role) ? role : undefined;
}

function roleAt(some: readonly PlacedEntry[]): Role | undefined {
  const all = some.filter(isWhole);
  const used = all.flatMap(({ entry, place }) =>
    place.endpoint && isGranted(entry) ? [place.endpoint] : [],
  );
  return all.map(roleNamedIn).find((role) => role !== undefined) ?? roleThatMayUse(used);
}

/** Party of each base URL: as the caller says, or else as the answers show. */
function partiesAt(placed: readonly PlacedEntry[], known: readonly KnownParty[]) {
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

/**
 * `all` if the request is known completely. `bare` if parts may be missing: browsers export tokens only if asked to,
 * and never for streams that cannot have one in a header; a request that an exporter makes anew may never have been
 * sent so.
 */
const knownPartOf = (entry: HarEntry, keepsTokens: boolean): 'all' | 'bare' =>
  entry.isRequestKnown &&
  keepsTokens &&
  (entry.requestHeaders['authorization'] !== undefined || !entry.isStream)
    ? 'all'
    : 'bare';

/** An answer that is not the service's own counts as missing: only the request is known. */
function answerOf(one: PlacedEntry): Pick<Exchange, 'response' | 'error'> {
  const { status, responseHeaders: headers, responseBody: bytes, error, isStream } = one.entry;
  if (!isWhole(one)) {
    return { error: { code: 'aborted', message: error ?? 'its answer is not in the recording' } };
  }
  if (isStream && isGranted(one.entry)) return { response: { status, headers } };
  const recorded = recordResponse({ status, headers, bytes: bytes ?? new Uint8Array() });
  return recorded.limit
    ? { response: { status, headers }, error: recorded.limit }
    : { response: recorded.response };
}

/** A message with its payload, and the span in which it came. */
interface Message extends Omit<StreamMessage, 'data'>, Span, Payload {}

/** Messages of a stream in order, up to the first that exceeds a limit of ours. */
function messagesOf(
  { messages, responseBody, sent }: HarEntry,
  opened: number,
  ended: number,
): { readonly messages: readonly Message[]; readonly limit?: LimitName } {
  const read: Message[] = [];
  let limit: LimitName | undefined;
  const take = ({ data, ...message }: StreamMessage, at: Span): void => {
    if (limit) return;
    const payload = data === undefined ? undefined : readPayload(data);
    if (payload?.limit) limit = payload.limit.limit;
    else read.push({ ...message, ...at, ...payload?.kept });
  };
  const untimed = { sent, received: ended };
  for (const { at, ...message } of messages ?? []) {
    const came = { sent: Math.floor(at ?? 0), received: Math.max(opened, Math.ceil(at ?? 0)) };
    take(message, at === undefined ? untimed : came);
  }
  const decoder = eventDecoder((message) => take(message, untimed));
  if (!messages && responseBody && !decoder.feed(responseBody)) limit ??= 'stream.message_chars';
  return { messages: read, ...(limit && { limit }) };
}

/** An action that records something, and the moment of its record. */
interface Step {
  readonly at: number;
  readonly record: () => void;
}

/** An entry as an exchange without token label and number, and the moment at which it ended. */
interface Draft {
  readonly one: PlacedEntry;
  readonly exchange: Exchange;
  readonly ended: number;
}

function draftOf(
  one: PlacedEntry,
  { name: party, role }: { readonly name: string; readonly role: Role },
  latest: number,
  isAnew: boolean,
): Draft {
  const { entry, place } = one;
  const { sent } = entry;
  const isOpened = hasMessages(entry) && isGranted(entry);
  const ended = Math.max(sent, entry.ended ?? latest);
  const firstSeen = entry.messages?.[0]?.at;
  const answered = Math.min(entry.answered ?? ended, Math.ceil(firstSeen ?? ended));
  const params = isAnew ? paramsAnswered(one) : place.params;
  const exchange: Exchange = {
    kind: 'exchange',
    id: '',
    by: driver,
    party,
    role,
    sent,
    // A stream counts as answered when it opens, however long it lasts.
    received: Math.max(sent, isOpened ? answered : ended),
    endpoint: params && place.endpoint,
    params: params ?? {},
    query: isAnew ? {} : Object.fromEntries(entry.url.searchParams),
    auth: 'own',
    request: {
      method: entry.method,
      path: place.path + entry.url.search,
      headers: entry.requestHeaders,
      ...bodyAsSent(entry.requestBody),
    },
    ...answerOf(one),
    ...(isOpened && { opensStream: true }),
  };
  return { one, exchange, ended };
}

function stepsOf(
  { one: { entry }, exchange, ended }: Draft,
  auth: AuthLabel,
  recorder: Recorder,
): Step[] {
  const { party, role, received } = exchange;
  let opened: Exchange | undefined;
  const begin = (): void => {
    opened = recorder.exchange({ ...exchange, id: recorder.nextId(driver), auth });
  };
  const first = { at: received, record: begin };
  if (!exchange.opensStream) return [first];
  const { messages, limit } = messagesOf(entry, received, ended);
  const lastSeen = messages.findLast((message) => message.received < ended)?.received ?? received;
  const isEndKnown = entry.ended !== undefined && entry.error === undefined && !limit;
  const of = () => ({ by: driver, party, role, stream: opened?.id ?? '' });
  const frames = messages.map(
    ({ sent: after, id: eventId, body: data, ...message }): Step => ({
      at: message.received,
      record: () => recorder.frame({ ...of(), ...message, after, eventId, data }),
    }),
  );
  const after = isEndKnown ? ended : lastSeen;
  const end = () => recorder.end({ ...of(), at: ended, after, cause: 'us', limit });
  return [first, ...frames, { at: ended, record: end }];
}

/** Path parameters of a request, taken from its answer; undefined if the answer does not contain them. */
function paramsAnswered({ entry, place }: PlacedEntry): PathParams | undefined {
  const data = dataOf(entry);
  const shown: unknown = Array.isArray(data) ? data[0] : data;
  const found = Object.keys(place.params).map((name) => [
    name,
    isObject(shown) ? shown[name] : undefined,
  ]);
  return found.every(([, id]) => typeof id === 'string') ? Object.fromEntries(found) : undefined;
}

/** The latest moment, used if no file tells any time. */
const endOfTime = Date.UTC(9_999, 0);

/** True if an entry is of use: it has an answer of the service, or its request may have changed something. */
const isOfUse = ({ one }: Draft): boolean => isWhole(one) || one.entry.method !== 'GET';

/** True if a redirect was followed: then the entry of the next request has the answer. */
const isFollowed = ({ entry }: FiledEntry, urls: ReadonlySet<string>): boolean =>
  entry.status >= 300 &&
  entry.status < 400 &&
  entry.redirect !== undefined &&
  URL.canParse(entry.redirect, entry.url.href) &&
  urls.has(new URL(entry.redirect, entry.url).href);

const notForTheService = ['OPTIONS', 'CONNECT'];

/** Time spans that the files of a party hold completely. */
function recordedOf(
  files: readonly HarFile[],
  placed: readonly PlacedEntry[],
  nameAt: (baseUrl: string) => string | undefined,
): (party: string) => readonly Span[] {
  const filesOf = new Map<string, Set<number>>();
  for (const { file, place } of placed) {
    const name = nameAt(place.baseUrl) ?? '';
    filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  }
  return (party) => [...(filesOf.get(party) ?? [])].flatMap((file) => files[file]?.whole ?? []);
}

/** A base URL as the URL parser writes it: host in lower case, without the default port of its scheme. */
const asParsed = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, '');

/** Makes a history of the recorded exchanges of some files of one target. */
export function harHistory(
  files: readonly HarFile[],
  given: readonly KnownParty[],
  secrets?: Secrets,
): Recording {
  const known = given.map((party) => ({ ...party, baseUrl: asParsed(party.baseUrl) }));
  const all = files.flatMap(({ entries }, file) => entries.map((entry) => ({ file, entry })));
  const different = withoutDuplicates(all);
  const urls = new Set(different.map(({ entry }) => entry.url.href));
  const requests = different.filter(
    (one) => !notForTheService.includes(one.entry.method) && !isFollowed(one, urls),
  );
  const places = placesOf(
    requests.map(({ entry }) => entry),
    known,
  );
  const placed = requests.flatMap((one, index): PlacedEntry[] => {
    const place = places[index];
    return place ? [{ ...one, place }] : [];
  });
  const { byUrl, unclear } = partiesAt(placed, known);
  const times = placed.flatMap(({ entry: { sent, sentBy, ended, messages = [] } }) => [
    sentBy ?? sent,
    ended ?? 0,
    ...messages.map(({ at = 0 }) => Math.ceil(at)),
  ]);
  const nameAt = (baseUrl: string): string | undefined => byUrl.get(baseUrl)?.name;
  const latest = times.reduce((most, at) => Math.max(most, at), 0) || endOfTime;
  const drafts = placed.flatMap((one): Draft[] => {
    const party = byUrl.get(one.place.baseUrl);
    const isAnew = files[one.file]?.exporter.makesRequestsAnew === true;
    return party ? [draftOf(one, party, latest, isAnew)] : [];
  });
  const owners = createTokenOwners();
  for (const { one, exchange } of drafts) {
    const { status, origin, responseHeaders: headers } = one.entry;
    // An answer without its body is enough to show that its token was accepted.
    const isGiven = exchange.response || origin !== 'service';
    owners.learn(isGiven ? exchange : { ...exchange, response: { status, headers } });
  }
  const fileOf = ({ file, place }: PlacedEntry): string => `${file} ${place.baseUrl}`;
  const keepsTokens = new Set(
    placed.flatMap((one) =>
      one.entry.requestHeaders['authorization'] === undefined ? [] : [fileOf(one)],
    ),
  );
  const recorder = createRecorder(secrets);
  const steps = drafts.filter(isOfUse).flatMap((draft) => {
    const knownPart = knownPartOf(draft.one.entry, keepsTokens.has(fileOf(draft.one)));
    return stepsOf(draft, owners.labelOf(draft.exchange, knownPart), recorder);
  });
  for (const { record } of steps.toSorted((one, other) => one.at - other.at)) record();
  return {
    records: recorder.records,
    parties: Object.fromEntries(
      [...byUrl].map(([base_url, { name, role }]) => [name, { role, base_url }]),
    ),
    limits: limitsOf({ files, all, different, requests, placed, unclear }),
    recorded: recordedOf(files, placed, nameAt),
  };
}
