export interface WatchdogProbe {
  /** A number that changes whenever anything happens. */
  readonly progress: () => number;
  /** Whether anybody holds time still right now. */
  readonly held: () => boolean;
  /** Whether anybody acts, or waits to go on. */
  readonly anybody: () => boolean;
  readonly onStall: () => void;
}

const looks = 4;

/**
 * Barks when time is held without progress for so many milliseconds of host time. It counts looks and not elapsed
 * time, so that a host that was suspended or busy for long does not set it off.
 * @returns starts watching, or heeds that somebody came or went; harmless when it does already. It rests by itself while
 * nobody holds time, and keeps no process alive where nobody is left.
 */
export function watchdog(watchdogMs: number, watched: WatchdogProbe): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = -1;
  let still = 0;

  function look(): void {
    timer = undefined;
    if (!watched.held()) return;
    const progress = watched.progress();
    still = progress === seen ? still + 1 : 0;
    seen = progress;
    if (still >= looks) {
      still = 0;
      watched.onStall();
    }
    watch();
  }

  function watch(): void {
    timer ??= setTimeout(look, Math.ceil(watchdogMs / looks));
    if (watched.anybody()) timer.ref();
    else timer.unref();
  }

  return watch;
}
