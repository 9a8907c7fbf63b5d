import { useState } from 'preact/hooks';
import type { CockpitState, Hello, Verb } from '../../cockpit/view/messages.ts';
import { Choice } from '../shared/fields.tsx';
import { deadlineText, shortId, spanText } from './display-text.ts';
import { Panel } from './panel.tsx';

interface PanelProps {
  readonly hello: Hello;
  readonly state: CockpitState;
  readonly act: (verb: Verb) => void;
}

/** Next deadlines. */
export function Deadlines({ state }: Pick<PanelProps, 'state'>) {
  const { deadlines, moreDeadlines, now } = state;
  return (
    <Panel id="deadlines" title="Next deadlines">
      {deadlines.length === 0 && <p class="soft">Nothing is due.</p>}
      <ol class="bare stack">
        {deadlines.map(({ at, what, intentId }, index) => (
          <li key={index}>
            <b>in {spanText(at - now)}</b> {deadlineText(what)}{' '}
            <code class="soft">{shortId(intentId)}</code>
          </li>
        ))}
      </ol>
      {moreDeadlines > 0 && <p class="soft small">and {moreDeadlines} more</p>}
    </Panel>
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
    <Panel id="holdings" title="Holdings">
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
    </Panel>
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
    <Panel id="faults" title="Faults">
      {hello.faults.length === 0 && <p class="soft">This target offers none.</p>}
      {fault && (
        <form
          class="act"
          onSubmit={(event) => {
            event.preventDefault();
            strike(fault.fault);
          }}
        >
          <Choice
            label="Fault"
            value={fault.fault}
            onChange={setChosen}
            options={hello.faults.map((one) => one.fault)}
          />
          {fault.of === 'order' ? (
            <Choice
              label="Of"
              value={about}
              onChange={(one) => setWhich(one as typeof which)}
              options={orders.map((one) => [one, whichWords[one]])}
            />
          ) : (
            <Choice
              label="Of"
              value={party}
              onChange={setParty}
              options={hello.parties.map(({ name }) => name)}
            />
          )}
          <div class="row wide">
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
        <ul class="bare stack warn-text">
          {state.standing.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </Panel>
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
    <Panel id="gaps" title="Answers to gaps">
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
        <ul class="bare stack gaps">
          {found.map(({ id, part, question, values }) => (
            <li key={id}>
              <Choice
                label={
                  <span>
                    {question} <span class="soft small">part {part}</span>
                  </span>
                }
                value={state.answers[id] ?? values[0] ?? ''}
                onChange={(answer) => act({ do: 'answers', answers: { [id]: answer } })}
                options={values}
              />
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
