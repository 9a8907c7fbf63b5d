import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import { isFault, type Plan, type PlannedStep } from '../plan.ts';
import { shrinkPlan } from './shrink-plan.ts';

const plans = Array.from({ length: 40 }, (_, index) => drawPlan(formatSeed(BigInt(index + 1))));
const planWith = (has: (plan: Plan) => boolean): Plan => {
  const plan = plans.find(has);
  if (!plan) throw new Error('no plan of the first forty seeds is like that');
  return plan;
};
const doing = (name: string) => (step: PlannedStep) => !isFault(step) && step.do === name;
const bounds = { mostRuns: 2_000 };

describe('making a plan shorter', () => {
  it('leaves the steps that are needed, at the plainest moments, with the plainest setting', async () => {
    const shows = async ({ steps }: Plan) =>
      steps.some(doing('accept')) && steps.some(doing('cancel'));
    const plan = planWith(({ steps }) => steps.some(doing('cancel')) && steps.length > 20);
    const { plan: least, isLeast } = await shrinkPlan(plan, shows, bounds);
    expect(isLeast).toBe(true);
    expect(least.steps).toHaveLength(2);
    expect(least.steps.map(({ at }) => at)).toEqual([{ afterMs: 0 }, { afterMs: 0 }]);
    expect(least.assignment).toEqual({});
    const named = JSON.stringify(least.steps);
    const roles = new Set(least.parties.map(({ role }) => role));
    const extra = least.parties.filter(({ name }) => !named.includes(`"${name}"`));
    expect(extra.length).toBeLessThanOrEqual(roles.size);
  });

  it('keeps the moment at which something happens, where that is what matters', async () => {
    const lastMoment = ({ steps }: Plan): number =>
      steps.reduce((sum, { at }) => sum + ('afterMs' in at ? at.afterMs : 0), 0);
    const plan = planWith((one) => lastMoment(one) > 20_000);
    const { plan: least } = await shrinkPlan(plan, async (one) => lastMoment(one) > 20_000, bounds);
    expect(least.steps).toHaveLength(1);
    expect(lastMoment(least)).toBeGreaterThan(20_000);
  });

  it('needs no step for the sake of a moment', async () => {
    const plan = planWith(({ steps }) => steps.some(doing('create')));
    const create = plan.steps.find(doing('create')) as PlannedStep;
    const by = 'label' in create && 'by' in create ? create.by : '';
    const order = 'label' in create ? create.label : '';
    const steps: readonly PlannedStep[] = [
      create,
      { at: { near: { of: 'expires_at', order }, leadMs: 0 }, by, do: 'read', order },
      { at: { afterMs: 500 }, by, do: 'stray', endpoint: 'order.list', order, token: 'none' },
    ];
    const isLate = ({ at }: PlannedStep): boolean => 'near' in at || at.afterMs > 60_000;
    const shows = async (one: Plan) =>
      one.steps.some((step, n) => doing('stray')(step) && one.steps.slice(0, n + 1).some(isLate));
    const { plan: least } = await shrinkPlan({ ...plan, steps }, shows, bounds);
    const at = { afterMs: 65_000 };
    expect(least.steps).toEqual([
      { at, by: expect.any(String), do: 'stray', endpoint: 'order.list' },
    ]);
  });

  it('renames acting parties to the standard cast, as far as it goes', async () => {
    const parties = [
      ...['sender', 'outsider', 'sender_3'].map((name) => [name, 'institution'] as const),
      ...['sender_custodian', 'custodian_4', 'custodian_5'].map(
        (name) => [name, 'custodian'] as const,
      ),
      ['maker_a', 'market-maker'] as const,
    ].map(([name, role]) => ({ name, role, skewMs: 0 }));
    const steps = plans.flatMap((plan) => plan.steps.filter(doing('create'))).slice(0, 1);
    const order = { by: 'sender_3', custodian: 'custodian_5', receiverCustodian: 'custodian_4' };
    const plan = { ...planWith(() => true), parties };
    const all = steps.map((step) => ({ ...step, ...order, receiver: 'outsider' }) as PlannedStep);
    const shows = async (one: Plan) =>
      one.steps.some((step) => 'receiver' in step && step.receiver === 'outsider');
    const { plan: least } = await shrinkPlan({ ...plan, steps: all }, shows, bounds);
    expect(least.parties.map(({ name }) => name).toSorted()).toEqual([
      'maker_a',
      'outsider',
      'receiver_custodian',
      'sender',
      'sender_custodian',
    ]);
  });

  it('gives the steps of a party without a name in the cast to another party', async () => {
    const plan = planWith(({ steps }) => steps.some(doing('create')));
    const names = ['sender', 'outsider', 'sender_3', 'sender_4'];
    const institutions = names.map((name) => ({ name, role: 'institution', skewMs: 0 }) as const);
    const create = plan.steps.find(doing('create')) as PlannedStep;
    const steps = names.map((by) => ({ ...create, by, receiver: '' }) as PlannedStep);
    const parties = [...plan.parties.filter(({ role }) => role !== 'institution'), ...institutions];
    const shows = async (one: Plan) => one.steps.length === names.length;
    const { plan: least } = await shrinkPlan({ ...plan, parties, steps }, shows, bounds);
    const left = least.parties.filter(({ role }) => role === 'institution');
    expect(left.map(({ name }) => name)).toEqual(['sender', 'outsider']);
  });

  it('separates two steps in time if fewer parties would act in another order', async () => {
    const plan = planWith(({ parties, steps }) => parties.length > 8 && steps.length > 10);
    const steps = plan.steps.filter(doing('create')).slice(0, 2);
    const hurried = steps.map((step) => ({ ...step, at: { afterMs: 0 } }) as PlannedStep);
    // As on a target that serves the first call first. The number of parties decides which that is.
    const shows = async (one: Plan) =>
      one.steps.length === 2 &&
      (one.parties.length === plan.parties.length ||
        one.steps.every(({ at }) => 'afterMs' in at && at.afterMs > 0));
    const { plan: least } = await shrinkPlan({ ...plan, steps: hurried }, shows, bounds);
    expect(least.parties.length).toBeLessThan(plan.parties.length);
  });

  it('keeps the one gap answer that matters', async () => {
    const plan = planWith(({ assignment }) => Object.keys(assignment).length > 1);
    const [kept = ''] = Object.keys(plan.assignment);
    const { plan: least } = await shrinkPlan(
      plan,
      async ({ assignment }) => kept in assignment,
      bounds,
    );
    expect(Object.keys(least.assignment)).toEqual([kept]);
    expect(least.steps).toEqual([]);
  });

  it('is deterministic, and reports which bound ended it', async () => {
    const plan = planWith(({ steps }) => steps.length > 30);
    const shows = async ({ steps }: Plan) => steps.length > 3;
    const [one, other] = [
      await shrinkPlan(plan, shows, bounds),
      await shrinkPlan(plan, shows, bounds),
    ];
    expect(one).toEqual(other);
    const bounded = await shrinkPlan(plan, shows, { mostRuns: 2 });
    expect([bounded.runs, bounded.isLeast]).toEqual([2, false]);
  });
});
