import { describe, expect, it } from 'vitest';
import { effectsExplained } from '../oracle/rules/orders/effects-explained.ts';
import type { Tamper } from '../reference/http/index.ts';
import { judgeRun, viewOfRun } from './judge-run.ts';
import type { PlannedStep } from './plan.ts';
import { runPlan, type WorldRun } from './run-plan.ts';
import { playAndJudge } from './run-world.ts';
import { createOrder, planOf } from './judge/testing.ts';

const asked = planOf([
  createOrder,
  { at: { afterMs: 1 }, by: 'sender_custodian', do: 'stray', endpoint: 'proposal.accept' },
  { at: { afterMs: 1 }, by: 'sender', do: 'stray', endpoint: 'order.quotes' },
]);

it('fails a target that grants a request for an order that does not exist', async () => {
  const granting: Tamper = {
    response: (answer, { endpoint }) =>
      endpoint === 'proposal.accept' && answer.status === 404
        ? { status: 204, headers: {} }
        : answer,
  };
  const found = async (tamper?: Tamper) => {
    const { outcome } = await playAndJudge(
      asked,
      { depth: 'process', mutation: 'x' },
      { tamperOf: () => tamper ?? {} },
    );
    return outcome.findings.map(({ cause }) => cause);
  };
  expect(await found()).toEqual([]);
  expect(await found(granting)).toContain('unknown order · proposal.accept');
});

describe('the order of effects in a world', () => {
  const validity = { forMs: 30_000 };
  const at = { afterMs: 0 };
  /** Quotes of two makers. Sender and custodian accept one each at the same time, then read. */
  const race: readonly [PlannedStep, PlannedStep, ...PlannedStep[]] = [
    createOrder,
    { at, by: 'maker_a', do: 'quote', order: 'order 1', label: 'quote 1', rate: '1.1', validity },
    { at, by: 'maker_b', do: 'quote', order: 'order 1', label: 'quote 2', rate: '1.2', validity },
    { at: { afterMs: 50 }, by: 'sender', do: 'accept', order: 'order 1', quote: 'quote 1' },
    { at, by: 'sender_custodian', do: 'accept', order: 'order 1', quote: 'quote 2' },
    { at: { afterMs: 50 }, by: 'sender', do: 'read', order: 'order 1' },
  ];
  /** An acceptance is granted, and nothing comes of it. */
  const forgetful = (): Tamper => ({
    outcome: (outcome, command, { state }) =>
      command.type === 'request' && command.endpoint === 'quote.accept'
        ? { ...outcome, state, events: [], deadlines: [] }
        : outcome,
  });
  const outcomesOf = (run: WorldRun) =>
    new Set([...effectsExplained.judge(viewOfRun(run))].map(({ outcome }) => outcome));

  it('is legal where one of two acceptances that were sent at once won', async () => {
    expect(outcomesOf(await runPlan(planOf(race)))).toEqual(new Set(['pass']));
  });

  it('is found illegal where an acceptance was granted and a later read shows none', async () => {
    const look = { at: { afterMs: 3_000 }, by: 'sender', do: 'read', order: 'order 1' } as const;
    const steps = [...race.slice(0, 4), look];
    const run = await runPlan(planOf(steps), { tamper: forgetful() });
    expect(outcomesOf(run)).toEqual(new Set(['fail']));
    const found = judgeRun(run, viewOfRun(run), [effectsExplained]);
    expect(found.map(({ requirements }) => requirements)).toEqual([
      ['order.state.listed-transitions-only'],
    ]);
    expect(found[0]?.cause).not.toMatch(/\d/);
  });

  it('is legal if an acceptance got no answer, also if proposals come first', async () => {
    const [creation, quote] = race;
    const steps: readonly PlannedStep[] = [
      creation,
      { at, by: 'sender_custodian', do: 'accept the proposal', order: 'order 1' },
      { ...quote, at: { afterMs: 10 } },
      { at: { afterMs: 10 }, fault: 'answer lost', party: 'sender', ms: 12_000 },
      { at: { afterMs: 10 }, by: 'sender', do: 'accept', order: 'order 1', quote: 'quote 1' },
    ];
    const assignment = { 'proposal.effect': 'opens-acceptance' };
    expect(outcomesOf(await runPlan({ ...planOf(steps), assignment }))).toEqual(new Set(['pass']));
  });

  it('is not judged for an order that a fault changed', async () => {
    const steps: readonly PlannedStep[] = [
      ...race.slice(0, 5),
      { at: { afterMs: 10 }, fault: 'operator withdraws', order: 'order 1' },
      ...race.slice(5),
    ];
    expect(outcomesOf(await runPlan(planOf(steps), { tamper: forgetful() }))).toEqual(new Set());
  });
});
