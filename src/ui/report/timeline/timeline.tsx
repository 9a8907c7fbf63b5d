import { useEffect, useMemo, useState } from 'preact/hooks';
import { printable } from '../../../report/formats/escape.ts';
import { count } from '../../../report/labels.ts';
import { durationText } from '../../../report/sequence/sequence.ts';
import { Checkbox, Choice, TextField } from '../../shared/fields.tsx';
import type { ReportData } from '../data.ts';
import { EntryDetail } from './entry-detail.tsx';
import { EntryList } from './entry-list.tsx';
import { Lanes } from './lanes.tsx';
import type { LoadedHistory } from './load.ts';
import { scaleOf } from './scale.ts';
import { deadlinesIn, entriesIn, everything, lanesOf, stateChanges, type View } from './view.ts';

/** Entry and filters that another part of the page selects in the timeline. */
export interface Focus extends Partial<View> {
  /** Id of the record to look at. */
  readonly entry?: string;
}

interface TimelineProps {
  readonly data: ReportData;
  readonly history: LoadedHistory;
  readonly focus: Focus | undefined;
}

/** Timeline of the run: a drawing with a lane for each party, a list, and each entry in full. */
export function Timeline({ data, history, focus }: TimelineProps) {
  const { report } = data;
  const [view, setView] = useState<View>(everything);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const entries = useMemo(() => entriesIn(history.entries, view), [history, view]);
  const shown = useMemo(() => {
    const lanes = lanesOf(entries);
    const scale = scaleOf(entries.map(({ atMs }) => atMs));
    const changes = stateChanges(entries);
    const deadlines = deadlinesIn(entries).map((one) => ({ ...one, position: scale.at(one.atMs) }));
    const startMs = (view.by === '' && view.order === '' ? history.entries : entries)[0]?.atMs ?? 0;
    return { entries, lanes, scale, changes, deadlines, startMs, isFollowing: view.order !== '' };
  }, [entries, history]);
  useEffect(() => {
    if (!focus) return;
    const { entry, ...wanted } = focus;
    setView({ ...everything, ...wanted });
    setChosen(entry);
  }, [focus]);

  const places = useMemo(
    () => new Map(entries.map((one, place) => [keyOf(one), place])),
    [entries],
  );
  const selected = places.get(chosen ?? '') ?? -1;
  const entry = entries[selected];
  const select = (index: number): void => {
    const one = entries[index];
    if (one) setChosen(keyOf(one));
  };
  const record = useMemo(() => entry && history.recordOf(entry), [entry, history]);
  // Cached: its lists may contain hundreds of orders, which need not be rendered at each step.
  const tools = useMemo(
    () => (
      <Tools view={view} history={history} onChange={(part) => setView({ ...view, ...part })} />
    ),
    [view, history],
  );

  return (
    <>
      {tools}
      <p class="small soft" role="status">
        {count(entries.length, 'entry', 'entries')}
        {entries.length > 0 && ` in ${durationText(lastOf(entries) - shown.startMs)}`}
        {shown.deadlines.length > 0 && `, ${count(shown.deadlines.length, 'deadline')}`}
        {leftOutWords(data)}
      </p>
      {entries.length > 0 && (
        <>
          <Lanes drawing={shown} selected={selected} onSelect={select} />
          <div class="entries-and-one">
            <EntryList {...shown} selected={selected} onSelect={select} />
            <section
              class="stack box one-entry"
              aria-label="The entry that is looked at"
              tabIndex={0}
            >
              <div class="row screen">
                <button type="button" disabled={selected <= 0} onClick={() => select(selected - 1)}>
                  Previous
                </button>
                <button
                  type="button"
                  disabled={selected >= entries.length - 1}
                  onClick={() => select(selected + 1)}
                >
                  Next
                </button>
                <span class="soft small">
                  {selected < 0 ? 'none chosen' : `${selected + 1} of ${entries.length}`}
                </span>
              </div>
              {entry ? (
                <EntryDetail
                  entry={entry}
                  record={record}
                  report={report}
                  startMs={shown.startMs}
                  onFollow={(order) => setView({ ...view, order })}
                />
              ) : (
                <p class="soft">
                  Choose an entry in the drawing or in the list. In the list, the arrow keys step
                  from one to the next.
                </p>
              )}
            </section>
          </div>
        </>
      )}
    </>
  );
}

const keyOf = ({ id, kind, by, place }: LoadedHistory['entries'][number]): string =>
  id === '' ? `${kind} ${by} ${place}` : id;

const lastOf = (entries: LoadedHistory['entries']): number => entries.at(-1)?.atMs ?? 0;

const leftOutWords = ({ history: { leftOut } }: ReportData): string =>
  leftOut === 0 ? '' : `; ${count(leftOut, 'more record')} stand in history.jsonl only`;

interface ToolsProps {
  readonly view: View;
  readonly history: LoadedHistory;
  readonly onChange: (part: Partial<View>) => void;
}

/** Maximum number of orders in the list; any other can be followed from one of its entries. */
const mostOrders = 400;

function Tools({ view, history, onChange }: ToolsProps) {
  const hasPulses = useMemo(() => history.entries.some((one) => one.isPulse), [history]);
  const drivers = useMemo(
    () => [...new Set(history.entries.map(({ by }) => by))].toSorted(),
    [history],
  );
  const orders = useMemo(() => {
    const own = new Set(
      entriesIn(history.entries, { ...everything, by: view.by }).flatMap((one) => one.orders),
    );
    return [...own].slice(0, mostOrders);
  }, [history, view.by]);
  const offered =
    view.order === '' || orders.includes(view.order) ? orders : [view.order, ...orders];
  return (
    <div class="row tools small soft screen">
      <Choice
        label="Who"
        value={view.by}
        onChange={(by) => onChange({ by, order: '' })}
        options={[
          ['', 'all checks and parties'],
          ...drivers.map((by) => [by, printable(by)] as const),
        ]}
      />
      <Choice
        label="Order"
        value={view.order}
        onChange={(order) => onChange({ order })}
        options={[
          ['', 'all'],
          ...offered.map((order) => [order, printable(order.slice(0, 13))] as const),
        ]}
      />
      <TextField
        label="Find"
        kind="search"
        input={{ placeholder: 'path, event, status, party' }}
        value={view.words}
        onChange={(words) => onChange({ words })}
      />
      {hasPulses && (
        <Checkbox
          label="heartbeats"
          checked={view.pulses === 'shown'}
          onChange={(isShown) => onChange({ pulses: isShown ? 'shown' : 'hidden' })}
        />
      )}
      {view.order !== '' && (
        <button type="button" onClick={() => onChange({ order: '' })}>
          Stop following {printable(view.order.slice(0, 8))}
        </button>
      )}
    </div>
  );
}
