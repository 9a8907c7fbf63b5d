import type { Progress } from '../suite/engine/progress.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { formatDuration } from '../yaml/index.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressLine {
  /** Says what is being done now. */
  readonly stage: (what: string) => void;
  readonly update: (progress: Progress) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

const refreshMs = 500;
/** In a log of a build nobody wants more, and silence for longer looks like a run that hangs. */
const sayMs = 30_000;

const clipped = (text: string, columns: number): string =>
  text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;

function wordsOf(progress: Progress): string {
  const { finished, total } = progress;
  const [longest, ...others] = progress.waiting();
  const waiting =
    longest === undefined
      ? ''
      : ` · ${longest.check} waits ${formatDuration(Math.max(0, Math.round(longest.leftMs / 1000)) * 1000)}` +
        (others.length > 0 ? ` and ${others.length} more` : '');
  return `${finished} of ${total} checks${waiting}`;
}

/** Does something every so many milliseconds of host time, from its first start until it is stopped. */
function ticker(everyMs: number, act: () => void) {
  const clock = systemClock();
  let cancel: (() => void) | undefined;
  const start = (): void => {
    cancel ??= clock.at(clock.now() + everyMs, () => {
      cancel = undefined;
      act();
      start();
    });
  };
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  return { start, stop };
}

/** The stages, a line each, and now and then another of how far it has come. */
function progressLines(terminal: Terminal): ProgressLine {
  let words: (() => string) | undefined;
  const { start, stop } = ticker(sayMs, () => {
    if (words) terminal.err(words());
  });
  return {
    stage(what) {
      words = undefined;
      terminal.err(what);
      start();
    },
    update(progress) {
      words = () => wordsOf(progress);
      start();
    },
    end: stop,
  };
}

/** One line on a terminal, rewritten as the run goes on; elsewhere a few lines. */
export function progressLine(terminal: Terminal): ProgressLine {
  if (!terminal.isLive) return progressLines(terminal);
  let words = (): string => '';
  let shown = '';

  function draw(): void {
    const next = clipped(words(), terminal.columns);
    if (next !== shown) terminal.live(next);
    shown = next;
  }

  // At once for a new stage; else now and then, however many checks finish at a time.
  const { start, stop } = ticker(refreshMs, draw);
  return {
    stage(what) {
      words = () => what;
      draw();
      start();
    },
    update(progress) {
      words = () => wordsOf(progress);
      start();
    },
    end() {
      stop();
      if (shown !== '') terminal.live('');
      shown = '';
    },
  };
}
