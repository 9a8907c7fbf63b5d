import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axisHeight, type Drawing, heightOf, laneHeight } from './backdrop.ts';
import { draw } from './drawing.ts';
import { paletteOf } from './palette.ts';

interface LanesProps {
  readonly drawing: Omit<Drawing, 'palette' | 'fonts'>;
  /** Index of the selected entry; -1 for none. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

interface Window {
  readonly left: number;
  readonly zoom: number;
}

const [closest, widest] = [4, 0.0001];

/**
 * Lanes of the parties over time, on a canvas, since there may be tens of thousands of marks. The list shows the same
 * entries.
 */
export function Lanes({ drawing, selected, onSelect }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [theme, setTheme] = useState(0);
  const whole = (wide: number): Window => ({ left: 0, zoom: wide / drawing.scale.length });
  const [shown, setShown] = useState<Window | undefined>(undefined);
  const view = shown ?? { left: 0, zoom: Math.max(width / drawing.scale.length, 0.02) };
  const full = useMemo(() => {
    const element = canvas.current ?? document.body;
    const { fontFamily } = getComputedStyle(document.body);
    const fonts = { sans: fontFamily, mono: 'ui-monospace, Menlo, Consolas, monospace' };
    return { ...drawing, palette: paletteOf(element.parentElement ?? document.body), fonts };
  }, [drawing, theme, width]);

  useEffect(() => setShown(undefined), [drawing.scale]);
  useEffect(() => {
    const place = canvas.current?.parentElement;
    if (!place) return undefined;
    const watch = new ResizeObserver(() => setWidth(place.clientWidth));
    watch.observe(place);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const repaint = (): void => setTheme((before) => before + 1);
    scheme.addEventListener('change', repaint);
    addEventListener('themechange', repaint);
    return () => {
      watch.disconnect();
      scheme.removeEventListener('change', repaint);
      removeEventListener('themechange', repaint);
    };
  }, []);

  const moved = ({ left, zoom }: Window): Window => {
    const bounded = Math.min(
      closest,
      Math.max(Math.min(widest, width / drawing.scale.length), zoom),
    );
    const most = Math.max(0, drawing.scale.length - width / bounded);
    return { zoom: bounded, left: Math.min(Math.max(0, left), most) };
  };
  const zoomBy = (factor: number, at = width / 2): void => {
    const held = view.left + at / view.zoom;
    const { zoom } = moved({ ...view, zoom: view.zoom * factor });
    setShown(moved({ zoom, left: held - at / zoom }));
  };
  const panBy = (pixels: number): void =>
    setShown(moved({ ...view, left: view.left + pixels / view.zoom }));

  // Keeps the selected entry in sight while the user steps through the entries.
  useEffect(() => {
    const position = drawing.scale.positions[selected];
    if (position === undefined || width === 0) return;
    const at = (position - view.left) * view.zoom;
    if (at < 30 || at > width - 60) {
      setShown(moved({ ...view, left: position - width / 2 / view.zoom }));
    }
  }, [selected, drawing.scale, width]);

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return;
    const ratio = devicePixelRatio;
    const height = heightOf(full);
    if (element.width !== Math.round(width * ratio)) element.width = Math.round(width * ratio);
    if (element.height !== Math.round(height * ratio)) element.height = Math.round(height * ratio);
    element.style.height = `${height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context, full, { ...view, width, selected });
  });

  const pick = (event: MouseEvent): void => {
    const { positions } = drawing.scale;
    const sought = view.left + event.offsetX / view.zoom;
    const lane = Math.floor((event.offsetY - axisHeight) / laneHeight) - 1;
    const next = drawing.scale.firstFrom(sought);
    const party = drawing.lanes[lane];
    let best = -1;
    let least = 18;
    const span = Math.max(8, Math.ceil(18 / (100 * view.zoom)));
    for (let index = Math.max(0, next - span); index < next + span; index += 1) {
      const entry = drawing.entries[index];
      if (!entry || (party !== undefined && entry.party !== party)) continue;
      const away = Math.abs((positions[index] ?? 0) - sought) * view.zoom;
      if (away < least) [best, least] = [index, away];
    }
    if (best >= 0) onSelect(best);
  };
  const onWheel = (event: WheelEvent): void => {
    const isZoom = event.ctrlKey || event.metaKey;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (!isZoom && Math.abs(sideways) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
    event.preventDefault();
    if (isZoom) zoomBy(Math.exp(-event.deltaY / 300), event.offsetX);
    else panBy(sideways);
  };
  const drag = useRef<{ x: number; left: number; isMoved: boolean } | undefined>(undefined);
  const moves = [
    ['+', 'Zoom in', () => zoomBy(1.8)],
    ['−', 'Zoom out', () => zoomBy(1 / 1.8)],
    ['←', 'Earlier', () => panBy(-width * 0.7)],
    ['→', 'Later', () => panBy(width * 0.7)],
  ] as const;
  const names = ['backend', ...drawing.lanes, ...(drawing.isFollowing ? ['state'] : [])];

  return (
    <div class="box lanes">
      <div class="row lane-tools screen" role="toolbar" aria-label="Zoom and pan">
        {moves.map(([sign, label, move]) => (
          <button key={label} type="button" onClick={move} aria-label={label}>
            {sign}
          </button>
        ))}
        <button type="button" onClick={() => setShown(whole(width))}>
          All
        </button>
        <button
          type="button"
          disabled={selected < 0}
          onClick={() => {
            const position = drawing.scale.positions[selected] ?? 0;
            setShown(moved({ zoom: 1.2, left: position - width / 2 / 1.2 }));
          }}
        >
          Close up
        </button>
        <span class="small soft wide-only">
          Drag to pan, Ctrl and the wheel to zoom, click an entry to read it.
        </span>
      </div>
      <div class="lane-sheet">
        <div class="lane-names soft" aria-hidden="true">
          {names.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
        <div class="lane-canvas">
          <canvas
            ref={canvas}
            role="img"
            aria-label={`${drawing.lanes.length} lanes with ${drawing.entries.length} entries; the list below tells the same`}
            onWheel={onWheel}
            onPointerDown={(event) => {
              drag.current = { x: event.clientX, left: view.left, isMoved: false };
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
              const held = drag.current;
              if (!held) return;
              const by = event.clientX - held.x;
              held.isMoved ||= Math.abs(by) > 4;
              if (held.isMoved) setShown(moved({ ...view, left: held.left - by / view.zoom }));
            }}
            onPointerUp={(event) => {
              if (drag.current && !drag.current.isMoved) pick(event);
              drag.current = undefined;
            }}
            onPointerCancel={() => {
              drag.current = undefined;
            }}
          />
        </div>
      </div>
    </div>
  );
}
