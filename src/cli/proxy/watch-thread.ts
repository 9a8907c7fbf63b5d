import { parentPort, workerData } from 'node:worker_threads';
import type { PassedBatch } from '../../proxy/passed.ts';
import type { Violation } from '../../run/watch-session.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { type SessionEnd, type SessionInputs, startSession } from './session.ts';

/** A thread that reads and judges the traffic, so that the relay does not wait for it. */

export type ToWatch =
  | { readonly batch: PassedBatch }
  | { readonly end: string }
  | { readonly drop: true };

export type FromWatch =
  | { readonly read: number }
  | { readonly violation: Violation }
  | { readonly ended: SessionEnd };

const tell = (said: FromWatch): void => parentPort?.postMessage(said);

const session = startSession(workerData as SessionInputs, systemClock(), (violation) =>
  tell({ violation }),
);

parentPort?.on('message', (asked: ToWatch) => {
  if ('drop' in asked) {
    session.drop();
    return parentPort?.close();
  }
  if ('end' in asked) return tell({ ended: session.end(asked.end) });
  session.take(asked.batch);
  tell({ read: asked.batch.bytes.length });
});
