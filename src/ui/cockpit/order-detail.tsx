import type { BoardOrder, BoardQuote } from '../../cockpit/view/board.ts';
import type { Hello, PartyShown, Verb } from '../../cockpit/view/messages.ts';
import { orderFields } from '../../cockpit/view/row.ts';
import { partyText, shortId, spanText, timeText } from './display-text.ts';

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
      <section class="panel" aria-labelledby="order-title">
        <h2 id="order-title">Order</h2>
        <p class="soft">Choose an order to see its way and to act on it.</p>
      </section>
    );
  }
  const { facts, status, seen } = order;
  const { intent_id: id } = facts;
  const named = new Map(hello.parties.map((party) => [party.partyId, party]));
  const who = (partyId: string | undefined): string =>
    named.get(partyId ?? '')?.name ?? partyText(partyId ?? '–');
  const sender = named.get(facts.sender_party_id ?? '') ?? partyOf(hello, 'institution');
  const custodian = named.get(facts.sender_custodian_party_id ?? '');
  return (
    <section class="panel" aria-labelledby="order-title">
      <h2 id="order-title">
        Order <code>{shortId(id)}</code>
      </h2>
      <ol class="way" aria-label="States so far">
        {seen.map((one, index) => (
          <li key={index} class={one.status.toLowerCase()}>
            <b>{one.status}</b> <span class="soft small">{timeText(one.at)}</span>
          </li>
        ))}
      </ol>
      {facts.failure_reason !== undefined && <p>Reason: {facts.failure_reason}</p>}
      <h3>Quotes</h3>
      <Quotes {...{ quotes, now, id, sender, custodian, isOff, act, who }} />
      <div class="buttons">
        {hello.parties
          .filter(({ role }) => role === 'market-maker')
          .map(({ name }) => (
            <button
              key={name}
              type="button"
              disabled={isOff || status !== 'PENDING'}
              onClick={() => act({ do: 'act', party: name, action: 'submit quote', order: id })}
            >
              Quote as {name}
            </button>
          ))}
        {custodian && (
          <button
            type="button"
            disabled={isOff}
            onClick={() =>
              act({ do: 'act', party: custodian.name, action: 'accept proposal', order: id })
            }
          >
            Accept the proposal
          </button>
        )}
        {sender && (
          <>
            <button
              type="button"
              disabled={isOff}
              onClick={() =>
                act({ do: 'act', party: sender.name, action: 'cancel order', order: id })
              }
            >
              Cancel
            </button>
            <button
              type="button"
              disabled={isOff}
              onClick={() =>
                act({ do: 'act', party: sender.name, action: 'read order', order: id })
              }
            >
              Read
            </button>
          </>
        )}
      </div>
      <details>
        <summary>All that is known of it</summary>
        <dl class="facts">
          <dt>intent_id</dt>
          <dd class="mono">{id}</dd>
          {orderFields.map((field) => {
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
    </section>
  );
}

const partyOf = ({ parties }: Hello, role: string): PartyShown | undefined =>
  parties.find((party) => party.role === role);

interface QuotesProps {
  readonly quotes: readonly BoardQuote[];
  readonly now: number;
  readonly id: string;
  readonly sender: PartyShown | undefined;
  readonly custodian: PartyShown | undefined;
  readonly isOff: boolean;
  readonly act: (verb: Verb) => void;
  readonly who: (partyId: string | undefined) => string;
}

function Quotes({ quotes, now, id, sender, custodian, isOff, act, who }: QuotesProps) {
  if (quotes.length === 0) return <p class="soft small">No quote is known.</p>;
  const takers = [sender, custodian].flatMap((party) => (party ? [party.name] : []));
  return (
    <ul class="quotes">
      {quotes.map(({ facts, status }) => {
        const left = Date.parse(facts.valid_until ?? '') - now;
        const isOver = status === 'PENDING' && left <= 0;
        return (
          <li key={facts.quote_id} class={isOver ? 'soft' : ''}>
            <span>
              <b>{facts.fx_rate ?? '?'}</b> by {facts.maker ?? who(facts.market_maker_party_id)}
            </span>
            <span class="soft small">
              {isOver ? 'EXPIRED' : status}
              {status === 'PENDING' && left > 0 ? `, ${spanText(left)} left` : ''}
            </span>
            {status === 'PENDING' && !isOver && (
              <span class="buttons">
                {takers.map((name) => (
                  <button
                    key={name}
                    type="button"
                    disabled={isOff}
                    onClick={() =>
                      act({
                        do: 'act',
                        party: name,
                        action: 'accept quote',
                        order: id,
                        quote: facts.quote_id,
                      })
                    }
                  >
                    Accept as {name}
                  </button>
                ))}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
