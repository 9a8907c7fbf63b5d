import { isPartyFault } from '../faults/faults.ts';
import { isCorrelationHeader } from '../history/correlation.ts';
import { dataIn, isObject } from '../history/json.ts';
import type { Exchange } from '../history/records.ts';
import { isBySelf } from '../history/worlds.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { limits } from '../spec/limits.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';
import { CannotExport, credentialOf } from './credentials.ts';
import { isStream, type Beginning, type Slice } from './slice.ts';
import {
  plain,
  type CallStep,
  type Credential,
  type FaultEvent,
  type ListenStep,
  type ReproStep,
  type Template,
  type Until,
} from './steps.ts';
import type { EndpointName } from '../spec/endpoints.ts';

const words: { readonly [name in EndpointName]: string } = {
  'token.create': 'token',
  'health.read': 'health',
  'identity.read': 'identity',
  'stats.read': 'stats',
  'order.create': 'order',
  'order.list': 'orders',
  'order.events': 'stream',
  'order.read': 'order_read',
  'order.cancel': 'cancel',
  'order.quotes': 'quotes',
  'proposal.accept': 'proposal',
  'quote.accept': 'acceptance',
  'rfq.list': 'requests',
  'rfq.read': 'request',
  'quote.submit': 'quote',
  'rfq.quotes': 'quotes',
  'quote.list': 'own_quotes',
  'settlement.list': 'settlements',
  'settlement.read': 'settlement',
  'maker.events': 'stream',
};

/** Name of an answer: by its endpoint, numbered from the second on. A stream is named after its party. */
function nameFor(recorded: Exchange, taken: Map<string, number>): string {
  const { endpoint, party } = recorded;
  const word = isStream(recorded) ? `stream_of_${party}` : endpoint ? words[endpoint] : 'answer';
  const count = (taken.get(word) ?? 0) + 1;
  taken.set(word, count);
  return count === 1 ? word : `${word}_${count}`;
}

export interface ControlFields {
  readonly name: ControlName;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Control with which an order was created, if any. */
export const controlOf = (
  { endpoint, request }: Exchange,
  controls: readonly ControlFields[],
): ControlName | undefined => {
  const { body } = request;
  if (endpoint !== 'order.create' || !isObject(body)) return undefined;
  return controls.find(({ fields }) =>
    Object.entries(fields).every(([name, value]) => body[name] === value),
  )?.name;
};

/** Facts about the target that the history does not have. */
export interface Known {
  /** Identifiers of the parties. */
  readonly partyIds: ReadonlyMap<string, CastName>;
  /** Milliseconds by which the target's clock is ahead of the recorded times. */
  readonly aheadMs: number;
  /** Order fields by which controls cause a deliberate fault. */
  readonly controls: readonly ControlFields[];
  /** Start time of the flow. If the time of day or year may matter, the flow waits until that time. */
  readonly begins?: Beginning;
  /** Deliberate faults that are no controls. */
  readonly faultEvents?: readonly FaultEvent[];
  /** True if the target offers the key that signs its tokens. */
  readonly canSign?: boolean;
  /** Identifying values that were sent in more than one order creation: it may matter that they are the same. */
  readonly sentTwice?: ReadonlySet<string>;
  /** Requests with the first token of their party. */
  readonly withFirstToken?: ReadonlySet<string>;
}

function sentTwiceIn(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const [once, twice] = [new Set<unknown>(), new Set<string>()];
  for (const { endpoint, request } of exchanges) {
    if (endpoint !== 'order.create' || !isObject(request.body)) continue;
    for (const name of Object.keys(madeUp)) {
      const value = request.body[name];
      if (typeof value === 'string' && once.has(value)) twice.add(value);
      once.add(value);
    }
  }
  return twice;
}

/** Start time of a flow whose history began at this moment. */
function untilBegin(began: number, begins: Exclude<Beginning, 'at once'>): Until {
  const textOf = (moment: number): string => new Date(moment).toISOString().slice(0, -'Z'.length);
  if (begins === 'at the same hour') {
    return { next: textOf(began).slice('yyyy-mm-ddT'.length), lessMs: 0 };
  }
  const day = new Date(began);
  const tomorrow = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + 1);
  // Most years have no leap day after 28 February: a flow that needs one waits for a time before the next leap day.
  const isLeapEve = textOf(tomorrow).includes('-02-29T');
  const moment = isLeapEve ? tomorrow : began;
  return { next: textOf(moment).slice('yyyy-'.length), lessMs: moment - began };
}

/** Token lifetime of the document plus one second, in milliseconds. */
const tokenLifetimeMs = (limits.tokenLifetimeSeconds + 1) * 1_000;
/** Shorter pauses are only the time of answers. */
const shortestWaitMs = 20;

