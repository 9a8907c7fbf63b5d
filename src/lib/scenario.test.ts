import { describe, expect, it } from 'vitest';
import type { Rule } from '../oracle/index.ts';
import { play } from './scenario.ts';
import { startReference } from './reference.ts';

const file = new URL('../../scenarios/cancel/pending.yaml', import.meta.url);
const wrong = 'scenario: It is four\nsteps:\n  - sender: create order\n    expect: { memo: "4" }\n';

describe('play', () => {
  it('plays a file on the embedded reference', async () => {
    const outcome = await play(file, { seed: 7 });
    expect(outcome).toMatchObject({ kind: 'played', verdict: 'pass' });
    expect(outcome).toHaveProperty('history.records.5');
  });

  it('plays a text on a target', async () => {
    const { baseUrls, close } = await startReference({ clock: 'system' });
    const text =
      'scenario: One order\nsteps:\n  - sender: create order\n    expect: { status: PENDING }\n';
    const outcome = await play({ text }, { target: { baseUrls } });
    await close();
    expect(outcome).toMatchObject({ kind: 'played', verdict: 'pass' });
  });

  it('shows the line where it failed', async () => {
    const outcome = await play({ text: wrong, name: 'four.yaml' });
    expect(outcome).toMatchObject({
      verdict: 'fail',
      scenarios: [{ id: 'four', failures: [expect.stringMatching(/^four\.yaml:4:/)] }],
    });
  });

  it('refuses options that it does not have', async () => {
    const misspelt = { maxWaitMS: 5 } as object;
    await expect(play(file, misspelt)).rejects.toMatchObject({
      code: 'options',
      message: expect.stringMatching(
        /"maxWaitMS" is no option\n {2}next: did you mean "maxWaitMs"/,
      ),
    });
  });

  it('judges by rules of ones own', async () => {
    const requirement = 'order.memo.echo';
    const rule = {
      id: 'mine.rule',
      title: 'Wrong.',
      requirements: [requirement],
      judge: () => [{ requirement, outcome: 'fail', message: 'was wrong', evidence: [] }],
    } as unknown as Rule;
    expect(await play(file, { rules: [rule] })).toMatchObject({ verdict: 'fail' });
  });

  it('says what is wrong with a file', async () => {
    await expect(play('nowhere.yaml')).rejects.toMatchObject({ code: 'scenario' });
    await expect(play({ text: 'scenario: x' })).rejects.toMatchObject({
      code: 'scenario',
      message: expect.stringMatching(/^scenario:1:1: /),
    });
  });
});
