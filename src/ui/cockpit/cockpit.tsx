import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { BoardBuilder } from '../../cockpit/view/board.ts';
import type { Verb } from '../../cockpit/view/messages.ts';
import type { Row } from '../../cockpit/view/row.ts';
import { ThemeSwitch } from '../shared/theme-switch.tsx';
import { ActForm } from './act-form.tsx';
import { Export } from './export.tsx';
import type { Feed } from './feed.ts';
import { Lanes } from './lanes.tsx';
import { Messages } from './messages.tsx';
import { OpenPanel, Walk } from './opened.tsx';
import { OrderDetail } from './order-detail.tsx';
import { Orders } from './orders.tsx';
import { Panel } from './panel.tsx';
import { MomentBar, TimeBar } from './time-bar.tsx';
import { Verdict } from './verdict.tsx';
import { Deadlines, Faults, Gaps, Holdings } from './world-panels.tsx';

/** Counter that increases with every change from the server. */
function useVersion(feed: Feed): number {
  const [version, setVersion] = useState(0);
  useEffect(() => feed.watch(() => setVersion((before) => before + 1)), [feed]);
  return version;
}

/** The whole page. */
export function Cockpit({ feed }: { readonly feed: Feed }) {
  const version = useVersion(feed);
  const { hello, state, rows, epoch } = feed;
  const [place, setPlace] = useState<number>();
  const [order, setOrder] = useState('');
  const [selected, setSelected] = useState<number>();
  const [said, setSaid] = useState({ text: '', isProblem: false });
  const act = useCallback(
    (verb: Verb) => {
      void feed.do(verb).then(
        (answer) =>
          setSaid(
            answer.ok
              ? { text: answer.says, isProblem: false }
              : { text: answer.problem, isProblem: true },
          ),
        () => setSaid({ text: 'the server does not answer', isProblem: true }),
      );
    },
    [feed],
  );
  const record = useCallback((at: number) => feed.record(at), [feed, epoch]);
  const scenario = useCallback(() => feed.scenario(), [feed]);
  const isOpened = state?.mode === 'opened';
  useEffect(() => {
    setSelected(undefined);
    setPlace(isOpened ? (state?.opened?.steps[0]?.place ?? 0) : undefined);
  }, [epoch, isOpened]);
  const board = useMemo(() => {
    if (place === undefined) return feed.board;
    const past = new BoardBuilder();
    for (const row of rows.slice(0, place + 1)) past.take(row);
    return past;
  }, [feed.board, rows, place, isOpened ? rows.length : 0]);
  // Selects the order that was created last: most often it is used next.
  const latest = useMemo(
    () =>
      rows.findLast(({ what, driver }) => what === 'order.create' && driver === 'you')?.intentId,
    [rows, rows.length],
  );
  useEffect(() => {
    if (latest !== undefined) setOrder(latest);
  }, [latest]);
  const verdicts = useMemo(() => {
    const found = new Map<string, 'fail' | 'warn' | 'inconclusive'>();
    for (const { evidence, outcome } of (state?.verdict.findings ?? []).toReversed())
      for (const id of evidence) found.set(id, outcome);
    return found;
  }, [state?.verdict]);
  const parties = useMemo(() => {
    const named = hello?.parties.map(({ name }) => name) ?? [];
    const others = isOpened ? rows.map(({ party }) => party) : [];
    return [...new Set([...named, ...others])];
  }, [hello, isOpened, isOpened ? rows.length : 0]);

  if (!hello || !state) {
    return (
      <main class="stack waiting">
        <h1>Assay cockpit</h1>
        <p role="status">
          {feed.isConnected
            ? 'Waiting for the target…'
            : 'No connection. Open the address that assay printed: it has the token.'}
        </p>
      </main>
    );
  }
  const now = place === undefined ? state.now : (rows[place]?.at ?? state.now);
  const isOff = isOpened || place !== undefined;
  const quotes = board.quotesOf(order);
  const select = (row: Row): void => {
    setSelected(row.place);
    if (row.intentId !== undefined) setOrder(row.intentId);
  };
  const show = (id: string): void => {
    const row = rows.find((one) => one.id === id);
    if (row) select(row);
  };
  const common = { rows, count: rows.length, place, order, verdicts, selected, onSelect: select };
  return (
    <>
      <a class="skip" href="#orders-title">
        To the orders
      </a>
      <header class="row top">
        <h1>
          Assay cockpit <span class="soft">{hello.target}</span>
        </h1>
        <p class="small" role="status">
          <span class={feed.isConnected ? 'soft' : 'fail-text'}>
            {feed.isConnected ? (state.busy ? 'working…' : 'connected') : 'no connection'}
          </span>
        </p>
        <ThemeSwitch />
      </header>
      <main class="stack">
        <TimeBar {...{ hello, state, act, said, now }} isPast={place !== undefined} />
        <MomentBar {...{ rows, hello, state, place, act }} onPlace={setPlace} />
        <Panel id="lanes" title="Parties">
          <Lanes {...common} parties={parties} />
          <ul class="row bare legend small soft">
            {legend.map(([kind, says]) => (
              <li key={kind} class={kind}>
                {says}
              </li>
            ))}
          </ul>
        </Panel>
        {state.opened && (
          <Walk opened={state.opened} place={place ?? 0} onPlace={setPlace} act={act} />
        )}
        <div class={isOpened ? 'desk opened' : 'desk'}>
          {!isOpened && (
            <div class="stack acting">
              <Panel id="act" title="Act">
                <ActForm
                  {...{ order, quotes, act }}
                  parties={hello.parties}
                  onOrder={setOrder}
                  isOff={isOff}
                />
                {place !== undefined && (
                  <p class="soft small">Go to now, or go on from here, to act.</p>
                )}
              </Panel>
            </div>
          )}
          <div class="stack middle">
            <Orders {...{ board, version, now }} selected={order} onSelect={setOrder} />
            <Messages {...common} record={record} />
          </div>
          <div class="stack chosen">
            <OrderDetail order={board.orders.get(order)} {...{ quotes, hello, now, isOff, act }} />
            <Verdict verdict={state.verdict} count={rows.length} onShow={show} />
            {!isOpened && <Faults {...{ hello, state, act, order }} />}
            {!isOpened && <Gaps {...{ hello, state, act }} />}
            {!isOpened && <Export key={epoch} scenario={scenario} />}
            <OpenPanel {...{ hello, act }} />
          </div>
          {!isOpened && (
            <div class="stack world">
              <Deadlines state={state} />
              <Holdings state={state} />
            </div>
          )}
        </div>
      </main>
    </>
  );
}

const legend = [
  ['you', 'asked from here'],
  ['outside', 'asked from elsewhere'],
  ['refused', 'refused'],
  ['event', 'event of a stream'],
  ['fail', 'violates a requirement'],
] as const;
