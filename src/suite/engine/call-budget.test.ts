import { expect, test } from 'vitest';
import { createBudget } from './call-budget.ts';
import { createCallGate } from './call-gate.ts';
import { fakeTarget } from './testing.ts';
import { sideBySide } from '../../../test/support/side-by-side.ts';

test("a target's silence is no time that a check uses, while it lasts and after", async () => {
  const target = fakeTarget();
  const { timeline } = target;
  const gate = createCallGate(timeline, { concurrency: 1 });
  const budget = createBudget('test', timeline, gate, 5_000);
  const { policy } = budget;
  const party = target.party('sender', 'test', policy);
  const silentListen = () =>
    policy.listen(async ({ onSilence }) => {
      await timeline.sleep(1_000);
      onSilence();
      await timeline.sleep(30_000);
      return target.party('sender', 'test').events;
    });
  const begun = timeline.now();
  const lasts: number[] = [];
  const look = () => lasts.push(budget.deadline() - begun);
  await sideBySide<unknown>(timeline, {
    listener: silentListen,
    watcher: () => timeline.sleep(900).then(look),
    another: () => timeline.sleep(11_000).then(look),
  });
  look();
  expect(lasts).toEqual([5_000, 15_000, 35_000]);
  // The rest of the budget can still be used.
  await timeline.act('caller', () => party.call('health.read'));
});

test('a call that a target held back costs no budget, and at most doubles it', async () => {
  const target = fakeTarget();
  const { timeline } = target;
  const gate = createCallGate(timeline, { concurrency: 1 });
  const budget = createBudget('test', timeline, gate, 5_000);
  const begun = timeline.now();
  const heldBack = () =>
    budget.policy.call(
      async () => {
        await timeline.sleep(4_000);
        return target.party('sender', 'test').call('health.read');
      },
      { reads: true },
    );
  const left: number[] = [];
  await timeline.act('caller', async () => {
    for (let calls = 0; calls < 2; calls += 1) {
      await heldBack();
      left.push(budget.deadline() - timeline.now());
    }
  });
  expect(left).toEqual([5_000, 2_000]);
  expect(budget.deadline() - begun).toBe(10_000);
});

test.each([
  ['virtual', 'first, second, other'],
  ['controlled', 'first, other, second'],
] as const)('in one moment of a %s timeline calls come as: %s', async (kind, order) => {
  const target = fakeTarget();
  const timeline = { ...target.timeline, kind };
  const gate = createCallGate(timeline, { concurrency: 4 });
  const seen: string[] = [];
  const callAs = (name: string, { policy }: ReturnType<typeof createBudget>) =>
    policy.call(
      async ({ prompt, still } = {}) => {
        seen.push(name);
        // Either keeps time from passing before the next call.
        expect(prompt || still || name === 'other').toBe(true);
        await timeline.sleep(10);
        return target.party('sender', name).call('health.read');
      },
      { reads: false },
    );
  const [own, other] = ['own', 'other'].map((name) => createBudget(name, timeline, gate, 5_000));
  if (!own || !other) throw new Error('two budgets were made');
  const body = async (): Promise<void> => {
    await callAs('first', own);
    await callAs('second', own);
  };
  await sideBySide<unknown>(timeline, {
    own: () => own.inOneMoment(body),
    other: () => timeline.sleep(5).then(() => callAs('other', other)),
  });
  expect(seen.join(', ')).toBe(order);
});
