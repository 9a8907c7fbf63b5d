import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { restartCanaries } from '../../mutants/canaries/restarts.ts';
import type { Exchange } from '../../src/history/records.ts';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import { openWorld } from '../../src/simulation/play/open-world.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import { checkStartMs } from '../../src/target/embedded/create-reference.ts';

const answered: Exchange = {
  kind: 'exchange',
  id: 'restart',
  by: 'restart',
  party: 'sender',
  role: 'institution',
  params: {},
  query: {},
  auth: 'none',
  request: { method: 'POST', path: '/', headers: {} },
  response: { status: 200, headers: {} },
  sent: checkStartMs,
  received: checkStartMs,
};

/** Verdicts of some checks on a reference that restarts during the run. */
async function runWith(only: readonly string[], flaw?: string) {
  const tamper = restartCanaries.find(({ id }) => id === flaw)?.tamper();
  let restarts = 0;
  const onRestart = (): void => {
    restarts += 1;
  };
  const world = await openWorld({ seed: 1n, startMs: checkStartMs, tamper, onRestart });
  const { target, lives } = world;
  const restart = (): Promise<Exchange> => {
    lives?.restart(0);
    return Promise.resolve(answered);
  };
  const result = await runChecks({
    target: { ...target, restart },
    checks,
    rules: allRules,
    options: { random: random('7'), only },
  });
  await target.close();
  return {
    restarts,
    amiss: result.checks.flatMap(({ id, verdict, reason }) =>
      verdict === 'pass' ? [] : [`${id} ${verdict} ${reason ?? ''}`],
    ),
    failed: result.requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])),
  };
}

it('the core is run again after a restart, at which a sound target fails nothing', async () => {
  const { restarts, amiss, failed } = await runWith(['quote.select.third', 'list.late-in-run.*']);
  expect([restarts, amiss, failed]).toEqual([1, [], []]);
});

it.each([
  ['identifiers-issued-twice', 'error.refusal-is-4xx'],
  ['rejected-quote-revived-by-recovery', 'quote.state.rejected-absorbs'],
] as const)('%s is found', async (flaw, requirement) => {
  const { failed } = await runWith(['quote.select.third', 'list.late-in-run.maker_a'], flaw);
  expect(failed).toContain(requirement);
});
