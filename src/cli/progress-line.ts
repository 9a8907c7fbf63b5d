import type { Progress } from '../suite/engine/progress.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { formatDuration } from '../yaml/index.ts';
import type { Terminal } from './terminal.ts';

const refreshMs = 500;
/** Interval of progress lines in a log. More lines would fill the log of a build; fewer would look like a hang. */
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

/** Calls `act` at an interval in milliseconds of host time, from the first start until it is stopped. */
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

/** One line on a terminal, rewritten as the run goes on; elsewhere a line for each stage, and a few of how far it is. */
export function progressLine(terminal: Terminal) {
  const { isLive } = terminal;
  let words: (() => string) | undefined;
  let shown = '';

  function draw(): void {
    if (!words || terminal.isQuiet) return;
    if (!isLive) return terminal.err(words());
    const next = clipped(words(), terminal.columns);
    if (next !== shown) terminal.live(next);
    shown = next;
  }

  // However many checks finish at a time, it is drawn now and then; a new stage is shown at once.
  const { start, stop } = ticker(isLive ? refreshMs : sayMs, draw);
  function show(next: () => string): void {
    words = next;
    start();
  }

  return {
    stage: (what: string): void => {
      words = () => what;
      draw();
      if (!isLive) words = undefined;
      start();
    },
    update: (progress: Progress) => show(() => wordsOf(progress)),
    /** Prints the text of `words` from time to time. */
    show,
    end: (): void => {
      stop();
      if (shown !== '') terminal.live('');
      shown = '';
    },
  };
}
