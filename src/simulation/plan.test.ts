import { describe, expect, it } from 'vitest';
import { formatSeed } from '../random/seed.ts';
import { drawPlan } from './draw/draw-plan.ts';
import { readPlan } from './plan.ts';

const plan = drawPlan(formatSeed(27n));
const reading = (changes: object) => readPlan(JSON.stringify({ ...plan, ...changes }));
const step = { at: { afterMs: 0 }, by: 'sender', do: 'read', order: 'order 1' };

describe('a plan in a file', () => {
  it('is read as it was written, whatever it was drawn from', () => {
    for (let seed = 1n; seed <= 60n; seed += 1n) {
      const drawn = drawPlan(formatSeed(seed));
      expect(readPlan(JSON.stringify(drawn))).toEqual({ ok: true, value: drawn });
    }
  });

  it.each([
    ['another format', { format: 'assay.plan/9' }, 'not a plan: "format" is not "assay.plan/1"'],
    [
      'a seed that is a number',
      { seed: 1 },
      'not a plan: seed is not a seed, 0x and sixteen digits',
    ],
    [
      'nobody of a role',
      { parties: plan.parties.filter(({ role }) => role !== 'market-maker') },
      'not a plan: parties have no market-maker',
    ],
    [
      'an answer that no gap has',
      { assignment: { 'token.algorithm': 'none' } },
      'not a plan: assignment.token.algorithm is not one of',
    ],
    [
      'an unknown command',
      { steps: [{ ...step, do: 'reed' }] },
      'not a plan: steps[0].do is not one of create, quote',
    ],
    [
      'an unknown fault',
      { steps: [{ at: step.at, fault: 'flood' }] },
      'not a plan: steps[0].fault is not one of leg reverts',
    ],
    [
      'a stranger',
      { steps: [step, { ...step, by: 'nobody' }] },
      'not a plan: steps[1].by is not one of the parties',
    ],
    [
      'a time before now',
      { steps: [{ ...step, at: { afterMs: -1 } }] },
      'not a plan: steps[0].at.afterMs is not a count',
    ],
    [
      'a moment near nothing',
      { steps: [{ ...step, at: { near: { of: 'noon' }, leadMs: 0 } }] },
      'not a plan: steps[0].at.near.of is not one of expires_at',
    ],
  ])('is refused with %s, and the place is named', (_, changes, problem) => {
    expect(reading(changes)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });
});
