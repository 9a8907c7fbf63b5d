import type { EndedEarly } from '../../results/run-report.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { EndedError } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';

/** The one way to end a run before all is judged: earlier findings stand, and work under way is given up. */
export interface RunEnd {
  /** Ends the run. The first reason stands; later calls change nothing. */
  end(how: EndedEarly): void;
  ended(): EndedEarly | undefined;
  /** Calls back when the run is ended; at once if it has ended. Returns a function that cancels this. */
  onEnd(act: (how: EndedEarly) => void): () => void;
}

/** The run was ended: thrown by all work under way, and by all work that begins later. */
export class RunEndedError extends EndedError {
  override readonly name = 'RunEndedError';
  readonly how: EndedEarly;

  constructor(how: EndedEarly) {
    super(`the run ended early: ${how.detail}`);
    this.how = how;
  }
}

export function createRunEnd(): RunEnd {
  const listeners = new Set<(how: EndedEarly) => void>();
  let ended: EndedEarly | undefined;
  return {
    end(how) {
      if (ended) return;
      ended = how;
      for (const act of listeners) act(how);
    },
    ended: () => ended,
    onEnd(act) {
      listeners.add(act);
      if (ended) act(ended);
      return () => void listeners.delete(act);
    },
  };
}

/** Ends a timeline, with all its waits and work, when the run ends. Returns a function that cancels this. */
export const endWithRun = (timeline: Timeline, runEnd: RunEnd): (() => void) =>
  runEnd.onEnd((how) => timeline.end(new RunEndedError(how)));

/** Turns of the event loop within which all waits on an ended timeline are rejected. */
const turnsToReject = 3;

/** Waits until calls under way are recorded as such, before anything is judged: they may have had their effect. */
export async function everythingRejected(): Promise<void> {
  for (let turn = 0; turn < turnsToReject; turn += 1) await eventLoopTurn();
}
