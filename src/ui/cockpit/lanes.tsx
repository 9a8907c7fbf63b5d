import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { FindingShown } from '../../cockpit/view/messages.ts';
import type { Row } from '../../cockpit/view/row.ts';
import { spanText, timeText, whatText } from './display-text.ts';

/** Maximum number of marks: the last ones up to the shown moment are drawn. */
const mostMarks = 160;
const [laneHeight, head, step, pause] = [28, 24, 16, 46] as const;
/** Width of the time label of a moment in pixels, with some space after it. */
const timeWidth = 96;

const laneY = (lane: number): number => head + (lane + 0.5) * laneHeight;

interface Mark {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}

interface Moment {
  readonly x: number;
  readonly at: number;
  /** Milliseconds since the previous moment. */
  readonly afterMs: number;
  /** True if there is room for its time label. */
  readonly isNamed: boolean;
}

interface Drawing {
  readonly marks: readonly Mark[];
  /** Moments at which time advances. */
  readonly moments: readonly Moment[];
  readonly width: number;
}

export const isTold = ({ what, driver, kind }: Row): boolean =>
  what !== 'heartbeat' && !(driver === 'itself' && kind === 'exchange');

function drawn(rows: readonly Row[], parties: readonly string[]): Drawing {
  const marks: Mark[] = [];
  const moments: Moment[] = [];
  let x = 20;
  let free = 0;
  let at: number | undefined;
  for (const row of rows) {
    const lane = parties.indexOf(row.party);
    if (lane === -1) continue;
    if (row.at !== at) {
      if (at !== undefined) x += pause;
      const isNamed = x >= free;
      if (isNamed) free = x + timeWidth;
      moments.push({ x, at: row.at, afterMs: row.at - (at ?? row.at), isNamed });
      at = row.at;
    }
    marks.push({ row, x, y: laneY(lane) });
    x += step;
  }
  return { marks, moments, width: Math.max(x + 20, free) };
}

/** The wanted rows up to the shown place, the latest first. */
export function latestRows(
  { rows, count, place = count - 1 }: Pick<ShownRows, 'rows' | 'count' | 'place'>,
  most: number,
  isWanted: (row: Row) => boolean,
): Row[] {
  const found: Row[] = [];
  for (let at = Math.min(place, count - 1); at >= 0 && found.length < most; at -= 1) {
    const row = rows[at];
    if (row && isWanted(row)) found.push(row);
  }
  return found;
}

const classOf = ({ kind, status = 200, driver }: Row, verdict: string | undefined): string => {
  if (verdict !== undefined) return verdict;
  if (kind === 'frame') return 'event';
  return status >= 200 && status < 300 ? driver : 'refused';
};

/** The rows of the page, and what is chosen of them. */
export interface ShownRows {
  readonly rows: readonly Row[];
  readonly count: number;
  /** The shown row; undefined: the current moment. */
  readonly place: number | undefined;
  readonly order: string;
  readonly verdicts: ReadonlyMap<string, FindingShown['outcome']>;
  readonly selected: number | undefined;
  readonly onSelect: (row: Row) => void;
}

/**
 * A lane for each party, with its requests and the events of its stream. The list of messages shows the same in words.
 */
export function Lanes(props: ShownRows & { readonly parties: readonly string[] }) {
  const { rows, count, place, parties, order, verdicts, selected, onSelect } = props;
  const drawing = useMemo(
    () => drawn(latestRows(props, mostMarks, isTold).toReversed(), parties),
    [rows, count, place, parties],
  );
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo({ left: drawing.width });
  }, [drawing]);
  const height = head + parties.length * laneHeight + 6;
  const trace = drawing.marks.filter(({ row }) => order !== '' && row.intentId === order);
  return (
    <div class="lanes">
      <ul class="bare lane-names small soft" style={{ paddingTop: `${head}px` }}>
        {parties.map((name) => (
          <li key={name} style={{ height: `${laneHeight}px` }}>
            {name}
          </li>
        ))}
      </ul>
      <div ref={scroller} tabIndex={0} role="region" aria-label="Lanes of the parties">
        <svg
          width={drawing.width}
          height={height}
          role="img"
          aria-label={`${drawing.marks.length} messages on ${parties.length} lanes; the list of messages tells each`}
        >
          {parties.map((name, lane) => (
            <line key={name} class="lane" x1={0} x2="100%" y1={laneY(lane)} y2={laneY(lane)} />
          ))}
          {drawing.moments.map(({ x, at, afterMs, isNamed }, index) => (
            <g key={index} class="moment">
              <title>{`${timeText(at)}, ${spanText(afterMs)} later`}</title>
              <line x1={x - 10} x2={x - 10} y1={isNamed ? 2 : head - 8} y2={height} />
              {isNamed && (
                <text x={x - 6} y={12}>
                  {timeText(at)}
                </text>
              )}
            </g>
          ))}
          {trace.length > 1 && (
            <polyline class="trace" points={trace.map(({ x, y }) => `${x},${y}`).join(' ')} />
          )}
          {drawing.marks.map(({ row, x, y }) => (
            <g
              key={row.place}
              class={`mark ${classOf(row, verdicts.get(row.id))} ${order !== '' && row.intentId !== order ? 'dim' : ''} ${row.place === selected ? 'selected' : ''}`}
              onClick={() => onSelect(row)}
            >
              <title>{`${row.party}: ${whatText(row.what)}${row.status === undefined ? '' : ` ${row.status}`}`}</title>
              {row.kind === 'frame' ? (
                <circle cx={x} cy={y} r={5} />
              ) : (
                <rect x={x - 6} y={y - 7} width={12} height={14} rx={2} />
              )}
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}
