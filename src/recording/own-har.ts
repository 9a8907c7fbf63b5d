import { isObject } from '../history/json.ts';
import { bytesOfLines, type LinePiece } from '../history/jsonl.ts';
import { recordProblem } from '../history/record-problem.ts';
import { inRecordShape } from '../history/record-shapes.ts';
import type { Exchange, Frame, HistoryRecord, StreamEnd } from '../history/records.ts';
import { harEntryOf, type SentExchange, sentExchanges } from './har-entry-writer.ts';
import type { HarText } from './har-text.ts';
import type { LostPlace } from './history-recording.ts';

/** Creator name in a file whose entries hold whole records. */
const creator = 'assay';

/**
 * Data of an exchange that HAR has no member for: its driver, its token label, and its index among all records. Bodies
 * and headers are only in the entry itself.
 */
interface OwnPart {
  readonly at: number;
  readonly exchange: Omit<Exchange, 'request' | 'response'> & { readonly path: string };
  /** Meaning of the text of the answer. Absent: the answer had none that was kept. */
  readonly answer?: 'body' | 'text';
  /** Present if the answer came, whatever was in it. */
  readonly answered?: true;
  readonly sentAs?: 'body' | 'text';
  readonly oddities?: readonly string[];
  readonly frames?: readonly FramePart[];
  readonly end?: { readonly at: number; readonly record: StreamEnd };
}

interface FramePart {
  readonly at: number;
  readonly frame: Omit<Frame, 'data' | 'text'>;
  readonly payload?: 'data' | 'text';
}

type Places = ReadonlyMap<HistoryRecord, number>;

function ownPartOf(
  { exchange: whole, frames }: SentExchange,
  places: Places,
  end: StreamEnd | undefined,
): OwnPart {
  const { request, response, ...exchange } = whole;
  const { body } = request;
  const answer =
    response?.body !== undefined ? 'body' : response?.text === undefined ? undefined : 'text';
  const at = (record: HistoryRecord): number => places.get(record) ?? 0;
  return {
    at: at(whole),
    exchange: { ...exchange, path: request.path },
    ...(response && { answered: true }),
    ...(answer && { answer }),
    ...(body !== undefined && { sentAs: typeof body === 'string' ? 'text' : 'body' }),
    ...(response?.oddities && { oddities: response.oddities }),
    ...(frames.length > 0 && {
      frames: frames.map((frame): FramePart => {
        const { data, text, ...rest } = frame;
        const payload = data !== undefined ? 'data' : text === undefined ? undefined : 'text';
        return { at: at(frame), frame: rest, ...(payload && { payload }) };
      }),
    }),
    ...(end && { end: { at: at(end), record: end } }),
  };
}

/**
 * Writes a history as HAR 1.2. Reading it gives the same history.
 * @param report report of the run, with the addresses of parties and the facts that were known of the target
 */
export function harOf(
  records: readonly HistoryRecord[],
  report: {
    readonly suite: { readonly version: string };
    readonly target: {
      readonly participants: Readonly<Record<string, { readonly base_url: string }>>;
    };
  },
): Generator<LinePiece> {
  return bytesOfLines(linesOf());

  function* linesOf(): Generator<string> {
    const places = new Map(records.map((record, at) => [record, at]));
    const ends = new Map(
      records.flatMap((one) => (one.kind === 'end' ? [[one.stream, one] as const] : [])),
    );
    const { participants } = report.target;
    // A party without an address, as those of the embedded reference, gets one that cannot be reached.
    const baseUrlOf = (party: string): string => {
      const url = participants[party]?.base_url ?? '';
      return /^https?:/.test(url) ? url : `http://${encodeURIComponent(party)}.invalid`;
    };
    const head = JSON.stringify({
      version: '1.2',
      creator: { name: creator, version: report.suite.version },
      pages: [],
      _report: report,
    });
    yield `{"log":${head.slice(0, -1)},"entries":[`;
    const all = sentExchanges(records, baseUrlOf);
    for (const [index, one] of all.entries()) {
      const own = ownPartOf(one, places, ends.get(one.exchange.id));
      const entry = JSON.stringify({ ...harEntryOf(one), _assay: own });
      yield index === all.length - 1 ? entry : `${entry},`;
    }
    yield ']}}';
  }
}

/** Throws if the entry cannot be read. */
function recordsOf(entry: unknown): readonly (readonly [at: number, record: HistoryRecord])[] {
  const { _assay, request, response, _eventSourceMessages: messages = [] } = entry as EntryParts;
  const { exchange: known, answered, answer, sentAs, oddities, frames = [], end } = _assay;
  const { path, ...exchange } = known;
  const read = (as: 'body' | 'text' | 'data', text = ''): unknown =>
    as === 'text' ? text : JSON.parse(text);
  const { content } = response;
  const whole = {
    ...exchange,
    request: {
      method: request.method,
      path,
      headers: headersIn(request.headers),
      ...(sentAs && { body: read(sentAs, request.postData?.text) }),
    },
    ...(answered && {
      response: {
        status: response.status,
        headers: headersIn(response.headers),
        ...(answer && { [answer]: read(answer, content.text) }),
        ...(oddities && { oddities }),
      },
    }),
  } as Exchange;
  return [
    [_assay.at, whole],
    ...frames.map(({ at, frame, payload }, index) => {
      const { data } = messages[index] ?? {};
      return [
        at,
        { ...frame, ...(payload && { [payload]: read(payload, data) }) } as Frame,
      ] as const;
    }),
    ...(end ? [[end.at, end.record] as const] : []),
  ];
}

interface EntryParts {
  readonly _assay: OwnPart;
  readonly request: {
    readonly method: string;
    readonly headers: readonly NamedValue[];
    readonly postData?: { readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly NamedValue[];
    readonly content: { readonly text?: string };
  };
  readonly _eventSourceMessages?: readonly { readonly data: string }[];
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

const headersIn = (headers: readonly NamedValue[]): Record<string, string> =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value]));

/** The history in a HAR that we wrote; undefined for any other HAR, and for one that another tool has changed. */
export function ownRecords(
  har: HarText,
): { readonly records: readonly HistoryRecord[]; readonly lost: readonly LostPlace[] } | undefined {
  const isOurs = (entry: unknown): boolean => isObject(entry) && isObject(entry['_assay']);
  if (har.creator !== creator || !har.entries.some(isOurs)) return undefined;
  const placed: (readonly [at: number, record: HistoryRecord])[] = [];
  const lost: LostPlace[] = [];
  for (const [index, entry] of har.entries.entries()) {
    const place = `log.entries[${index}]`;
    try {
      const some = recordsOf(entry);
      const problem = some.map(([, record]) => recordProblem(record)).find((one) => one);
      if (problem === undefined) placed.push(...some);
      else lost.push({ place, message: problem });
    } catch (error) {
      lost.push({ place, message: error instanceof Error ? error.message : String(error) });
    }
  }
  const records = placed.toSorted(([a], [b]) => a - b).map(([, record]) => inRecordShape(record));
  return { records, lost };
}
