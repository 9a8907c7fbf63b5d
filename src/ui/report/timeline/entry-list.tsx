import { useEffect, useRef, useState } from 'preact/hooks';
import { durationText } from '../../../report/sequence/sequence.ts';
import { printable } from '../../../report/formats/escape.ts';
import type { Entry } from './entries.ts';

interface EntryListProps {
  readonly entries: readonly Entry[];
  readonly changes: ReadonlyMap<number, string>;
  readonly startMs: number;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

const rowHeight = 30;
/** Number of extra rows above and below the visible ones. */
const beyond = 12;

/** One row per entry. Only rows in sight are in the document; arrow keys move from one to the next. */
export function EntryList({ entries, changes, startMs, selected, onSelect }: EntryListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    const at = selected * rowHeight;
    if (at < element.scrollTop || at + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = at - element.clientHeight / 2;
    }
  }, [selected, entries]);

  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: Math.floor(height / rowHeight),
    PageUp: -Math.floor(height / rowHeight),
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || entries.length === 0) return;
    event.preventDefault();
    onSelect(Math.min(entries.length - 1, Math.max(0, selected < 0 ? 0 : selected + step)));
  };
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond);
  const last = Math.min(entries.length, Math.ceil((top + height) / rowHeight) + beyond);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const isThere = selected >= first && selected < last;
  return (
    <div
      ref={box}
      class="box entries"
      role="listbox"
      aria-label="What happened, in the order of time"
      tabIndex={0}
      aria-activedescendant={isThere ? `entry-${selected}` : undefined}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (selected < 0 && entries.length > 0) onSelect(0);
      }}
    >
      <div role="presentation" style={{ height: `${entries.length * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {places.map((index) => {
            const entry = entries[index];
            return (
              entry && (
                <Row
                  key={index}
                  index={index}
                  entry={entry}
                  all={entries.length}
                  state={changes.get(index)}
                  startMs={startMs}
                  isSelected={index === selected}
                  onSelect={onSelect}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly all: number;
  readonly entry: Entry;
  readonly state: string | undefined;
  readonly startMs: number;
  readonly isSelected: boolean;
  readonly onSelect: (index: number) => void;
}

const signs: Readonly<Record<Entry['kind'], string>> = {
  call: '→',
  event: '←',
  end: '■',
  note: '·',
  failure: '✕',
};

const Row = ({ index, all, entry, state, startMs, isSelected, onSelect }: RowProps) => (
  <div
    id={`entry-${index}`}
    class={`entry small ${entry.kind} tone-${entry.tone}${entry.isEvidence ? ' flagged' : ''}`}
    role="option"
    aria-selected={isSelected}
    aria-posinset={index + 1}
    aria-setsize={all}
    onClick={() => onSelect(index)}
  >
    <span class="when">+{durationText(entry.atMs - startMs)}</span>
    <span class="who">{entry.party ?? ''}</span>
    <span class="sign" aria-hidden="true">
      {signs[entry.kind]}
    </span>
    <span class="says">{printable(entry.says)}</span>
    <span class="answer">{printable(entry.answer ?? '')}</span>
    <span class="state">
      {state !== undefined && printable(state)}
      {entry.isEvidence && <em>evidence</em>}
    </span>
  </div>
);
