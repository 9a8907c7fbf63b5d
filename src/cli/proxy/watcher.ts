import type { PassedBatch } from '../../proxy/passed.ts';
import type { Violation } from '../../run/watch-session.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import { freeThreads, startThread } from '../threads.ts';
import { type SessionEnd, type SessionInputs, startSession } from './session.ts';
import type { FromWatch, ToWatch } from './watch-thread.ts';

export interface Watcher {
  take(batch: PassedBatch): void;
  end(finishedAt: string): Promise<SessionEnd>;
  /** Ends it without a report, if no traffic passed. */
  drop(): Promise<void>;
}

export interface WatcherEvents {
  /** `bytes`: number of the handed-over bytes that were read. */
  readonly onRead: (bytes: number) => void;
  readonly onViolation: (violation: Violation) => void;
  /** Called if the watcher fails, which is our own bug. */
  readonly onBroken: (error: unknown) => void;
}

/** Starts the watcher on its own thread; on this thread if the sources run unbundled or a user's own rules judge. */
export function startWatcher(inputs: SessionInputs, clock: Clock, events: WatcherEvents): Watcher {
  return inputs.rules === undefined && freeThreads('watch-thread') > 0
    ? onThread(inputs, events)
    : inProcess(inputs, clock, events);
}

function inProcess(inputs: SessionInputs, clock: Clock, events: WatcherEvents): Watcher {
  const session = startSession(inputs, clock, events.onViolation);
  return {
    take(batch) {
      session.take(batch);
      events.onRead(batch.bytes.length);
    },
    end: async (finishedAt) => session.end(finishedAt),
    drop: async () => session.drop(),
  };
}

function onThread(inputs: SessionInputs, events: WatcherEvents): Watcher {
  const thread = startThread('watch-thread', inputs);
  const ended = new Promise<SessionEnd>((resolve, reject) => {
    thread.once('error', (error) => {
      events.onBroken(error);
      reject(error);
    });
    thread.on('message', (said: FromWatch) => {
      if ('read' in said) events.onRead(said.read);
      else if ('violation' in said) events.onViolation(said.violation);
      else resolve(said.ended);
    });
  });
  // It is awaited once the session ends, and may have failed by then.
  ended.catch(() => {});
  return {
    take: (batch) => thread.postMessage({ batch } satisfies ToWatch, [batch.bytes.buffer]),
    async end(finishedAt) {
      thread.postMessage({ end: finishedAt } satisfies ToWatch);
      try {
        return await ended;
      } finally {
        await thread.terminate();
      }
    },
    async drop() {
      thread.postMessage({ drop: true } satisfies ToWatch);
      await new Promise((resolve) => thread.once('exit', resolve));
    },
  };
}
