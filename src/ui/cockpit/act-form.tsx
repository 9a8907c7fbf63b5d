import { useState } from 'preact/hooks';
import {
  type ActionKind,
  type ActionName,
  actions,
  type PartyShown,
  type Verb,
} from '../../cockpit/view/messages.ts';
import type { BoardQuote } from '../../cockpit/view/board.ts';
import { Choice, TextField } from '../shared/fields.tsx';
import { partyText, shortId } from './display-text.ts';

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

const quoteText = ({ facts, status }: BoardQuote): string =>
  `${shortId(facts.quote_id)} at ${facts.fx_rate ?? '?'} by ${facts.maker ?? partyText(facts.market_maker_party_id ?? '?')}, ${status}`;

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
  const role = parties.find((one) => one.name === name)?.role ?? '';
  const possible = (Object.keys(actions) as ActionName[]).filter((one) =>
    (actions[one].of as readonly string[]).includes(role),
  );
  const action = possible.includes(chosen) ? chosen : (possible[0] ?? 'read stats');
  const { needsOrder }: ActionKind = actions[action];
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
      ...(needsOrder && { order }),
      ...(action === 'accept quote' && { quote: quoteId }),
      ...(shown.length > 0 && {
        fields: Object.fromEntries(shown.map((one) => [one.name, fields[one.name] ?? one.usual])),
      }),
      ...(action === 'create order' && count !== 1 && { times: count }),
    });
  };
  return (
    <form class="act" onSubmit={submit}>
      <Choice
        label="Act as"
        name="wide"
        value={name}
        onChange={setName}
        options={parties.map((one) => one.name)}
      />
      <Choice
        label="Action"
        name="wide"
        value={action}
        onChange={(one) => setChosen(one as ActionName)}
        options={possible}
      />
      {needsOrder && (
        <TextField
          label="Order"
          name="wide"
          input={{ class: 'mono', placeholder: 'choose one below, or paste its id' }}
          value={order}
          onChange={(id) => onOrder(id.trim())}
        />
      )}
      {action === 'accept quote' && (
        <Choice
          label="Quote"
          name="wide"
          value={quoteId}
          onChange={setQuote}
          options={
            quotes.length === 0
              ? [['', 'no quote is known']]
              : quotes.map((one) => [one.facts.quote_id, quoteText(one)])
          }
        />
      )}
      {shown.map((one) => (
        <TextField
          key={`${action} ${one.name}`}
          label={one.label}
          value={fields[one.name] ?? one.usual}
          onChange={(value) => setFields({ ...fields, [one.name]: value })}
        />
      ))}
      {action === 'create order' && (
        <TextField
          label="How many"
          input={{ inputMode: 'numeric' }}
          value={times}
          onChange={setTimes}
        />
      )}
      <button type="submit" class="main wide" disabled={isOff}>
        {action} as {name}
      </button>
    </form>
  );
}
