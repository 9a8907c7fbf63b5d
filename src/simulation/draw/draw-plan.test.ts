import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import { isFault, type Plan, type PlannedStep } from '../plan.ts';
import { drawPlan } from './draw-plan.ts';
import { faultNames } from '../plan.ts';

const seeds = Array.from({ length: 300 }, (_, index) => formatSeed(BigInt(index + 1)));
const plans = seeds.map((seed) => drawPlan(seed));

const labelsMade = ({ steps }: Plan): readonly string[] =>
  steps.flatMap((step) => ('label' in step ? [step.label] : []));

/** Whom and what a step speaks of. */
const namedBy = (step: PlannedStep): readonly string[] => [
  ...('by' in step ? [step.by] : []),
  ...('party' in step ? [step.party] : []),
  ...('order' in step && step.order !== undefined ? [step.order] : []),
  ...('quote' in step ? [step.quote] : []),
  ...('stream' in step ? [step.stream] : []),
  ...('resumes' in step && step.resumes !== undefined ? [step.resumes] : []),
];

describe('a drawn plan', () => {
  it('is fixed by its seed', () => {
    expect(seeds.slice(0, 40).map((seed) => drawPlan(seed))).toEqual(plans.slice(0, 40));
    expect(new Set(plans.map((plan) => JSON.stringify({ ...plan, seed: '' }))).size).toBe(300);
  });

  it('is plain JSON', () => {
    for (const plan of plans) expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('has between 3 and 20 parties: an institution, a custodian and a maker at least', () => {
    for (const { parties } of plans) {
      expect(new Set(parties.map(({ name }) => name)).size).toBe(parties.length);
      expect(new Set(parties.map(({ role }) => role)).size).toBe(3);
      expect(parties.length).toBeGreaterThanOrEqual(3);
      expect(parties.length).toBeLessThanOrEqual(20);
    }
    expect(Math.max(...plans.map(({ parties }) => parties.length))).toBe(20);
  });

  it('refers only to its own parties and to earlier labels', () => {
    const strangers = plans.flatMap((plan) => {
      const known = new Set<string>(['', ...plan.parties.map(({ name }) => name)]);
      return plan.steps.flatMap((step) => {
        const unknown = namedBy(step).filter((name) => !known.has(name));
        if ('label' in step) known.add(step.label);
        return unknown.map((name) => `${plan.seed} ${name}`);
      });
    });
    expect(strangers).toEqual([]);
    const twice = plans.filter((plan) => new Set(labelsMade(plan)).size < labelsMade(plan).length);
    expect(twice).toEqual([]);
  });

  it('has every fault in some of the first 300 worlds, and never one that was left out', () => {
    const drawn = new Set(
      plans.flatMap(({ steps }) => steps.filter(isFault).map(({ fault }) => fault)),
    );
    expect([...drawn].toSorted()).toEqual([...faultNames].toSorted());
    for (const seed of seeds.slice(0, 50)) {
      expect(drawPlan(seed, { faults: [] }).steps.filter(isFault)).toEqual([]);
      const some = drawPlan(seed, { faults: ['partition'] }).steps.filter(isFault);
      expect(some.every(({ fault }) => fault === 'partition')).toBe(true);
    }
  });

  it('lets decisions about one order fall on one moment in some worlds', () => {
    const deciding = ['accept', 'cancel', 'accept the proposal'];
    const decides = (step?: PlannedStep): step is PlannedStep & { readonly order: string } =>
      step !== undefined && 'do' in step && deciding.includes(step.do);
    const meetings = plans.map(
      ({ steps }) =>
        steps.filter((step, n) => {
          const before = steps[n - 1];
          const isAtOnce = 'afterMs' in step.at && step.at.afterMs === 0;
          return isAtOnce && decides(step) && decides(before) && before.order === step.order;
        }).length,
    );
    expect(meetings.filter((count) => count === 0).length).toBeGreaterThan(60);
    expect(meetings.filter((count) => count > 2).length).toBeGreaterThan(10);
  });

  it('leaves out some commands in some worlds, and has about the requested number of steps', () => {
    const without = plans.filter(
      ({ steps }) => !steps.some((one) => 'do' in one && one.do === 'cancel'),
    );
    expect(without.length).toBeGreaterThan(60);
    const sized = drawPlan('0x1', { steps: 500, faults: [] });
    expect(sized.steps.length).toBeGreaterThanOrEqual(500);
    expect(sized.steps.length).toBeLessThan(520);
  });
});
