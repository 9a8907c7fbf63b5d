import { describe, expect, it } from 'vitest';
import type { Tamper } from '../../reference/http/index.ts';
import { judgeRun, viewOfRun } from '../judge-run.ts';
import type { PlannedStep } from '../plan.ts';
import { runPlan } from '../run-plan.ts';
import { judgeEffects } from './legal-effects.ts';
import { createOrder, planOf } from './testing.ts';

const validity = { forMs: 30_000 };
const at = { afterMs: 0 };

/** Two quotes of two makers; sender and custodian accept at once, each another one, and look. */
const race: readonly PlannedStep[] = [
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

describe('the order of effects', () => {
  it('is legal where one of two acceptances that were sent at once won', async () => {
    const run = await runPlan(planOf(race));
    expect(judgeEffects(run, viewOfRun(run))).toEqual({ findings: [], legal: 1, unknown: 0 });
  });

  it('is found illegal where both were granted and a read shows neither', async () => {
    const run = await runPlan(planOf(race), { tamper: forgetful() });
    const view = viewOfRun(run);
    const [finding, ...others] = judgeEffects(run, view).findings;
    expect(others).toEqual([]);
    expect(finding?.requirements).toEqual(['order.state.listed-transitions-only']);
    expect(finding?.cause).not.toMatch(/\d/);
    expect(judgeRun(run, view, [])).toContainEqual(finding);
  });

  it('is legal where nobody heard of an acceptance, also where proposals come first', async () => {
    const [creation, quote] = race;
    if (!creation || !quote) throw new Error('a race begins with an order and a quote');
    const steps: readonly PlannedStep[] = [
      creation,
      { at, by: 'sender_custodian', do: 'accept the proposal', order: 'order 1' },
      { ...quote, at: { afterMs: 10 } },
      { at: { afterMs: 10 }, fault: 'answer lost', party: 'sender', ms: 12_000 },
      { at: { afterMs: 10 }, by: 'sender', do: 'accept', order: 'order 1', quote: 'quote 1' },
    ];
    const assignment = { 'proposal.effect': 'opens-acceptance' };
    const run = await runPlan({ ...planOf(steps), assignment });
    expect([...viewOfRun(run).orders.values()].map(({ frames }) => frames.length)).toEqual([0]);
    expect(judgeEffects(run, viewOfRun(run))).toEqual({ findings: [], legal: 1, unknown: 0 });
  });

  it('leaves out an order that a fault has pushed off its path', async () => {
    const steps: readonly PlannedStep[] = [
      ...race.slice(0, 5),
      { at: { afterMs: 10 }, fault: 'operator withdraws', order: 'order 1' },
      ...race.slice(5),
    ];
    const run = await runPlan(planOf(steps), { tamper: forgetful() });
    expect(judgeEffects(run, viewOfRun(run))).toEqual({ findings: [], legal: 0, unknown: 0 });
  });
});
