import { runJob } from '../../mutants/runner/run-job.ts';
import failures from '../../src/handbook/recorded-failures.json' with { type: 'json' };

type Id = keyof typeof failures;

/** Message of a requirement under the mutation of its recorded example, now and as recorded. */
export async function saidAgain(
  id: Id,
): Promise<{ readonly now: string; readonly recorded: string }> {
  const { mutation, by, message } = failures[id];
  const { messages } = await runJob({ kind: 'mutation', id: mutation, suite: 'narrow-only' });
  return { now: messages[id] ?? 'nothing', recorded: `${by}: ${message}` };
}

/** Every n-th requirement that has an example. */
export const everyNth = (n: number): readonly Id[] =>
  (Object.keys(failures) as Id[]).filter((_, index) => index % n === 0);
