import type { Frame } from '../../history/records.ts';
import type { ScenarioReport } from '../../results/run-report.ts';
import { type Mark, markOfFrame, toneOf } from './mark.ts';
import type { PlacedRecord } from './places.ts';
import { type Sequence, sequenceOf } from './sequence.ts';

type Line = ScenarioReport['timeline'][number];

function markOfLine(
  line: Line,
  records: readonly PlacedRecord[],
  evidence: ReadonlySet<string>,
): Mark {
  const { at_ms, says, party, outcome, exchange, line: number } = line;
  const sent = records.find(({ record }) => record.id === exchange)?.record;
  const kind = party === undefined ? 'note' : says === 'sees' ? 'sight' : 'call';
  return {
    kind,
    atMs: at_ms,
    says,
    tone: kind === 'call' && sent?.kind === 'exchange' ? toneOf(sent) : 'plain',
    isEvidence: exchange !== undefined && evidence.has(exchange),
    ...(party !== undefined && { party }),
    ...(outcome !== undefined && { answer: outcome }),
    ...(exchange !== undefined && { id: exchange }),
    ...(number !== undefined && { line: number }),
  };
}

type Failed = NonNullable<ScenarioReport['failures']>[number];

const markOfFailure = ({ at, message, mismatches }: Failed, atMs: number): Mark => ({
  kind: 'failure',
  atMs,
  says: `${at}: ${message}`,
  tone: 'broken',
  isEvidence: true,
  mismatches,
});

/** Frames in the order of the history, each with its place there, and the start of the scenario on that clock. */
interface Told {
  readonly frames: readonly { readonly frame: Frame; readonly place: number }[];
  readonly placeOf: ReadonlyMap<string, number>;
  readonly startMs: number | undefined;
}

function toldIn(records: readonly PlacedRecord[], timeline: readonly Line[]): Told {
  const placeOf = new Map(records.map(({ record, place }) => [record.id, place]));
  const frames = records.flatMap(({ record, place }) =>
    record.kind === 'frame' ? [{ frame: record, place }] : [],
  );
  // A line with an exchange is written as soon as that is answered: the two clocks meet there.
  const anchor = timeline.find(({ exchange }) => exchange !== undefined && placeOf.has(exchange));
  const meeting = records.find(({ record }) => record.id === anchor?.exchange);
  const startMs = anchor && meeting ? meeting.record.received - anchor.at_ms : undefined;
  return { frames, placeOf, startMs };
}

/**
 * Place at which the next exchange of a line was sent: earlier events come before it, events that it caused after it.
 */
function nextPlace(lines: readonly Line[], placeOf: ReadonlyMap<string, number>): number {
  for (const { exchange } of lines) {
    const place = exchange === undefined ? undefined : placeOf.get(exchange);
    if (place !== undefined) return place;
  }
  return Number.POSITIVE_INFINITY;
}

const isPulse = (frame: Frame): boolean => frame.event === 'heartbeat';
const mostMarks = 32;

/** Steps of a scenario, events that its parties received between them, and its failures. */
export function sequenceOfScenario(
  scenario: ScenarioReport,
  records: readonly PlacedRecord[],
): Sequence {
  const { timeline, failures = [], took_ms } = scenario;
  const evidence = new Set(failures.flatMap(({ exchanges }) => exchanges));
  const { frames, placeOf, startMs } = toldIn(records, timeline);
  const marks: Mark[] = [];
  let next = 0;
  const tellUntil = (isBefore: (one: { frame: Frame; place: number }) => boolean): void => {
    for (; startMs !== undefined; next += 1) {
      const one = frames[next];
      if (!one || !isBefore(one)) return;
      if (!isPulse(one.frame) || evidence.has(one.frame.id)) {
        marks.push(markOfFrame(one.frame, startMs, evidence));
      }
    }
  };
  const failAfter = (lines: number): void => {
    for (const failure of failures.filter(({ after }) => after === lines)) {
      const line = timeline[lines];
      const atMs = Math.max((line ? line.at_ms : took_ms) ?? 0, marks.at(-1)?.atMs ?? 0);
      tellUntil((one) => !line || one.frame.received - (startMs ?? 0) <= atMs);
      marks.push(markOfFailure(failure, atMs));
    }
  };
  failAfter(0);
  for (const [index, line] of timeline.entries()) {
    const place = nextPlace(timeline.slice(index), placeOf);
    const atMost = line.exchange === undefined ? line.at_ms : Number.POSITIVE_INFINITY;
    tellUntil((one) => one.place < place && one.frame.received - (startMs ?? 0) <= atMost);
    marks.push(markOfLine(line, records, evidence));
    failAfter(index + 1);
  }
  tellUntil(() => true);
  const heartbeats =
    startMs === undefined ? 0 : frames.filter(({ frame }) => isPulse(frame)).length;
  return sequenceOf(marks, heartbeats, mostMarks);
}
