import { useEffect, useRef, useState } from 'preact/hooks';
import type { Hello, Openable, OpenedShown, Verb } from '../../cockpit/view/messages.ts';
import { Choice, TextField } from '../shared/fields.tsx';
import { Panel } from './panel.tsx';

interface OpenPanelProps {
  readonly hello: Hello;
  readonly act: (verb: Verb) => void;
}

/** Opens a run to walk through: a scenario, a recording, the world of a seed. */
export function OpenPanel({ hello, act }: OpenPanelProps) {
  const [name, setName] = useState(hello.library[0] ?? '');
  const [seed, setSeed] = useState('7');
  const [mutation, setMutation] = useState('');
  const open = (what: Openable, event?: Event): void => {
    event?.preventDefault();
    act({ do: 'open', open: what });
  };
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) open({ kind: 'text', name: file.name, text: await file.text() });
  };
  const broken = mutation.trim() === '' ? {} : { mutation: mutation.trim() };
  return (
    <Panel id="open" title="Walk through">
      {hello.library.length > 0 && (
        <form class="act" onSubmit={(event) => open({ kind: 'library', name }, event)}>
          <Choice
            label="Scenario"
            name="wide"
            value={name}
            onChange={setName}
            options={hello.library.map((one) => [one, one.replace(/^scenarios\/|\.yaml$/g, '')])}
          />
          <button type="submit" class="wide">
            Open the scenario
          </button>
        </form>
      )}
      <form class="act" onSubmit={(event) => open({ kind: 'world', seed, ...broken }, event)}>
        <TextField label="World of seed" value={seed} onChange={setSeed} />
        <TextField
          label="Mutation"
          input={{ placeholder: 'none' }}
          value={mutation}
          onChange={setMutation}
        />
        <button type="submit" class="wide">
          Open the world
        </button>
      </form>
      <label class="file">
        A file: scenario, history.jsonl or HAR
        <input
          type="file"
          accept=".yaml,.yml,.jsonl,.har"
          onChange={(event) => void readFile(event.currentTarget.files?.[0])}
        />
      </label>
    </Panel>
  );
}

interface WalkProps {
  readonly opened: OpenedShown;
  readonly place: number;
  readonly onPlace: (place: number) => void;
  readonly act: (verb: Verb) => void;
}

/** The opened run, step by step. */
export function Walk({ opened, place, onPlace, act }: WalkProps) {
  const { title, outcome, steps, text } = opened;
  const at = steps.findLastIndex((step) => step.place <= place);
  const line = steps[at]?.line;
  const walk = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const box of walk.current?.querySelectorAll<HTMLElement>('.steps, .source') ?? []) {
      const current = box.querySelector<HTMLElement>('[aria-current], .current');
      if (current) box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 3;
    }
  }, [at, line]);
  const go = (to: number): void => {
    const step = steps[to];
    if (step) onPlace(step.place);
  };
  // Steps without a message have the place of the previous one.
  const next = steps.findIndex((step) => step.place > place);
  const before = steps.findLastIndex((step) => step.place < (steps[at]?.place ?? 0));
  return (
    <Panel
      id="walk"
      title={title}
      head={
        <button type="button" onClick={() => act({ do: 'close' })}>
          Close
        </button>
      }
    >
      {outcome !== '' && <p class="soft">{outcome}</p>}
      {steps.length > 0 && (
        <div class="row">
          <button type="button" disabled={before === -1} onClick={() => go(before)}>
            Step back
          </button>
          <button type="button" class="main" disabled={next === -1} onClick={() => go(next)}>
            Next step
          </button>
          <span class="soft small" role="status">
            step {at + 1} of {steps.length}
          </span>
        </div>
      )}
      <div class={text === undefined ? '' : 'beside'} ref={walk}>
        {steps.length > 0 && (
          <ol class="steps" tabIndex={0} aria-label="Steps">
            {steps.map((step, index) => (
              <li key={index} aria-current={index === at ? 'step' : undefined}>
                <button type="button" class="plain" onClick={() => go(index)}>
                  {step.party !== undefined && <b>{step.party}: </b>}
                  {step.says}
                  {step.outcome !== undefined && <span class="soft"> {step.outcome}</span>}
                </button>
              </li>
            ))}
          </ol>
        )}
        {text !== undefined && (
          <pre class="well source" tabIndex={0} role="region" aria-label="The scenario">
            {text.split('\n').map((one, index) => (
              <span key={index} class={index + 1 === line ? 'current' : ''}>
                {one}
                {'\n'}
              </span>
            ))}
          </pre>
        )}
      </div>
    </Panel>
  );
}
