import { useEffect, useRef, useState } from 'preact/hooks';
import type { Hello, OpenedShown, Verb } from '../../cockpit/view/messages.ts';

interface OpenPanelProps {
  readonly hello: Hello;
  readonly act: (verb: Verb) => void;
}

/** Opens a run to walk through: a scenario, a recording, the world of a seed. */
export function OpenPanel({ hello, act }: OpenPanelProps) {
  const [name, setName] = useState(hello.library[0] ?? '');
  const [seed, setSeed] = useState('7');
  const [mutation, setMutation] = useState('');
  const readFile = (file: File | undefined): void => {
    if (!file) return;
    void file
      .text()
      .then((text) => act({ do: 'open', open: { kind: 'text', name: file.name, text } }));
  };
  return (
    <section class="panel" aria-labelledby="open-title">
      <h2 id="open-title">Walk through</h2>
      {hello.library.length > 0 && (
        <form
          class="act"
          onSubmit={(event) => {
            event.preventDefault();
            act({ do: 'open', open: { kind: 'library', name } });
          }}
        >
          <label class="wide">
            Scenario
            <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
              {hello.library.map((one) => (
                <option key={one} value={one}>
                  {one.replace(/^scenarios\/|\.yaml$/g, '')}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="wide">
            Open the scenario
          </button>
        </form>
      )}
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault();
          const broken = mutation.trim() === '' ? {} : { mutation: mutation.trim() };
          act({ do: 'open', open: { kind: 'world', seed, ...broken } });
        }}
      >
        <label>
          World of seed
          <input type="text" value={seed} onInput={(event) => setSeed(event.currentTarget.value)} />
        </label>
        <label>
          Mutation
          <input
            type="text"
            placeholder="none"
            value={mutation}
            onInput={(event) => setMutation(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="wide">
          Open the world
        </button>
      </form>
      <label class="file">
        A file: scenario, history.jsonl or HAR
        <input
          type="file"
          accept=".yaml,.yml,.jsonl,.har"
          onChange={(event) => readFile(event.currentTarget.files?.[0])}
        />
      </label>
    </section>
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
  const walk = useRef<HTMLElement>(null);
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
    <section class="panel walk" aria-labelledby="walk-title" ref={walk}>
      <header>
        <h2 id="walk-title">{title}</h2>
        <button type="button" onClick={() => act({ do: 'close' })}>
          Close
        </button>
      </header>
      {outcome !== '' && <p class="soft">{outcome}</p>}
      {steps.length > 0 && (
        <div class="buttons">
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
      <div class={text === undefined ? '' : 'beside'}>
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
        {text !== undefined && <Source text={text} line={line} />}
      </div>
    </section>
  );
}

const Source = ({ text, line }: { readonly text: string; readonly line: number | undefined }) => (
  <pre class="source" tabIndex={0} role="region" aria-label="The scenario">
    {text.split('\n').map((one, index) => (
      <span key={index} class={index + 1 === line ? 'current' : ''}>
        {one}
        {'\n'}
      </span>
    ))}
  </pre>
);
