import { systemClock } from '../timeline/clock/system-clock.ts';

/** Interval between advances while time passes by itself, in host milliseconds. */
const tickMs = 100;
/** Maximum host time per advance, in milliseconds: the time of a host that slept is not made up. */
const mostMs = 1_000;

export interface Pace {
  /** Factor to the host's clock; 0 while time stands still. */
  readonly speed: number;
  run(speed: number): void;
  stop(): void;
}

/** Repeatedly passes as much of the target's time as the host's time times the speed; stops if that fails. */
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
