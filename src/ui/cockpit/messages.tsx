import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../../cockpit/view/row.ts';
import { Checkbox } from '../shared/fields.tsx';
import { isTold, latestRows, type ShownRows } from './lanes.tsx';
import { Panel } from './panel.tsx';
import { shortId, timeText, whatText } from './display-text.ts';

const mostShown = 150;

interface MessagesProps extends ShownRows {
  readonly record: (place: number) => Promise<unknown>;
}

/** All messages in words, the latest first; arrow keys move from one to the next. */
export function Messages(props: MessagesProps) {
  const { order, verdicts, selected, onSelect, record } = props;
  const [all, setAll] = useState(false);
  const [own, setOwn] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = latestRows(
    props,
    mostShown,
    (row) => (all || isTold(row)) && (!own || order === '' || row.intentId === order),
  );
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
    <Panel
      id="messages"
      title="Messages"
      name="messages"
      head={
        <>
          <Checkbox label="heartbeats and tokens" name="small" checked={all} onChange={setAll} />
          <Checkbox label="chosen order only" name="small" checked={own} onChange={setOwn} />
        </>
      }
    >
      <ul class="bare" ref={list} onKeyDown={move}>
        {shown.map((row) => (
          <li key={row.place}>
            <button
              type="button"
              class={`message small ${verdicts.get(row.id) ?? ''}`}
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
    </Panel>
  );
}

function Outcome({ row, verdict }: { readonly row: Row; readonly verdict: string | undefined }) {
  const { status, trouble, intentId, driver } = row;
  const isGranted = status !== undefined && status >= 200 && status < 300;
  const says = status || trouble;
  return (
    <span class="outcome">
      {says !== undefined && <span class={isGranted ? 'soft' : 'warn-text'}>{says}</span>}
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
    <pre class="well whole" tabIndex={0} role="region" aria-label="The chosen message">
      {text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}
    </pre>
  );
}
