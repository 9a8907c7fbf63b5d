import type { Clock } from '../../timeline/clock/clock.ts';
import type { WireAnswer } from './transport.ts';
import { WireFault, wireErrorOf } from './wire-errors.ts';

/** One exchange under way: its abort signal, and the reason of an abort. */
export interface InFlightRequest {
  /** Made on demand: it costs as much as a whole answer in process, which does not need it. */
  signal(): AbortSignal;
  /** Sets the deadline to `ms` milliseconds from now. */
  setDeadline(ms: number, what: string): void;
  /** Removes the deadline. */
  clearDeadline(): void;
  abort(error: WireFault): void;
  /** The reason of the abort; if it was not aborted, the fault that the error means. */
  fault(error: unknown): WireAnswer & { readonly kind: 'error' };
}

/** A timer that fires later than this, in host milliseconds, shows that this process was busy. */
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
        // The answer may have come, but be unread, while this process was busy: it gets the same time again for
        // reading.
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
