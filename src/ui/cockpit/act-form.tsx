import { useState } from 'preact/hooks';
import type { ActionName, PartyShown, Verb } from '../../cockpit/view/messages.ts';
import type { BoardQuote } from '../../cockpit/view/board.ts';
import { partyText, shortId } from './display-text.ts';

const actionsOf: Readonly<Record<string, readonly ActionName[]>> = {
  institution: [
    'create order',
    'accept quote',
    'cancel order',
    'read order',
    'list quotes',
    'list orders',
    'read stats',
  ],
  custodian: [
    'accept proposal',
    'accept quote',
    'read order',
    'list quotes',
    'list orders',
    'read stats',
  ],
  'market-maker': ['submit quote', 'list requests', 'read settlement', 'read stats'],
};

const needsOrder: ReadonlySet<ActionName> = new Set<ActionName>([
  'accept proposal',
  'submit quote',
  'accept quote',
  'cancel order',
  'read order',
  'list quotes',
  'read settlement',
]);

interface Field {
  readonly name: string;
  readonly label: string;
  readonly usual: string;
}

const fieldsOf: Readonly<Partial<Record<ActionName, readonly Field[]>>> = {
  'create order': [
    { name: 'target_amount', label: 'Target amount', usual: '1000.00' },
    { name: 'target_currency', label: 'Target currency', usual: 'EUR' },
    { name: 'source_amount_max', label: 'Pay at most', usual: '1200.00' },
    { name: 'source_currency', label: 'Source currency', usual: 'USD' },
    { name: 'memo', label: 'Memo', usual: 'by hand' },
  ],
  'submit quote': [
    { name: 'fx_rate', label: 'Rate', usual: '1' },
    { name: 'valid_for', label: 'Valid for (seconds)', usual: '30' },
  ],
};

interface ActFormProps {
  readonly parties: readonly PartyShown[];
  readonly order: string;
  readonly quotes: readonly BoardQuote[];
  readonly onOrder: (order: string) => void;
  readonly act: (verb: Verb) => void;
  readonly isOff: boolean;
}

/** Form to act as any party, with sensible default values. */
export function ActForm({ parties, order, quotes, onOrder, act, isOff }: ActFormProps) {
  const [name, setName] = useState(parties[0]?.name ?? '');
  const [chosen, setChosen] = useState<ActionName>('create order');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [quote, setQuote] = useState('');
  const [times, setTimes] = useState('1');
  const party = parties.find((one) => one.name === name);
  const possible = actionsOf[party?.role ?? ''] ?? [];
  const action = possible.includes(chosen) ? chosen : (possible[0] ?? 'read stats');
  const shown = fieldsOf[action] ?? [];
  const quoteId = quotes.some(({ facts }) => facts.quote_id === quote)
    ? quote
    : (quotes.at(-1)?.facts.quote_id ?? '');
  const submit = (event: Event): void => {
    event.preventDefault();
    const count = Number(times);
    act({
      do: 'act',
      party: name,
      action,
      ...(needsOrder.has(action) && { order }),
      ...(action === 'accept quote' && { quote: quoteId }),
      ...(shown.length > 0 && {
        fields: Object.fromEntries(shown.map((one) => [one.name, fields[one.name] ?? one.usual])),
      }),
      ...(action === 'create order' && count !== 1 && { times: count }),
    });
  };
  return (
    <form class="act" onSubmit={submit}>
      <label class="wide">
        Act as
        <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {parties.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </label>
      <label class="wide">
        Action
        <select
          value={action}
          onChange={(event) => setChosen(event.currentTarget.value as ActionName)}
        >
          {possible.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {needsOrder.has(action) && (
        <label class="wide">
          Order
          <input
            type="text"
            class="mono"
            placeholder="choose one below, or paste its id"
            value={order}
            onInput={(event) => onOrder(event.currentTarget.value.trim())}
          />
        </label>
      )}
      {action === 'accept quote' && (
        <label class="wide">
          Quote
          <select value={quoteId} onChange={(event) => setQuote(event.currentTarget.value)}>
            {quotes.length === 0 && <option value="">no quote is known</option>}
            {quotes.map(({ facts, status }) => (
              <option key={facts.quote_id} value={facts.quote_id}>
                {shortId(facts.quote_id)} at {facts.fx_rate ?? '?'} by{' '}
                {facts.maker ?? partyText(facts.market_maker_party_id ?? '?')}, {status}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown.map((one) => (
        <label key={`${action} ${one.name}`}>
          {one.label}
          <input
            type="text"
            value={fields[one.name] ?? one.usual}
            onInput={({ currentTarget }) =>
              setFields({ ...fields, [one.name]: currentTarget.value })
            }
          />
        </label>
      ))}
      {action === 'create order' && (
        <label>
          How many
          <input
            type="text"
            inputMode="numeric"
            value={times}
            onInput={(event) => setTimes(event.currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" class="main wide" disabled={isOff}>
        {action} as {name}
      </button>
    </form>
  );
}
