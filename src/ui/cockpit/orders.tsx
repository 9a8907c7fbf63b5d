import { useMemo, useState } from 'preact/hooks';
import type { BoardBuilder, BoardOrder } from '../../cockpit/view/board.ts';
import { shortId, spanText, states } from './display-text.ts';
import { Panel } from './panel.tsx';

const mostCards = 24;

interface OrdersProps {
  readonly board: BoardBuilder;
  /** Changes if the board may have changed. */
  readonly version: number;
  readonly now: number;
  readonly selected: string;
  readonly onSelect: (order: string) => void;
}

const matches = ({ facts }: BoardOrder, sought: string): boolean =>
  sought === '' || `${facts.intent_id} ${facts.memo ?? ''}`.toLowerCase().includes(sought);

/** Orders by state, the latest first. */
export function Orders({ board, version, now, selected, onSelect }: OrdersProps) {
  const [sought, setSought] = useState('');
  const columns = useMemo(() => {
    const all = new Map<string, BoardOrder[]>(states.map((state) => [state, []]));
    for (const order of board.orders.values()) {
      if (!matches(order, sought.toLowerCase())) continue;
      const column = all.get(order.status) ?? [];
      all.set(order.status, column);
      column.push(order);
    }
    return [...all].map(([state, orders]) => {
      const latest = orders.slice(-mostCards).toReversed();
      const chosen = orders.find(({ facts }) => facts.intent_id === selected);
      const shown = chosen && !latest.includes(chosen) ? [chosen, ...latest] : latest;
      return { state, count: orders.length, shown };
    });
  }, [board, version, sought, selected]);
  return (
    <Panel
      id="orders"
      title="Orders"
      head={
        <input
          type="search"
          placeholder="id or memo"
          aria-label="Find orders by id or memo"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      }
    >
      <div class="columns">
        {columns.map(({ state, count, shown }) => (
          <section
            key={state}
            class={`column ${state.toLowerCase()}`}
            aria-label={`${state}: ${count}`}
          >
            <h3>
              {state} <span class="count">{count}</span>
            </h3>
            <ul class="bare stack">
              {shown.map((order) => (
                <li key={order.facts.intent_id}>
                  <Card
                    order={order}
                    quotes={board.quotesOf(order.facts.intent_id).length}
                    now={now}
                    isSelected={order.facts.intent_id === selected}
                    onSelect={onSelect}
                  />
                </li>
              ))}
            </ul>
            {count > shown.length && <p class="soft small">and {count - shown.length} more</p>}
            {count === 0 && <p class="soft small">none</p>}
          </section>
        ))}
      </div>
    </Panel>
  );
}

interface CardProps {
  readonly order: BoardOrder;
  readonly quotes: number;
  readonly now: number;
  readonly isSelected: boolean;
  readonly onSelect: (order: string) => void;
}

function Card({
  order: { facts, status, changedAt },
  quotes,
  now,
  isSelected,
  onSelect,
}: CardProps) {
  const left = Date.parse(facts.expires_at ?? '') - now;
  const notes =
    status === 'PENDING' && left > 0
      ? [`${quotes} quote${quotes === 1 ? '' : 's'}`, `${spanText(left)} left`]
      : [facts.failure_reason ?? `for ${spanText(Math.max(0, now - changedAt))}`];
  return (
    <button
      type="button"
      class="card small"
      aria-pressed={isSelected}
      onClick={() => onSelect(facts.intent_id)}
    >
      <span class="mono">{shortId(facts.intent_id)}</span>
      <span>
        {facts.target_amount ?? '?'} {facts.target_currency ?? ''}
      </span>
      <span class="soft small">
        {notes.map((note) => (
          <span key={note}>{note} </span>
        ))}
      </span>
    </button>
  );
}
