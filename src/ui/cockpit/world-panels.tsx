import { useState } from 'preact/hooks';
import type { CockpitState, Hello, Verb } from '../../cockpit/view/messages.ts';
import { deadlineText, shortId, spanText } from './display-text.ts';

interface PanelProps {
  readonly hello: Hello;
  readonly state: CockpitState;
  readonly act: (verb: Verb) => void;
}

/** Next deadlines. */
export function Deadlines({ state }: Pick<PanelProps, 'state'>) {
  const { deadlines, moreDeadlines, now } = state;
  return (
    <section class="panel" aria-labelledby="deadlines-title">
      <h2 id="deadlines-title">Next deadlines</h2>
      {deadlines.length === 0 && <p class="soft">Nothing is due.</p>}
      <ol class="plain-list">
        {deadlines.map(({ at, what, intentId }, index) => (
          <li key={index}>
            <b>in {spanText(at - now)}</b> {deadlineText(what)}{' '}
            <code class="soft">{shortId(intentId)}</code>
          </li>
        ))}
      </ol>
      {moreDeadlines > 0 && <p class="soft small">and {moreDeadlines} more</p>}
    </section>
  );
}

/** Changes of holdings. */
export function Holdings({ state }: Pick<PanelProps, 'state'>) {
  const { holdings } = state;
  if (!holdings) return null;
  const entries = Object.entries(holdings).flatMap(([owner, amounts]) =>
    Object.entries(amounts).map(([currency, amount]) => ({ owner, currency, amount })),
  );
  return (
    <section class="panel" aria-labelledby="holdings-title">
      <h2 id="holdings-title">Holdings</h2>
      {entries.length === 0 ? (
        <p class="soft">As they were in the beginning.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Owner</th>
              <th scope="col" class="number">
                Change
              </th>
              <th scope="col">Currency</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ owner, currency, amount }) => (
              <tr key={`${owner} ${currency}`}>
                <td class="owner">{owner.length > 24 ? `${owner.slice(0, 22)}…` : owner}</td>
                <td class={`number mono ${amount.startsWith('-') ? 'fail-text' : 'pass-text'}`}>
                  {amount}
                </td>
                <td>{currency}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const whichWords = { this: 'the chosen order', next: 'the next order', all: 'all orders' } as const;

/** Controls to inject faults. */
export function Faults({ hello, state, act, order }: PanelProps & { readonly order: string }) {
  const [chosen, setChosen] = useState('');
  const [which, setWhich] = useState<'this' | 'next' | 'all'>('next');
  const [party, setParty] = useState(hello.parties[0]?.name ?? '');
  const fault = hello.faults.find((one) => one.fault === chosen) ?? hello.faults[0];
  const orders = fault?.orders ?? [];
  const about = orders.includes(which) ? which : (orders[0] ?? 'next');
  const strike = (name: string): void => {
    if (fault?.of === 'party') act({ do: 'fault', fault: name, party });
    else act({ do: 'fault', fault: name, order: about === 'this' ? order : about });
  };
  return (
    <section class="panel" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      {hello.faults.length === 0 && <p class="soft">This target offers none.</p>}
      {fault && (
        <form
          class="act"
          onSubmit={(event) => {
            event.preventDefault();
            strike(fault.fault);
          }}
        >
          <label>
            Fault
            <select value={fault.fault} onChange={(event) => setChosen(event.currentTarget.value)}>
              {hello.faults.map((one) => (
                <option key={one.fault} value={one.fault}>
                  {one.words}
                </option>
              ))}
            </select>
          </label>
          {fault.of === 'order' ? (
            <label>
              Of
              <select
                value={about}
                onChange={(event) => setWhich(event.currentTarget.value as typeof which)}
              >
                {orders.map((one) => (
                  <option key={one} value={one}>
                    {whichWords[one]}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <label>
              Of
              <select value={party} onChange={(event) => setParty(event.currentTarget.value)}>
                {hello.parties.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <div class="buttons wide">
            <button
              type="submit"
              disabled={about === 'this' && fault.of === 'order' && order === ''}
            >
              Switch on
            </button>
            {fault.of === 'order' && (
              <button type="button" onClick={() => strike('none')}>
                Take back
              </button>
            )}
          </div>
        </form>
      )}
      {state.standing.length > 0 && (
        <ul class="plain-list warn-text">
          {state.standing.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Controls for gap answers: the line is repeated under the chosen answers. */
export function Gaps({ hello, state, act }: PanelProps) {
  const [sought, setSought] = useState('');
  if (hello.gaps.length === 0) return null;
  const found = hello.gaps.filter(({ id, question }) =>
    `${id} ${question}`.toLowerCase().includes(sought.toLowerCase()),
  );
  const changed = Object.keys(state.answers).length;
  return (
    <section class="panel" aria-labelledby="gaps-title">
      <h2 id="gaps-title">Answers to gaps</h2>
      <p class="soft small">
        {changed === 0 ? 'All as usual.' : `${changed} other than usual.`} A change lets all that
        was done happen again under it, on a line of its own.
      </p>
      <details>
        <summary>Change answers</summary>
        <input
          type="search"
          aria-label="Find gaps"
          placeholder="find"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
        <ul class="gaps">
          {found.map(({ id, part, question, values }) => (
            <li key={id}>
              <label>
                <span>
                  {question} <span class="soft small">part {part}</span>
                </span>
                <select
                  value={state.answers[id] ?? values[0]}
                  onChange={(event) =>
                    act({ do: 'answers', answers: { [id]: event.currentTarget.value } })
                  }
                >
                  {values.map((value) => (
                    <option key={value}>{value}</option>
                  ))}
                </select>
              </label>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
