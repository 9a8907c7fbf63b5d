import { systemClock } from '../timeline/clock/system-clock.ts';

/** How often time is moved while it passes by itself, in host milliseconds. */
const tickMs = 100;
/** A host that slept is not caught up with. */
const mostMs = 1_000;

export interface Pace {
  /** So much faster than the host's clock; 0 while time stands still. */
  readonly speed: number;
  run(speed: number): void;
  stop(): void;
}

/** Lets so much of the target's time pass as the host's has, again and again; stops where that fails. */
export function pace(pass: (ms: number) => Promise<void>): Pace {
  const host = systemClock();
  let speed = 0;
  let cancel: (() => void) | undefined;

  function stop(): void {
    speed = 0;
    cancel?.();
    cancel = undefined;
  }

  function tick(since: number): void {
    cancel = host.at(since + tickMs, () => {
      const now = host.now();
      pass(Math.round(Math.min(now - since, mostMs) * speed)).then(() => {
        if (speed > 0) tick(now);
      }, stop);
    });
  }

  return {
    get speed() {
      return speed;
    },
    run(wanted) {
      stop();
      speed = wanted;
      tick(host.now());
    },
    stop,
  };
}
