import { isObject, type JsonObject } from '../../../history/json.ts';
import type { Exchange, Frame, HistoryRecord } from '../../../history/records.ts';
import { createPlacer } from '../../../report/sequence/places.ts';
import { evidenceIds } from '../../../report/evidence.ts';
import { type Mark, markOfExchange, markOfFrame } from '../../../report/sequence/mark.ts';
import type { RunReport } from '../../../results/run-report.ts';

/** One entry of the timeline. Times are milliseconds since the epoch, on the clock of the run. */
export interface Entry extends Omit<Mark, 'kind' | 'id' | 'line' | 'mismatches'> {
  /**
   * `call`: a request of a party. `event`: an event on its stream. `end`: the end of its stream. The others belong to a
   * scenario.
   */
  readonly kind: 'call' | 'event' | 'end' | 'note' | 'failure';
  /** Id of the record; empty if there is none. */
  readonly id: string;
  /** Index of its line in the history; -1 if it is not in the history. */
  readonly line: number;
  /** Sort key of entries at the same moment. */
  readonly place: number;
  readonly by: string;
  /** Ids of the orders that it is about, in lower case. */
  readonly orders: readonly string[];
  /** State of its order that the entry shows. */
  readonly state?: string | undefined;
  readonly deadlines: readonly Deadline[];
  readonly isPulse: boolean;
}

export interface Deadline {
  /** The field that names it: `expires_at`. */
  readonly what: string;
  readonly atMs: number;
}

/**
 * Collects the entries of a history, line by line, so that the reader of a long one can pause between lines.
 * `offsetMs`: how far the target's clock is ahead of the run's.
 */
export function createGatherer(report: RunReport) {
  const { target, scenarios = [] } = report;
  const offsetMs = target.clock.offset_ms ?? 0;
  const evidence = evidenceIds(report);
  const placeOf = createPlacer();
  const entries: Entry[] = [];
  return {
    add(record: HistoryRecord, line: number): void {
      const place = placeOf(record, line);
      entries.push({ ...entryOf(record, evidence, offsetMs), line, place });
    },
    /** All entries in the order of time, including the notes of scenarios between their exchanges. */
    done(): readonly Entry[] {
      const notes = scenarios.flatMap((one) => notesOf(one, entries));
      return [...entries, ...notes].toSorted(
        (one, other) => one.atMs - other.atMs || one.place - other.place,
      );
    },
  };
}

function entryOf(record: HistoryRecord, evidence: ReadonlySet<string>, offsetMs: number): Entry {
  const { by, party } = record;
  if (record.kind === 'end') {
    const says = { us: 'stream closed', target: 'stream ended', error: 'stream broke' };
    return {
      ...blank,
      kind: 'end',
      by,
      party,
      atMs: record.at,
      says: says[record.cause],
      tone: record.cause === 'error' ? 'broken' : 'plain',
    };
  }
  const resource = resourceOf(record);
  const isExchange = record.kind === 'exchange';
  const mark = isExchange ? markOfExchange(record, 0, evidence) : markOfFrame(record, 0, evidence);
  return {
    ...blank,
    ...mark,
    kind: isExchange ? 'call' : 'event',
    by,
    orders: ordersOf(record, resource),
    state: stateOf(record, resource),
    deadlines: deadlinesOf(resource, offsetMs),
    isPulse: !isExchange && record.event === 'heartbeat',
  };
}

const blank = {
  id: '',
  line: -1,
  place: 0,
  tone: 'plain',
  orders: [],
  deadlines: [],
  isPulse: false,
  isEvidence: false,
} as const;

const namesOrder = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value['intent_id'] === 'string';

/** Resource of an answer or an event; some targets wrap it once more. */
function resourceOf(record: Exchange | Frame): JsonObject | undefined {
  const body = record.kind === 'frame' ? record.data : record.response?.body;
  if (!isObject(body)) return undefined;
  const inner = isObject(body['data']) ? body['data'] : body;
  if (namesOrder(inner)) return inner;
  return Object.values(inner).find(namesOrder);
}

function ordersOf(record: Exchange | Frame, resource: JsonObject | undefined): readonly string[] {
  const ids = [
    record.kind === 'exchange' ? record.params['intent_id'] : undefined,
    resource?.['intent_id'],
  ].flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
  return ids.length > 1 && ids[0] === ids[1] ? ids.slice(1) : ids;
}

/**
 * State of the order that the resource shows. Quotes have their own states and also name their order, so they are
 * excluded.
 */
function stateOf(record: Exchange | Frame, resource: JsonObject | undefined): string | undefined {
  const status = resource?.['status'];
  if (!resource || typeof status !== 'string' || status.length > 40) return undefined;
  const isOrder =
    'source_amount_max' in resource ||
    (record.kind === 'frame' && record.event === 'order_updated');
  return isOrder ? status : undefined;
}

const deadlineFields = ['expires_at', 'valid_until'] as const;

function deadlinesOf(resource: JsonObject | undefined, offsetMs: number): readonly Deadline[] {
  return deadlineFields.flatMap((what) => {
    const value = resource?.[what];
    const atMs = typeof value === 'string' ? Date.parse(value) - offsetMs : Number.NaN;
    return Number.isNaN(atMs) ? [] : [{ what, atMs }];
  });
}

/** Waits, faults and failures of a scenario, which are not in the records. */
function notesOf(
  { id, timeline, failures = [], took_ms }: NonNullable<RunReport['scenarios']>[number],
  entries: readonly Entry[],
): readonly Entry[] {
  const byId = new Map(entries.flatMap((one) => (one.by === id ? [[one.id, one] as const] : [])));
  const anchor = timeline.find(({ exchange }) => exchange !== undefined && byId.has(exchange));
  const meeting = byId.get(anchor?.exchange ?? '');
  if (!anchor || !meeting) return [];
  const startMs = meeting.atMs - anchor.at_ms;
  let place = meeting.place - 0.3;
  const noted = (kind: 'note' | 'failure', atMs: number, says: string): Entry => {
    place += 0.001;
    const tone = kind === 'note' ? 'plain' : 'broken';
    return { ...blank, kind, by: id, atMs, says, place, tone };
  };
  const notes = timeline.flatMap(({ party, exchange, at_ms, says }) => {
    place = byId.get(exchange ?? '')?.place ?? place;
    return party === undefined ? [noted('note', startMs + at_ms, says)] : [];
  });
  const ends = failures.map(({ after, at, message }) => {
    place = Number.MAX_SAFE_INTEGER;
    const atMs = timeline[after]?.at_ms ?? took_ms ?? timeline.at(-1)?.at_ms ?? 0;
    return noted('failure', startMs + atMs, `${at}: ${message}`);
  });
  return [...notes, ...ends];
}
