import { useState } from 'preact/hooks';
import type { CockpitState, Hello, Verb } from '../../cockpit/view/messages.ts';
import type { Row } from '../../cockpit/view/row.ts';
import { Choice } from '../shared/fields.tsx';
import { momentText, spanText, timeText, whatText } from './display-text.ts';

interface TimeBarProps {
  readonly hello: Hello;
  readonly state: CockpitState;
  readonly act: (verb: Verb) => void;
  /** The shown moment. */
  readonly now: number;
  readonly isPast: boolean;
  /** Result of the last command. */
  readonly said: { readonly text: string; readonly isProblem: boolean };
}

const jumps = [
  { ms: 1_000, label: '+1 s' },
  { ms: 10_000, label: '+10 s' },
  { ms: 60_000, label: '+1 min' },
] as const;

/** Controls to stop time, to let it pass, and to advance it. */
export function TimeBar({ hello, state, act, said, now, isPast }: TimeBarProps) {
  const [seconds, setSeconds] = useState('4');
  const { speed } = state;
  const isDriven = hello.clock === 'driven' && state.mode === 'live';
  const [next] = state.deadlines;
  return (
    <section class="row time-bar" aria-labelledby="clock-title">
      <h2 id="clock-title" class="unseen">
        Time
      </h2>
      <p class="clock">
        <time dateTime={new Date(now).toISOString()}>{momentText(now)}</time>
        <span class="soft small">UTC, {isPast ? 'looking back' : passing(hello, speed)}</span>
      </p>
      {isDriven && (
        <div class="row" role="group" aria-label="Move time">
          <button
            type="button"
            aria-pressed={speed > 0}
            onClick={() => act(speed > 0 ? { do: 'stop' } : { do: 'run', speed: 1 })}
          >
            {speed > 0 ? 'Stop time' : 'Let time pass'}
          </button>
          {speed > 0 && (
            <button
              type="button"
              onClick={() => act({ do: 'run', speed: speed * 10 })}
              disabled={speed >= 100}
            >
              10 × faster
            </button>
          )}
          <button type="button" class="main" disabled={!next} onClick={() => act({ do: 'step' })}>
            To the next deadline{next ? ` (${spanText(next.at - state.now)})` : ''}
          </button>
          {jumps.map(({ ms, label }) => (
            <button key={label} type="button" onClick={() => act({ do: 'advance', ms })}>
              {label}
            </button>
          ))}
          <form
            class="row advance"
            onSubmit={(event) => {
              event.preventDefault();
              act({ do: 'advance', ms: Number(seconds) * 1_000 });
            }}
          >
            <input
              type="text"
              inputMode="decimal"
              aria-label="Seconds to advance"
              value={seconds}
              onInput={(event) => setSeconds(event.currentTarget.value)}
            />
            <button type="submit">Advance (s)</button>
          </form>
        </div>
      )}
      <p class={`said small ${said.isProblem ? 'warn-text' : 'soft'}`} role="status">
        {said.text}
      </p>
    </section>
  );
}

function passing({ clock }: Hello, speed: number): string {
  if (clock === 'system') return 'passing by itself';
  return speed === 0 ? 'standing still' : `${speed} × as fast`;
}

interface MomentBarProps {
  readonly rows: readonly Row[];
  readonly hello: Hello;
  readonly state: CockpitState;
  /** The shown row; undefined: the current moment. */
  readonly place: number | undefined;
  readonly onPlace: (place: number | undefined) => void;
  readonly act: (verb: Verb) => void;
}

/** Controls to show any past moment, and to go on from it. */
export function MomentBar({ rows, hello, state, place, onPlace, act }: MomentBarProps) {
  const last = Math.max(0, rows.length - 1);
  const at = Math.min(place ?? last, last);
  const row = rows[at];
  const isOpened = state.mode === 'opened';
  const canFork = hello.kind === 'reference' && (!isOpened || state.opened?.canFork === true);
  const text = row ? `${timeText(row.at)}, ${row.party}: ${whatText(row.what)}` : 'nothing yet';
  const go = (to: number): void => onPlace(to >= last && !isOpened ? undefined : Math.max(0, to));
  return (
    <section class="row moment-bar" aria-labelledby="moment-title">
      <h2 id="moment-title" class="unseen">
        Moments
      </h2>
      <label class="scrub">
        <span class="small soft">
          {place === undefined ? 'Looking at now' : 'Looking back at'}{' '}
          {place !== undefined && <b>{text}</b>}
        </span>
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={text}
          min={0}
          max={last}
          value={at}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </label>
      <div class="row">
        <button type="button" onClick={() => go(at - 1)} disabled={at === 0}>
          Back
        </button>
        <button type="button" onClick={() => go(at + 1)} disabled={at >= last}>
          Forward
        </button>
        {place !== undefined && !isOpened && (
          <button type="button" onClick={() => onPlace(undefined)}>
            To now
          </button>
        )}
        {canFork && (
          <button
            type="button"
            class="main"
            disabled={place === undefined}
            onClick={() => {
              act({ do: 'fork', place: at });
              onPlace(undefined);
            }}
          >
            Go on from here
          </button>
        )}
        {state.lines.length > 1 && !isOpened && (
          <Choice
            label="Line"
            name="small"
            value={`${state.line}`}
            onChange={(line) => act({ do: 'line', line: Number(line) })}
            options={state.lines.map((name, index) => [`${index}`, name])}
          />
        )}
      </div>
      {hello.kind === 'remote' && (
        <p class="small soft">
          A remote target cannot be taken back: earlier moments can be looked at, and not gone on
          from.
        </p>
      )}
    </section>
  );
}
