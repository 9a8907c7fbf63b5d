import { durationText } from '../../../report/sequence/sequence.ts';
import type { Deadline, Entry } from './entries.ts';
import type { Palette } from './palette.ts';
import type { Scale } from './scale.ts';

/** Content and style of the drawing. Lengths are CSS pixels. */
export interface Drawing {
  readonly entries: readonly Entry[];
  readonly scale: Scale;
  readonly lanes: readonly string[];
  readonly changes: ReadonlyMap<number, string>;
  /** Deadlines with their positions on the axis. */
  readonly deadlines: readonly (Deadline & { readonly position: number })[];
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

/** A drawing that is painted, with the part of it that is in view. */
export interface Picture extends Drawing, Viewport {
  readonly context: CanvasRenderingContext2D;
  /** Pixels from the left of a position. */
  readonly x: (position: number) => number;
  /** Index of the first entry in view. */
  readonly first: number;
  /** Index after the last entry in view. */
  readonly last: number;
}

export const axisHeight = 26;
export const laneHeight = 34;
/** The lane of the backend comes first. */
export const laneY = (lane: number): number => axisHeight + laneHeight * (lane + 0.5);

export const heightOf = ({ lanes, isFollowing }: Drawing): number =>
  axisHeight + laneHeight * (lanes.length + 1 + (isFollowing ? 1 : 0)) + 6;

const shortestWaitMs = 500;

export function line(
  { context }: Picture,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

export function drawLanes(picture: Picture): void {
  const { context, lanes, palette, width } = picture;
  for (let lane = 0; lane <= lanes.length; lane += 1) {
    context.strokeStyle = lane === 0 ? palette.edge : palette.line;
    context.lineWidth = lane === 0 ? 1.5 : 1;
    line(picture, [0, laneY(lane)], [width, laneY(lane)]);
  }
  context.lineWidth = 1;
}

export function drawWaits({
  context,
  entries,
  scale,
  palette,
  lanes,
  x,
  first,
  last,
}: Picture): void {
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

export function drawAxis(picture: Picture): void {
  const { context, entries, scale, palette, startMs, left, width, zoom, x, first, last } = picture;
  context.fillStyle = palette.soft;
  context.strokeStyle = palette.edge;
  let free = 2;
  let told = Number.NaN;
  for (let index = first; index < last; index += 1) {
    const at = x(scale.positions[index] ?? 0);
    const ms = (entries[index]?.atMs ?? 0) - startMs;
    if (at < free) {
      const next = scale.firstFrom(left + free / zoom);
      if (next > index + 1) index = next - 1;
      continue;
    }
    if (ms === told) continue;
    const words = `+${durationText(ms)}`;
    line(picture, [at, axisHeight - 6], [at, axisHeight]);
    const wide = context.measureText(words).width;
    context.fillText(words, Math.min(at + 4, width - wide - 4), axisHeight - 13);
    free = at + Math.max(110, wide + 24);
    told = ms;
  }
}

export function drawDeadlines(picture: Picture): void {
  const { context, deadlines, palette, lanes, width, x } = picture;
  context.strokeStyle = palette.warn;
  context.fillStyle = palette.warn;
  context.setLineDash([4, 3]);
  let free = Number.NEGATIVE_INFINITY;
  const bottom = axisHeight + laneHeight * (lanes.length + 1);
  for (const { what, position } of deadlines) {
    const at = Math.round(x(position)) + 0.5;
    if (at < -80 || at > width) continue;
    context.globalAlpha = deadlines.length > 60 ? 0.35 : 1;
    line(picture, [at, axisHeight + 16], [at, bottom]);
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
