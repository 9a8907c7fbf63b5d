import type { SavedState } from '../core/index.ts';
import { lineOf } from './framing.ts';
import type { EventTail, JournalHead, Snapshot } from './records.ts';

/** First line of a segment. `records`: number of records in the files before it, to detect a missing file. */
export interface SegmentHead {
  readonly kind: 'segment';
  readonly number: number;
  readonly records: number;
  readonly head: JournalHead;
}

/** First line of a snapshot, which replaces all segments below `number`, with `records` records in them. */
interface SnapshotHead {
  readonly kind: 'snapshot';
  readonly number: number;
  readonly records: number;
  readonly head: JournalHead;
  readonly at: number;
  readonly carriedOut: number;
  readonly epoch: number;
  readonly holdings: SavedState['holdings'];
  readonly faults: SavedState['faults'];
  readonly deadlines: Snapshot['deadlines'];
}

type SnapshotLine =
  | SnapshotHead
  | { readonly kind: 'orders'; readonly rows: SavedState['orders'] }
  | { readonly kind: 'quotes'; readonly rows: SavedState['quotes'] }
  | { readonly kind: 'settlements'; readonly rows: SavedState['settlements'] }
  | ({ readonly kind: 'tail' } & EventTail)
  /** Last line of every whole snapshot. */
  | { readonly kind: 'end' };

/** Rows in one line: enough that the cost of a line is small, few enough that other work gets its turn. */
const rowsInLine = 256;

/** Lines of a snapshot's file, made one at a time: the writer may do other work in between. */
export function* snapshotFrames(
  place: { readonly number: number; readonly records: number; readonly head: JournalHead },
  { at, carriedOut, epoch, state, deadlines, tails }: Snapshot,
): Generator<Buffer> {
  const { holdings, faults } = state;
  const line = (value: SnapshotLine): Buffer => Buffer.from(lineOf(JSON.stringify(value)));
  const moment = { at, carriedOut, epoch };
  yield line({ kind: 'snapshot', ...place, ...moment, holdings, faults, deadlines });
  for (const rows of inParts(state.orders)) yield line({ kind: 'orders', rows });
  for (const rows of inParts(state.quotes)) yield line({ kind: 'quotes', rows });
  for (const rows of inParts(state.settlements)) yield line({ kind: 'settlements', rows });
  for (const tail of tails) yield line({ kind: 'tail', ...tail });
  yield line({ kind: 'end' });
}

function* inParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += rowsInLine)
    yield rows.slice(from, from + rowsInLine);
}

export interface ReadSnapshot {
  readonly head: JournalHead;
  readonly number: number;
  readonly records: number;
  readonly snapshot: Snapshot;
}

/** Reads a snapshot from its lines; undefined if they do not begin or end as a snapshot does. */
export function snapshotOf(texts: readonly string[]): ReadSnapshot | undefined {
  const lines = texts.map((text) => JSON.parse(text) as SnapshotLine);
  const [first] = lines;
  if (first?.kind !== 'snapshot' || lines.at(-1)?.kind !== 'end') return undefined;
  const { head, number, records, at, carriedOut, epoch, holdings, faults, deadlines } = first;
  const orders: SavedState['orders'][] = [];
  const quotes: SavedState['quotes'][] = [];
  const settlements: SavedState['settlements'][] = [];
  const tails: EventTail[] = [];
  for (const line of lines) {
    if (line.kind === 'orders') orders.push(line.rows);
    else if (line.kind === 'quotes') quotes.push(line.rows);
    else if (line.kind === 'settlements') settlements.push(line.rows);
    else if (line.kind === 'tail') {
      const { to, next, events } = line;
      tails.push({ to, next, events });
    }
  }
  const state: SavedState = {
    format: 'assay.core/1',
    config: head.config,
    orders: orders.flat(),
    quotes: quotes.flat(),
    settlements: settlements.flat(),
    holdings,
    faults,
  };
  const snapshot = { at, carriedOut, epoch, state, deadlines, tails };
  return { head, number, records, snapshot };
}
