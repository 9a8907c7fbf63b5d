import { runJob } from '../../mutants/runner/run-job.ts';
import recorded from '../../src/handbook/recorded-failures.json' with { type: 'json' };

type Id = keyof typeof recorded;

/** What the suite says of a requirement now, of the mutation that its example was recorded with. */
export async function saidAgain(id: Id): Promise<{ readonly now: string; readonly then: string }> {
  const { mutation, by, message } = recorded[id];
  const { messages } = await runJob({ kind: 'mutation', id: mutation, suite: 'narrow-only' });
  return { now: messages[id] ?? 'nothing', then: `${by}: ${message}` };
}

/** Every so many of the requirements that have an example. */
export const everyNth = (n: number): readonly Id[] =>
  (Object.keys(recorded) as Id[]).filter((_, index) => index % n === 0);