/** Makes steps of recorded exchanges: ids refer to earlier answers, times are relative to now. */
export function stepsOf({ exchanges, needed, resumed }: Slice, given: Known): readonly ReproStep[] {
  const known = { ...given, sentTwice: sentTwiceIn(exchanges) };
  const ids = new Map<string, Template>();
  for (const [id, party] of known.partyIds) ids.set(id, { kind: 'party', party });
  const taken = new Map<string, number>();
  const steps: ReproStep[] = [];
  const listens = new Map<string, ListenStep>();
  const upsets = upsetsIn(exchanges, resumed, known.faultEvents ?? []);
  let until: number | undefined;
  const first = exchanges.find((exchange) => !isBySelf(exchange));
  if (known.begins && known.begins !== 'at once' && first) {
    const began = Math.floor(first.sent + known.aheadMs);
    steps.push({ kind: 'wait', ms: 0, until: untilBegin(began, known.begins) });
  }
  let hasExpired = false;
  const waitFor = (at: number, endsAt: number): void => {
    const gap = until === undefined ? 0 : Math.round(at - until);
    if (gap >= shortestWaitMs) steps.push({ kind: 'wait', ms: gap });
    until = Math.max(until ?? 0, endsAt);
  };
  const upsetBefore = (at: number, precededBy: number): void => {
    for (let next = upsets[0]; next && comesBefore(next, at, precededBy); next = upsets[0]) {
      upsets.shift();
      const step = upsetStep(next, ids, listens);
      if (!step) continue;
      waitFor(next.at, next.at + next.lastsMs);
      steps.push(step);
    }
  };
  for (const recorded of exchanges) {
    upsetBefore(recorded.sent, recorded.precededBy ?? 0);
    const token = credentialOf(recorded, steps, {
      isFirst: known.withFirstToken?.has(recorded.id) ?? false,
      canSign: known.canSign ?? false,
    });
    if (token === undefined) {
      if (needed.has(recorded.id)) throw new CannotExport(recorded.auth);
      continue;
    }
    if (typeof token === 'object' && token.kind === 'expired' && !hasExpired) {
      steps.push({ kind: 'wait', ms: tokenLifetimeMs });
      hasExpired = true;
    }
    const isOwn = isBySelf(recorded);
    if (!isOwn || !isStream(recorded)) waitFor(recorded.sent, recorded.received);
    const name = nameFor(recorded, taken);
    if (isStream(recorded)) {
      const before = listens.get(resumed.get(recorded.id)?.stream ?? '');
      const step = listenStep(recorded, name, ids, token, before);
      listens.set(recorded.id, step);
      steps.push(step);
      continue;
    }
    const step = callStep(recorded, name, ids, known, token);
    steps.push(step);
    remember(step, ids);
  }
  upsetBefore(Number.POSITIVE_INFINITY, 0);
  return steps;
}

/** A fault of the target, or the end of a stream. */
type Upset = FaultEvent | (Omit<FaultEvent, 'fault'> & { readonly stream: string });

const endsStreamsOf = (party: string, { fault }: FaultEvent): boolean =>
  isPartyFault(fault)
    ? fault.party === party && ['streams drop', 'streams break', 'partition'].includes(fault.fault)
    : fault.fault === 'restart';

/** In the order in which they came. A stream that a fault has ended needs no other end. */
function upsetsIn(
  exchanges: readonly Exchange[],
  resumed: Slice['resumed'],
  faultEvents: readonly FaultEvent[],
): Upset[] {
  const drops = exchanges.flatMap(({ id, party }): Upset[] => {
    const before = resumed.get(id);
    if (!before) return [];
    const { stream, endedAt: at, endedAfter: precededBy } = before;
    const isEnded = faultEvents.some((one) => one.at === at && endsStreamsOf(party, one));
    return isEnded ? [] : [{ stream, at, precededBy, lastsMs: 0 }];
  });
  return [...faultEvents, ...drops].toSorted((a, b) => a.at - b.at || a.precededBy - b.precededBy);
}

const comesBefore = (upset: Upset, at: number, precededBy: number): boolean =>
  upset.at < at || (upset.at === at && upset.precededBy <= precededBy);

/** Undefined if the order or stream that it is about is not in the flow. */
function upsetStep(
  upset: Upset,
  ids: ReadonlyMap<string, Template>,
  listens: ReadonlyMap<string, ListenStep>,
): ReproStep | undefined {
  if ('stream' in upset) {
    const listen = listens.get(upset.stream);
    return listen?.isOwn === false
      ? { kind: 'drop', party: listen.party, stream: rootOf(listen) }
      : undefined;
  }
  const { fault, intentId } = upset;
  const needsStream = fault.fault === 'streams break' || fault.fault === 'streams stall';
  if (needsStream && ![...listens.values()].some(({ party }) => party === fault.party))
    return undefined;
  if (intentId === undefined) return { kind: 'fault', fault };
  const of = ids.get(intentId);
  return of && { kind: 'fault', fault, of };
}

