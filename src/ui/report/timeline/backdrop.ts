import { durationText } from '../../../report/sequence/sequence.ts';
import type { Deadline, Entry } from './entries.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

/** A deadline with its position on the axis. */
export interface PlacedDeadline extends Deadline {
  readonly position: number;
}

/** Content and style of the drawing. Lengths are CSS pixels. */
export interface Drawing {
  readonly entries: readonly Entry[];
  readonly scale: Scale;
  readonly lanes: readonly string[];
  readonly changes: ReadonlyMap<number, string>;
  readonly deadlines: readonly PlacedDeadline[];
  /** The order's states have a lane of their own. */
  readonly isFollowing: boolean;
  readonly startMs: number;
  readonly palette: Palette;
  readonly fonts: { readonly sans: string; readonly mono: string };
}

export interface Viewport {
  readonly width: number;
  /** Position at the left edge, in units of the scale. */
  readonly left: number;
  /** Pixels for a unit. */
  readonly zoom: number;
  readonly selected: number;
}

export const axisHeight = 26;
export const laneHeight = 34;
/** The lane of the backend comes first. */
export const laneY = (lane: number): number => axisHeight + laneHeight * (lane + 0.5);

export const heightOf = ({ lanes, isFollowing }: Drawing): number =>
  axisHeight + laneHeight * (lanes.length + 1 + (isFollowing ? 1 : 0)) + 6;

const shortestWaitMs = 500;

export function line(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  x2: number | undefined,
  y2: number,
): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x2 ?? x, y2);
  context.stroke();
}

export function drawLanes(
  context: CanvasRenderingContext2D,
  { lanes, palette }: Drawing,
  width: number,
) {
  for (let lane = 0; lane <= lanes.length; lane += 1) {
    context.strokeStyle = lane === 0 ? palette.edge : palette.line;
    context.lineWidth = lane === 0 ? 1.5 : 1;
    line(context, 0, laneY(lane), width, laneY(lane));
  }
  context.lineWidth = 1;
}

export function drawWaits(
  context: CanvasRenderingContext2D,
  { entries, scale, palette, lanes }: Drawing,
  x: (position: number) => number,
  first: number,
  last: number,
): void {
  for (let index = Math.max(1, first); index <= last && index < entries.length; index += 1) {
    const ms = (entries[index]?.atMs ?? 0) - (entries[index - 1]?.atMs ?? 0);
    if (ms < shortestWaitMs) continue;
    const from = x((scale.positions[index - 1] ?? 0) + 50);
    const to = x((scale.positions[index] ?? 0) - 50);
    if (to - from < 3) continue;
    context.fillStyle = palette.well;
    context.fillRect(from, axisHeight, to - from, laneHeight * (lanes.length + 1));
    const words = durationText(ms);
    if (to - from < context.measureText(words).width + 12) continue;
    context.fillStyle = palette.soft;
    context.textAlign = 'center';
    context.fillText(words, (from + to) / 2, axisHeight + 8);
    context.textAlign = 'left';
  }
}

export function drawAxis(
  context: CanvasRenderingContext2D,
  { entries, scale, palette, startMs }: Drawing,
  view: Viewport,
  x: (position: number) => number,
  first: number,
  last: number,
): void {
  context.fillStyle = palette.soft;
  context.strokeStyle = palette.edge;
  let free = 2;
  let told = Number.NaN;
  for (let index = first; index < last; index += 1) {
    const at = x(scale.positions[index] ?? 0);
    const ms = (entries[index]?.atMs ?? 0) - startMs;
    if (at < free) {
      const next = scale.firstFrom(view.left + free / view.zoom);
      if (next > index + 1) index = next - 1;
      continue;
    }
    if (ms === told) continue;
    const words = `+${durationText(ms)}`;
    line(context, at, axisHeight - 6, undefined, axisHeight);
    const wide = context.measureText(words).width;
    context.fillText(words, Math.min(at + 4, view.width - wide - 4), axisHeight - 13);
    free = at + Math.max(110, wide + 24);
    told = ms;
  }
}

export function drawDeadlines(
  context: CanvasRenderingContext2D,
  { deadlines, palette, lanes }: Drawing,
  { width }: Viewport,
  x: (position: number) => number,
): void {
  context.strokeStyle = palette.warn;
  context.fillStyle = palette.warn;
  context.setLineDash([4, 3]);
  let free = Number.NEGATIVE_INFINITY;
  const bottom = axisHeight + laneHeight * (lanes.length + 1);
  for (const { what, position } of deadlines) {
    const at = Math.round(x(position)) + 0.5;
    if (at < -80 || at > width) continue;
    context.globalAlpha = deadlines.length > 60 ? 0.35 : 1;
    line(context, at, axisHeight + 16, undefined, bottom);
    context.globalAlpha = 1;
    if (at < free || deadlines.length > 60) continue;
    const wide = context.measureText(what).width;
    // At the right edge the name is drawn before the line.
    const isLast = at + 4 + wide > width;
    context.fillText(what, isLast ? at - 4 - wide : at + 4, bottom - 5);
    free = at + wide + 10;
  }
  context.setLineDash([]);
}
