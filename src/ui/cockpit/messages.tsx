import { useEffect, useRef, useState } from 'preact/hooks';
import type { FindingShown } from '../../cockpit/view/messages.ts';
import type { Row } from '../../cockpit/view/row.ts';
import { isTold } from './lanes.tsx';
import { shortId, timeText, whatText } from './display-text.ts';

const mostShown = 150;

interface MessagesProps {
  readonly rows: readonly Row[];
  readonly count: number;
  readonly place: number | undefined;
  readonly order: string;
  readonly verdicts: ReadonlyMap<string, FindingShown['outcome']>;
  readonly selected: number | undefined;
  readonly onSelect: (row: Row) => void;
  readonly record: (place: number) => Promise<unknown>;
}

function lastShown(
  { rows, place, count, order }: MessagesProps,
  all: boolean,
  own: boolean,
): Row[] {
  const found: Row[] = [];
  for (let at = Math.min(place ?? count - 1, count - 1); at >= 0; at -= 1) {
    const row = rows[at];
    if (!row || (!all && !isTold(row)) || (own && row.intentId !== order)) continue;
    found.push(row);
    if (found.length >= mostShown) break;
  }
  return found;
}

/** All messages in words, the latest first; arrow keys move from one to the next. */
export function Messages(props: MessagesProps) {
  const { order, verdicts, selected, onSelect, record } = props;
  const [all, setAll] = useState(false);
  const [own, setOwn] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = lastShown(props, all, own && order !== '');
  const current = shown.some(({ place }) => place === selected) ? selected : shown[0]?.place;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = shown[shown.findIndex(({ place }) => place === current) + by];
    if (!next) return;
    onSelect(next);
    list.current?.querySelector<HTMLElement>(`[data-place="${next.place}"]`)?.focus();
  };
  return (
    <section class="panel messages" aria-labelledby="messages-title">
      <header>
        <h2 id="messages-title">Messages</h2>
        <label class="small">
          <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> heartbeats and
          tokens
        </label>
        <label class="small">
          <input type="checkbox" checked={own} onChange={() => setOwn(!own)} /> chosen order only
        </label>
      </header>
      <ul ref={list} onKeyDown={move}>
        {shown.map((row) => (
          <li key={row.place}>
            <button
              type="button"
              class={`message ${verdicts.get(row.id) ?? ''}`}
              data-place={row.place}
              tabIndex={row.place === current ? 0 : -1}
              aria-pressed={row.place === selected}
              onClick={() => onSelect(row)}
            >
              <span class="mono soft">{timeText(row.at)}</span>
              <span class="party">{row.party}</span>
              <span>{row.kind === 'frame' ? `← ${whatText(row.what)}` : whatText(row.what)}</span>
              <Outcome row={row} verdict={verdicts.get(row.id)} />
            </button>
          </li>
        ))}
        {shown.length === 0 && <li class="soft">None yet.</li>}
      </ul>
      <Whole place={selected} record={record} />
    </section>
  );
}

function Outcome({ row, verdict }: { readonly row: Row; readonly verdict: string | undefined }) {
  const { status, trouble, intentId, driver } = row;
  const isRefused = status !== undefined && (status < 200 || status > 299);
  return (
    <span class="outcome">
      {status !== undefined && (
        <span class={isRefused ? 'warn-text' : 'soft'}>{status === 0 ? trouble : status}</span>
      )}
      {status === undefined && trouble !== undefined && <span class="warn-text">{trouble}</span>}
      {intentId !== undefined && <code class="soft">{shortId(intentId)}</code>}
      {driver === 'outside' && <span class="soft small">from elsewhere</span>}
      {verdict !== undefined && <span class={`verdict ${verdict}`}>{verdict}</span>}
    </span>
  );
}

/** The whole record from the history. */
function Whole({
  place,
  record,
}: Pick<MessagesProps, 'record'> & { readonly place: number | undefined }) {
  const [text, setText] = useState('');
  useEffect(() => {
    if (place === undefined) return undefined;
    let isWanted = true;
    void record(place).then((value) => {
      if (isWanted) setText(JSON.stringify(value, null, 2));
    });
    return () => {
      isWanted = false;
    };
  }, [place, record]);
  if (place === undefined || text === '') return null;
  return (
    <pre class="whole" tabIndex={0} role="region" aria-label="The chosen message">
      {text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}
    </pre>
  );
}
