import { castNames } from '../../spec/requirements/requirement.ts';
import type { Mark } from './mark.ts';

/** One row of a sequence diagram. Time runs downwards. */
export type Row =
  /** Marks of one moment, side by side: events for several parties. */
  | { readonly kind: 'moment'; readonly atMs: number; readonly marks: readonly Mark[] }
  | { readonly kind: 'across'; readonly atMs: number; readonly mark: Mark }
  /** Time without marks, of any length. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** Marks that are not drawn, with their duration. `alike`: they repeat the row above. */
  | {
      readonly kind: 'left_out';
      readonly marks: number;
      readonly ms: number;
      readonly alike: boolean;
    };

export interface Sequence {
  /** One lane per party. */
  readonly parties: readonly string[];
  readonly rows: readonly Row[];
  /** Number of heartbeats on its streams. They are not drawn. */
  readonly heartbeats: number;
}

/** Minimum duration of a wait. Shorter times are network latency. */
const shortestWaitMs = 500;
/** Number of marks drawn before and after each evidence of a failure. */
const [before, after] = [8, 2];
const mostEvidence = 4;

/** Evidence and failures are always drawn. */
const matters = ({ isEvidence, kind }: Mark): boolean => isEvidence || kind === 'failure';

const isAgain = (mark: Mark, former: Mark | undefined): boolean =>
  former !== undefined &&
  !matters(mark) &&
  !matters(former) &&
  mark.party === former.party &&
  mark.kind === former.kind &&
  mark.says === former.says &&
  mark.answer === former.answer &&
  mark.line === former.line;

/** Positions within a series of equal marks. They are not drawn: of a poll, only the first and the last request are. */
function repeats(marks: readonly Mark[]): ReadonlySet<number> {
  const places = marks.map((mark, place) => isAgain(mark, marks[place - 1]));
  return new Set(
    places.flatMap((again, place) =>
      again && places[place - 1] && places[place + 1] ? [place] : [],
    ),
  );
}

/**
 * Positions of the marks that are drawn. Of a long sequence: its beginning and its end or, if something failed, its
 * beginning and the marks around the evidence.
 */
function shownPlaces(
  marks: readonly Mark[],
  hidden: ReadonlySet<number>,
  most: number,
): ReadonlySet<number> {
  const left = [...marks.keys()].filter((place) => !hidden.has(place));
  if (left.length <= most) return new Set(left);
  const all = left.flatMap((place, rank) => {
    const mark = marks[place];
    return mark && matters(mark) ? [rank] : [];
  });
  const centres = [...new Set([...all.slice(0, mostEvidence), ...all.slice(-1)])];
  const [first, last] =
    centres.length > 0 ? [3, 0] : [Math.ceil((most * 2) / 3), Math.floor(most / 3)];
  return new Set(
    left.filter(
      (_, rank) =>
        rank < first ||
        rank >= left.length - last ||
        centres.some((centre) => rank >= centre - before && rank <= centre + after),
    ),
  );
}

/** The cast as the document orders it, then any other party. */
function lanesOf(marks: readonly Mark[]): readonly string[] {
  const seen = new Set(marks.flatMap(({ party }) => party ?? []));
  const cast = castNames.filter((name) => seen.has(name));
  return [...new Set([...cast, ...seen])];
}

/** True if a mark belongs into the row before it: events of one moment, each in its own lane. */
const standsBeside = (row: Row | undefined, mark: Mark): boolean =>
  row?.kind === 'moment' &&
  mark.kind === 'event' &&
  row.atMs === mark.atMs &&
  row.marks.every(({ kind, party }) => kind === 'event' && party !== mark.party);

/**
 * Turns marks, in the order of time, into rows of a sequence diagram.
 * @param most approximate maximum number of marks; `every`: all of them, including repeated ones
 */
export function sequenceOf(
  marks: readonly Mark[],
  heartbeats: number,
  most: number | 'every',
): Sequence {
  const again: ReadonlySet<number> = most === 'every' ? new Set() : repeats(marks);
  const shown = most === 'every' ? new Set(marks.keys()) : shownPlaces(marks, again, most);
  const rows: Row[] = [];
  let hidden: number[] = [];
  let nowMs = 0;
  /** Marks that are left out take the time until the next mark. */
  const pass = (atMs: number): void => {
    const ms = Math.max(0, atMs - nowMs);
    if (hidden.length > 0) {
      const alike = hidden.every((place) => again.has(place));
      rows.push({ kind: 'left_out', marks: hidden.length, ms, alike });
    } else if (ms >= shortestWaitMs) rows.push({ kind: 'wait', ms });
    hidden = [];
    nowMs = Math.max(nowMs, atMs);
  };
  for (const [place, mark] of marks.entries()) {
    if (!shown.has(place)) {
      hidden.push(place);
      continue;
    }
    pass(mark.atMs);
    const last = rows.at(-1);
    if (last?.kind === 'moment' && standsBeside(last, mark)) {
      rows[rows.length - 1] = { ...last, marks: [...last.marks, mark] };
    } else if (mark.party === undefined) rows.push({ kind: 'across', atMs: mark.atMs, mark });
    else rows.push({ kind: 'moment', atMs: mark.atMs, marks: [mark] });
  }
  pass(marks.at(-1)?.atMs ?? 0);
  return { parties: lanesOf(marks.filter((_, place) => shown.has(place))), rows, heartbeats };
}

/** "250 ms", "4.5 s", "1 min 2.5 s", "48 h": whole milliseconds, so that no rounding differs anywhere. */
export function durationText(ms: number): string {
  const whole = Math.round(ms);
  if (whole < 1_000) return `${whole} ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const rest = whole % 60_000;
  const fraction = String(rest % 1_000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  const seconds = `${Math.floor(rest / 1_000)}${fraction === '' ? '' : `.${fraction}`} s`;
  return [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(rest > 0 ? [seconds] : []),
  ].join(' ');
}
