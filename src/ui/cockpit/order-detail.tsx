import type { BoardOrder, BoardQuote } from '../../cockpit/view/board.ts';
import type { Act, Hello, Verb } from '../../cockpit/view/messages.ts';
import { orderFields } from '../../cockpit/view/row.ts';
import { partyText, shortId, spanText, timeText } from './display-text.ts';
import { Panel } from './panel.tsx';

interface OrderDetailProps {
  readonly order: BoardOrder | undefined;
  readonly quotes: readonly BoardQuote[];
  readonly hello: Hello;
  readonly now: number;
  readonly isOff: boolean;
  readonly act: (verb: Verb) => void;
}

/** One order: its states so far, its quotes, and its possible actions. */
export function OrderDetail({ order, quotes, hello, now, isOff, act }: OrderDetailProps) {
  if (!order) {
    return (
      <Panel id="order" title="Order">
        <p class="soft">Choose an order to see its way and to act on it.</p>
      </Panel>
    );
  }
  const { facts, status, seen } = order;
  const { intent_id: id } = facts;
  const named = new Map(hello.parties.map((party) => [party.partyId, party]));
  const who = (partyId: string | undefined): string =>
    named.get(partyId ?? '')?.name ?? partyText(partyId ?? '–');
  const sender =
    named.get(facts.sender_party_id ?? '') ??
    hello.parties.find(({ role }) => role === 'institution');
  const custodian = named.get(facts.sender_custodian_party_id ?? '');
  const button = (says: string, what: Omit<Act, 'do' | 'order'>, isDisabled = false) => (
    <button
      key={says}
      type="button"
      disabled={isOff || isDisabled}
      onClick={() => act({ do: 'act', order: id, ...what })}
    >
      {says}
    </button>
  );
  const makers = hello.parties.filter(({ role }) => role === 'market-maker');
  return (
    <Panel
      id="order"
      title={
        <>
          Order <code>{shortId(id)}</code>
        </>
      }
    >
      <ol class="row bare way" aria-label="States so far">
        {seen.map((one, index) => (
          <li key={index} class={one.status.toLowerCase()}>
            <b>{one.status}</b> <span class="soft small">{timeText(one.at)}</span>
          </li>
        ))}
      </ol>
      {facts.failure_reason !== undefined && <p>Reason: {facts.failure_reason}</p>}
      <h3>Quotes</h3>
      {quotes.length === 0 ? (
        <p class="soft small">No quote is known.</p>
      ) : (
        <ul class="bare stack quotes">{quotes.map(quoteItem)}</ul>
      )}
      <div class="row">
        {makers.map(({ name: party }) =>
          button(`Quote as ${party}`, { party, action: 'submit quote' }, status !== 'PENDING'),
        )}
        {custodian &&
          button('Accept the proposal', { party: custodian.name, action: 'accept proposal' })}
        {sender && button('Cancel', { party: sender.name, action: 'cancel order' })}
        {sender && button('Read', { party: sender.name, action: 'read order' })}
      </div>
      <details>
        <summary>All that is known of it</summary>
        <dl class="facts small">
          {(['intent_id', ...orderFields] as const).map((field) => {
            const value = facts[field];
            if (value === undefined) return null;
            return [
              <dt key={`${field} name`}>{field}</dt>,
              <dd key={field} class="mono">
                {field.endsWith('party_id') ? who(value) : value}
              </dd>,
            ];
          })}
        </dl>
      </details>
    </Panel>
  );

  function quoteItem({ facts: quote, status: state }: BoardQuote) {
    const left = Date.parse(quote.valid_until ?? '') - now;
    const isOver = state === 'PENDING' && left <= 0;
    return (
      <li key={quote.quote_id} class={`row ${isOver ? 'soft' : ''}`}>
        <span>
          <b>{quote.fx_rate ?? '?'}</b> by {quote.maker ?? who(quote.market_maker_party_id)}
        </span>
        <span class="soft small">
          {isOver ? 'EXPIRED' : state}
          {state === 'PENDING' && left > 0 ? `, ${spanText(left)} left` : ''}
        </span>
        {state === 'PENDING' && !isOver && (
          <span class="row">
            {[sender, custodian].map(
              (party) =>
                party &&
                button(`Accept as ${party.name}`, {
                  party: party.name,
                  action: 'accept quote',
                  quote: quote.quote_id,
                }),
            )}
          </span>
        )}
      </li>
    );
  }
}
