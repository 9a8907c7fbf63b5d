import { randomSequenceChecks } from '../../conformance/random-sequences.ts';
import type { Target } from '../../src/client/contract.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import type { RunResult } from '../../src/results/source-report.ts';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import type { Assignment, GapId } from '../../src/spec/gaps/index.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';

/** Runs the model's checks, and nothing else, against a target. */
export const runModel = (
  target: Target,
  seed: string,
  only: readonly string[] = [],
): Promise<RunResult> =>
  runChecks({
    target,
    checks: randomSequenceChecks,
    rules: allRules,
    options: { random: random(seed), only },
  });

export interface ReferenceChanges {
  readonly tamper?: Tamper;
  readonly assignment?: Assignment;
  /** Gap answers that discovery counts as found; none by default. */
  readonly known?: Assignment;
  readonly only?: readonly string[];
}

/** As runModel, against the reference, with answers to gaps or with a mistake. */
export async function runReference(
  seed: string,
  applied: ReferenceChanges = {},
): Promise<RunResult> {
  const target = await openEmbedded({
    seed: BigInt(seed),
    ...(applied.tamper && { tamper: applied.tamper }),
    ...(applied.assignment && { assignment: applied.assignment }),
  });
  try {
    const get = (gap: GapId) => applied.known?.[gap] ?? target.answers.get(gap);
    return await runModel({ ...target, answers: { get } }, seed, applied.only);
  } finally {
    await target.close();
  }
}

/** Failures of all checks and rules, each with the id of its check or rule. */
export const wrongIn = (result: RunResult) =>
  [...result.checks, ...result.rules].flatMap(({ id, failures, verdict, reason }) => [
    ...failures.map(({ requirement, outcome, message, actual }) => ({
      id,
      requirement,
      outcome,
      message,
      actual,
    })),
    ...(verdict === 'error' ? [{ id, outcome: 'error', message: reason }] : []),
  ]);

/** Results that would be false alarms on a sound backend. */
export const alarms = (result: RunResult) => ({
  wrong: wrongIn(result).filter(({ outcome }) => outcome !== 'inconclusive'),
  checks: result.checks.filter(
    ({ verdict }) =>
      verdict !== 'pass' && verdict !== 'not_exercised' && verdict !== 'out_of_scope',
  ),
});
export const noAlarms = { wrong: [], checks: [] };

/** As runModel, against a backend of other habits that is served for it. */
export async function runOnPeer(name: DialectName, only?: readonly string[]): Promise<RunResult> {
  const peer = await startPeer({ dialect: dialects[name], clock: 'hand' });
  try {
    const host = { directory: '.', env: {}, readText: () => undefined };
    const text = targetFile(peer, name, 'hand');
    const read = readTargetFile({ file: 'peer.yaml', text }, host);
    if (!read.ok) throw new Error('the file of the peer was not read');
    const opened = await openRemote(read.target, { callsMayWait: true });
    if (!opened.ok) throw new Error(opened.problems.join('\n'));
    try {
      return await runModel(opened.target, '1', only);
    } finally {
      await opened.target.close();
    }
  } finally {
    await peer.close();
  }
}
