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
  type Picture,
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
  const { left, width, zoom, selected } = view;
  const height = heightOf(drawing);
  const x = (position: number): number => (position - left) * zoom;
  const first = Math.max(0, scale.firstFrom(left) - 1);
  const last = Math.min(entries.length, scale.firstFrom(left + width / zoom) + 1);
  const picture = { ...drawing, ...view, context, x, first, last };
  context.clearRect(0, 0, width, height);
  context.font = `11px ${fonts.sans}`;
  context.textBaseline = 'middle';
  drawWaits(picture);
  drawLanes(picture);
  drawDeadlines(picture);
  drawAxis(picture);
  for (let index = first; index < last; index += 1) drawEntry(picture, index);
  if (drawing.isFollowing) drawStates(picture);
  if (entries[selected]) {
    const at = x(scale.positions[selected] ?? 0);
    context.strokeStyle = palette.ink;
    context.setLineDash([1, 3]);
    line(picture, [at, axisHeight], [at, height]);
    context.setLineDash([]);
  }
}

function drawEntry(picture: Picture, index: number): void {
  const { context, entries, scale, lanes, palette, fonts } = picture;
  const entry = entries[index];
  if (!entry) return;
  const x = Math.round(picture.x(scale.positions[index] ?? 0)) + 0.5;
  const room = 100 * picture.zoom;
  const colour = toneColour(entry, palette);
  const lane = entry.party === undefined ? -1 : lanes.indexOf(entry.party);
  const y = laneY(lane + 1);
  const top = laneY(0);
  if (entry.isEvidence) {
    context.fillStyle = palette.flag;
    context.fillRect(x - Math.min(room / 2, 22), y - 14, Math.min(room, 44), 28);
  }
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (entry.kind === 'failure' || entry.kind === 'note') {
    context.fillRect(x - 2, top - 3, 4, 6);
    if (entry.kind === 'failure') line(picture, [x, top], [x, laneY(lanes.length)]);
  } else if (room < arrowsFrom) {
    context.globalAlpha = entry.isPulse ? 0.25 : 0.75;
    context.fillRect(x - 0.75, y - (entry.kind === 'call' ? 9 : 0), 1.5, 9);
    context.globalAlpha = 1;
  } else if (entry.kind === 'end') {
    context.fillRect(x - 3, y - 3, 6, 6);
  } else {
    context.globalAlpha = 0.55;
    line(picture, [x, y], [x, top]);
    context.globalAlpha = 1;
    const half = Math.min(3.5, room / 3);
    const [head, end, length] = entry.kind === 'call' ? [top, y, 6] : [y, top, -6];
    context.beginPath();
    context.moveTo(x, head);
    context.lineTo(x - half, head + length);
    context.lineTo(x + half, head + length);
    context.fill();
    context.beginPath();
    context.arc(x, end, Math.min(3, room / 4), 0, 7);
    context.fill();
  }
  if (index === picture.selected) {
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
  const state = picture.changes.get(index);
  if (state === undefined) return;
  // The new state of its order is above the lane of the backend.
  context.fillStyle = palette.open;
  context.fillText(`${state} ${(entry.orders.at(-1) ?? '').slice(0, 4)}`, x + 7, top - 9);
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  const most = Math.max(3, Math.floor(room / context.measureText('0').width));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Draws the states of the followed order, one after another. */
function drawStates({ context, changes, scale, palette, lanes, width, x }: Picture): void {
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
