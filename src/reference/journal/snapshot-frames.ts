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
interface SnapshotHead
  extends Omit<SegmentHead, 'kind'>,
    Omit<Snapshot, 'state' | 'tails'>,
    Pick<SavedState, 'holdings' | 'faults'> {
  readonly kind: 'snapshot';
}

const tables = ['orders', 'quotes', 'settlements'] as const;

type SnapshotLine =
  | SnapshotHead
  | { readonly kind: (typeof tables)[number]; readonly rows: readonly unknown[] }
  | ({ readonly kind: 'tail' } & EventTail)
  /** Last line of every whole snapshot. */
  | { readonly kind: 'end' };

/** Rows in one line: enough that the cost of a line is small, few enough that other work gets its turn. */
const rowsInLine = 256;

/** Lines of a snapshot's file, made one at a time: the writer may do other work in between. */
export function* snapshotFrames(
  place: Omit<SegmentHead, 'kind'>,
  { at, carriedOut, epoch, state, deadlines, tails }: Snapshot,
): Generator<Buffer> {
  const { holdings, faults } = state;
  const line = (value: SnapshotLine): Buffer => Buffer.from(lineOf(JSON.stringify(value)));
  const moment = { at, carriedOut, epoch };
  yield line({ kind: 'snapshot', ...place, ...moment, holdings, faults, deadlines });
  for (const kind of tables)
    for (let from = 0; from < state[kind].length; from += rowsInLine)
      yield line({ kind, rows: state[kind].slice(from, from + rowsInLine) });
  for (const tail of tails) yield line({ kind: 'tail', ...tail });
  yield line({ kind: 'end' });
}

/** Reads a snapshot from its lines; undefined if they do not begin or end as a snapshot does. */
export function snapshotOf(texts: readonly string[]) {
  const lines = texts.map((text) => JSON.parse(text) as SnapshotLine);
  const [first] = lines;
  if (first?.kind !== 'snapshot' || lines.at(-1)?.kind !== 'end') return undefined;
  const { head, number, records, at, carriedOut, epoch, holdings, faults, deadlines } = first;
  const tails = lines.flatMap((line): EventTail[] => {
    if (line.kind !== 'tail') return [];
    const { to, next, events } = line;
    return [{ to, next, events }];
  });
  const rowsOf = <R>(kind: (typeof tables)[number]): R[] =>
    lines.flatMap((line) => ('rows' in line && line.kind === kind ? (line.rows as R[]) : []));
  const state: SavedState = {
    format: 'assay.core/1',
    config: head.config,
    orders: rowsOf('orders'),
    quotes: rowsOf('quotes'),
    settlements: rowsOf('settlements'),
    holdings,
    faults,
  };
  const snapshot: Snapshot = { at, carriedOut, epoch, state, deadlines, tails };
  return { head, number, records, snapshot };
}