/** The step that opened it first. */
const rootOf = ({ name, resumes }: ListenStep): string => resumes ?? name;

function listenStep(
  recorded: Exchange,
  name: string,
  ids: ReadonlyMap<string, Template>,
  token: Credential,
  before: ListenStep | undefined,
): ListenStep {
  const order = recorded.query['intent_id'];
  return {
    kind: 'listen',
    name,
    party: recorded.party as CastName,
    token,
    path: inText(recorded.request.path, ids),
    ...(order !== undefined && { intentId: inText(order, ids) }),
    isOwn: isBySelf(recorded),
    ...(before?.isOwn === false && { resumes: rootOf(before) }),
    recorded,
  };
}

/** Headers that every client adds by itself. */
const usualHeaders = new Set(['accept', 'authorization', 'content-type', 'content-length', 'host']);

function callStep(
  recorded: Exchange,
  name: string,
  ids: ReadonlyMap<string, Template>,
  known: Known,
  token: Credential,
): CallStep {
  const { request, params, party } = recorded;
  const { intent_id: intentId, quote_id: quoteId } = params;
  const control = controlOf(recorded, known.controls);
  const headers = Object.entries(request.headers).filter(
    ([header, value]) =>
      (!usualHeaders.has(header) &&
        !isCorrelationHeader(header) &&
        !(typeof token === 'object' && 'header' in token && token.header === header)) ||
      (header === 'content-type' && !value.startsWith('application/json')),
  );
  return {
    kind: 'call',
    name,
    party: party as CastName,
    token,
    path: inText(request.path, ids),
    headers: Object.fromEntries(headers),
    ...(request.body !== undefined && { body: bodyOf(recorded, ids, known) }),
    ...(intentId !== undefined && { intentId: inText(intentId, ids) }),
    ...(quoteId !== undefined && { quoteId: inText(quoteId, ids) }),
    ...(control && { control }),
    recorded,
  };
}

/** Fields that identify an order: real backends may take each value once. */
const madeUp: Readonly<Record<string, RegExp>> = {
  source_contract_id: /^[0-9a-f]{64}#0$/,
  intent_signature: /^[0-9a-f]{128}$/,
};

/** The body of a request, with references to earlier answers, times relative to now, and identifying values anew. */
function bodyOf(recorded: Exchange, ids: ReadonlyMap<string, Template>, known: Known): Template {
  const isCreation = recorded.endpoint === 'order.create';
  const templateOf = (value: unknown, name = ''): Template => {
    if (Array.isArray(value)) return { kind: 'list', items: value.map((one) => templateOf(one)) };
    if (isObject(value)) {
      const fields = Object.entries(value).map(
        ([key, one]) => [key, templateOf(one, key)] as const,
      );
      return { kind: 'object', fields };
    }
    if (typeof value !== 'string') return plain(value);
    if (isCreation && madeUp[name]?.test(value) && !known.sentTwice?.has(value)) {
      const [digits = '', end] = value.split('#');
      return { kind: 'fresh', digits: digits.length, end: end === undefined ? '' : `#${end}` };
    }
    const at = parseTimestamp(value);
    if (at === undefined) return ids.get(value) ?? plain(value);
    return { kind: 'later', ms: Math.round(at - recorded.sent - known.aheadMs) };
  };
  return templateOf(recorded.request.body);
}

/** A text in which ids stand, as a path. */
export function inText(text: string, ids: ReadonlyMap<string, Template>): Template {
  const whole = ids.get(text) ?? ids.get(decoded(text));
  if (whole) return whole;
  const found = [...ids].filter(
    ([id]) => text.includes(id) || text.includes(encodeURIComponent(id)),
  );
  let parts: Template[] = [plain(text)];
  for (const [id, template] of found) {
    parts = parts.flatMap((part) => {
      if (part.kind !== 'plain' || typeof part.value !== 'string') return [part];
      return part.value
        .split(part.value.includes(id) ? id : encodeURIComponent(id))
        .flatMap((piece, index) => (index === 0 ? [plain(piece)] : [template, plain(piece)]));
    });
  }
  const kept = parts.filter((part) => part.kind !== 'plain' || part.value !== '');
  return kept.length === 1 && kept[0] ? kept[0] : { kind: 'text', parts: kept };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Saves the ids of one answer for later steps. Ids in lists are not saved: another run may list the items otherwise.
 */
function remember({ name, recorded }: CallStep, ids: Map<string, Template>): void {
  const data = dataIn(recorded);
  if (!isObject(data)) return;
  for (const field of ['intent_id', 'quote_id']) {
    const value = data[field];
    if (typeof value !== 'string' || ids.has(value)) continue;
    ids.set(value, { kind: 'answer', step: name, path: ['data', field] });
  }
}
