import {
  axisHeight,
  drawAxis,
  drawDeadlines,
  type Drawing,
  drawLanes,
  drawWaits,
  heightOf,
  laneY,
  line,
  type Viewport,
} from './backdrop.ts';
import type { Entry } from './entries.ts';
import type { Palette } from './palette.ts';

/** Minimum pixels per entry for arrows: with fewer they would be a grey surface, so only marks are drawn. */
const arrowsFrom = 7;
const labelsFrom = 84;

const toneColour = ({ kind, tone }: Entry, palette: Palette): string => {
  if (kind === 'failure' || tone === 'broken') return palette.fail;
  if (tone === 'refused') return palette.warn;
  return kind === 'event' ? palette.pass : kind === 'call' ? palette.accent : palette.soft;
};

export function draw(context: CanvasRenderingContext2D, drawing: Drawing, view: Viewport): void {
  const { entries, scale, palette, fonts } = drawing;
  const height = heightOf(drawing);
  const x = (position: number): number => (position - view.left) * view.zoom;
  const first = Math.max(0, scale.firstFrom(view.left) - 1);
  const last = Math.min(entries.length, scale.firstFrom(view.left + view.width / view.zoom) + 1);
  context.clearRect(0, 0, view.width, height);
  context.font = `11px ${fonts.sans}`;
  context.textBaseline = 'middle';
  drawWaits(context, drawing, x, first, last);
  drawLanes(context, drawing, view.width);
  drawDeadlines(context, drawing, view, x);
  drawAxis(context, drawing, view, x, first, last);
  const room = 100 * view.zoom;
  for (let index = first; index < last; index += 1) {
    const entry = entries[index];
    if (!entry) continue;
    const at = Math.round(x(scale.positions[index] ?? 0)) + 0.5;
    drawEntry(context, drawing, entry, at, room, index === view.selected);
    const state = drawing.changes.get(index);
    if (state !== undefined && room >= labelsFrom) drawState(context, drawing, entry, state, at);
  }
  if (drawing.isFollowing) drawStates(context, drawing, view, x);
  const chosen = entries[view.selected];
  if (chosen) {
    context.strokeStyle = palette.ink;
    context.setLineDash([1, 3]);
    line(context, x(scale.positions[view.selected] ?? 0), axisHeight, undefined, height);
    context.setLineDash([]);
  }
}

function drawEntry(
  context: CanvasRenderingContext2D,
  { lanes, palette, fonts }: Drawing,
  entry: Entry,
  x: number,
  room: number,
  isSelected: boolean,
): void {
  const colour = toneColour(entry, palette);
  const lane = entry.party === undefined ? -1 : lanes.indexOf(entry.party);
  const y = laneY(lane + 1);
  if (entry.isEvidence) {
    context.fillStyle = palette.flag;
    context.fillRect(x - Math.min(room / 2, 22), y - 14, Math.min(room, 44), 28);
  }
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (entry.kind === 'failure' || entry.kind === 'note') {
    context.fillRect(x - 2, laneY(0) - 3, 4, 6);
    if (entry.kind === 'failure') line(context, x, laneY(0), undefined, laneY(lanes.length));
  } else if (room < arrowsFrom) {
    context.globalAlpha = entry.isPulse ? 0.25 : 0.75;
    context.fillRect(x - 0.75, y - (entry.kind === 'call' ? 9 : 0), 1.5, 9);
    context.globalAlpha = 1;
  } else if (entry.kind === 'end') {
    context.fillRect(x - 3, y - 3, 6, 6);
  } else {
    const top = laneY(0);
    context.globalAlpha = 0.55;
    line(context, x, y, undefined, top);
    context.globalAlpha = 1;
    if (entry.kind === 'call') arrow(context, x, top, 6, room);
    else arrow(context, x, y, -6, room);
    context.beginPath();
    context.arc(x, entry.kind === 'call' ? y : top, Math.min(3, room / 4), 0, 7);
    context.fill();
  }
  if (isSelected) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.strokeRect(x - 8, y - 12, 16, 24);
    context.lineWidth = 1;
  }
  if (room < labelsFrom) return;
  context.font = `11px ${fonts.mono}`;
  context.fillStyle = palette.ink;
  context.fillText(fitted(context, entry.says, room - 12), x + 7, y + 9);
  if (entry.answer !== undefined) {
    context.fillStyle = colour;
    context.fillText(fitted(context, entry.answer, room - 12), x + 7, y - 8);
  }
  context.font = `11px ${fonts.sans}`;
}

function arrow(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  length: number,
  room: number,
): void {
  const half = Math.min(3.5, room / 3);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - half, y + length);
  context.lineTo(x + half, y + length);
  context.fill();
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  const most = Math.max(3, Math.floor(room / context.measureText('0').width));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Draws the new state of an order above the lane of the backend. */
function drawState(
  context: CanvasRenderingContext2D,
  { palette }: Drawing,
  { orders }: Entry,
  state: string,
  x: number,
): void {
  context.fillStyle = palette.open;
  context.fillText(`${state} ${(orders.at(-1) ?? '').slice(0, 4)}`, x + 7, laneY(0) - 9);
}

/** Draws the states of the followed order, one after another. */
function drawStates(
  context: CanvasRenderingContext2D,
  { changes, scale, palette, lanes }: Drawing,
  { width }: Viewport,
  x: (position: number) => number,
): void {
  const y = laneY(lanes.length + 1);
  const all = [...changes];
  for (const [place, [index, state]] of all.entries()) {
    const from = Math.max(-2, x(scale.positions[index] ?? 0));
    const next = all[place + 1];
    const to = Math.min(width + 2, next ? x(scale.positions[next[0]] ?? 0) : x(scale.length));
    if (to < 0 || from > width) continue;
    context.fillStyle = palette.well;
    context.strokeStyle = palette.open;
    context.fillRect(from, y - 11, to - from - 1, 22);
    context.strokeRect(from + 0.5, y - 10.5, to - from - 2, 21);
    context.fillStyle = palette.open;
    context.fillText(fitted(context, state, to - from - 10), from + 6, y);
  }
}
