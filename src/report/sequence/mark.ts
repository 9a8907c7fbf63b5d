import type { ScenarioFailure } from '../../results/run-report.ts';
import { isObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';

/**
 * One item of a sequence diagram. `call`: a request of a party, with its answer. `event`: an event on a party's stream.
 * `sight`: a step found the events that it waited for. `note`: an item of no party, as a wait or a fault. `failure`: a
 * failed expectation.
 */
export interface Mark {
  readonly kind: 'call' | 'event' | 'sight' | 'note' | 'failure';
  /** Milliseconds since the sequence began. */
  readonly atMs: number;
  /** Lane of the item. Absent: it goes across all lanes. */
  readonly party?: string;
  readonly says: string;
  /** "201 PENDING", "409 wrong_state". */
  readonly answer?: string;
  /** `broken`: no usable answer at all. A refusal may be what the step expected. */
  readonly tone: 'plain' | 'done' | 'refused' | 'broken';
  /** Id in `history.jsonl`. */
  readonly id?: string;
  /** Line in the scenario's file. */
  readonly line?: number;
  /** True if it is evidence of a failure. */
  readonly isEvidence: boolean;
  /** Expected and actual values of a failure. */
  readonly mismatches?: ScenarioFailure['mismatches'];
}

/** A word that a target chose, short enough for a lane. */
const word = (value: unknown): string =>
  typeof value === 'string' && value !== '' && value.length <= 40 ? ` ${value}` : '';

const uuid = /([0-9a-f]{4})[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** A path short enough for a lane: without the common prefix, and with shortened ids. */
export function lanePath(path: string): string {
  const short = path.replace(/^\/api\/v\d+(?=\/)/, '').replace(uuid, '$1…');
  return short.length > 80 ? `${short.slice(0, 80)}…` : short;
}

function answerOf({ response, error }: Exchange): string {
  if (!response) return `no answer: ${error?.code ?? 'nothing came'}`;
  const { body } = response;
  if (!isObject(body)) return String(response.status);
  const { data } = body;
  const state = isObject(data) ? word(data['status']) : '';
  const items = Array.isArray(data) ? ` ${data.length} item${data.length === 1 ? '' : 's'}` : '';
  return `${response.status}${state}${items}${word(body['code'])}`;
}

export function toneOf({ response }: Exchange): Mark['tone'] {
  const hundreds = Math.floor((response?.status ?? 0) / 100);
  if (hundreds === 2 || hundreds === 3) return 'done';
  return hundreds === 4 ? 'refused' : 'broken';
}

export function markOfExchange(
  exchange: Exchange,
  startMs: number,
  evidence: ReadonlySet<string>,
): Mark {
  const { id, party, request, auth, opensStream, sent } = exchange;
  const token = auth === 'own' ? '' : auth === 'none' ? ', no token' : `, token: ${auth}`;
  const opening = opensStream ? ', a stream' : '';
  return {
    kind: 'call',
    atMs: sent - startMs,
    party,
    says: `${request.method} ${lanePath(request.path)}${opening}${token}`,
    answer: answerOf(exchange),
    tone: toneOf(exchange),
    id,
    isEvidence: evidence.has(id),
  };
}

export function markOfFrame(frame: Frame, startMs: number, evidence: ReadonlySet<string>): Mark {
  const { id, party, event, data, received } = frame;
  return {
    kind: 'event',
    atMs: received - startMs,
    party,
    says: `${event}${isObject(data) ? word(data['status']) : ''}`,
    tone: 'plain',
    id,
    isEvidence: evidence.has(id),
  };
}
