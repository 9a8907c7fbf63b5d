import type { Clock } from '../../timeline/clock/clock.ts';
import type { WireAnswer } from './transport.ts';
import { WireFault, wireErrorOf } from './wire-errors.ts';

/** One exchange under way: what aborts it, and why it was aborted. */
export interface InFlightRequest {
  /** Made when it is asked for: it costs as much as a whole answer in process, which has no use for it. */
  signal(): AbortSignal;
  /** From now on only so many milliseconds are left. */
  setDeadline(ms: number, what: string): void;
  /** No deadline any more. */
  clearDeadline(): void;
  abort(error: WireFault): void;
  /** The reason for which it was aborted, or else what the error means. */
  fault(error: unknown): WireAnswer & { readonly kind: 'error' };
}

/** A timer that fires so much too late, in host milliseconds, shows that this process was busy. */
const busyMs = 50;

export function startInFlight(clock: Clock): InFlightRequest {
  let controller: AbortController | undefined;
  let reason: WireFault | undefined;
  let cancel: () => void = () => {};

  function abort(error: WireFault): void {
    reason ??= error;
    cancel();
    controller?.abort();
  }

  return {
    signal() {
      controller ??= new AbortController();
      if (reason) controller.abort();
      return controller.signal;
    },
    setDeadline(ms, what) {
      cancel();
      const due = clock.now() + ms;
      const giveUp = () => abort(new WireFault('timeout', `no ${what} within ${ms} ms`));
      cancel = clock.at(due, () => {
        // The answer may have come while this process was busy, and be unread: it gets as long again to read it.
        const lateMs = clock.now() - due;
        if (lateMs < busyMs) giveUp();
        else cancel = clock.at(clock.now() + lateMs, giveUp);
      });
    },
    clearDeadline: () => cancel(),
    abort,
    fault: (error) => ({ kind: 'error', error: wireErrorOf(reason ?? error) }),
  };
}
