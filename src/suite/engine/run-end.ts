import type { EndedEarly } from '../../results/run-report.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { EndedError } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';

/** The one way to end a run before all is judged: what was judged by then stands, and what is under way is given up. */
export interface RunEnd {
  /** Ends the run. The first reason stands; a run that is over already takes none. */
  end(how: EndedEarly): void;
  ended(): EndedEarly | undefined;
  /** Calls back when the run is ended, at once if it has been; the answer takes that back. */
  onEnd(act: (how: EndedEarly) => void): () => void;
}

/** The run was ended: thrown by whatever was under way, and by whatever is begun later. */
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

/** Ends a timeline with the run, and with it all that waits or is asked there; the answer takes that back. */
export const endWithRun = (timeline: Timeline, runEnd: RunEnd): (() => void) =>
  runEnd.onEnd((how) => timeline.end(new RunEndedError(how)));

/** Once its timeline has ended, whoever waited on it is told within so many turns of the event loop. */
const turnsToReject = 3;

/** What was under way as the run ended is recorded as such before anything is judged: it may have had its effect. */
export async function everythingRejected(): Promise<void> {
  for (let turn = 0; turn < turnsToReject; turn += 1) await eventLoopTurn();
}
