import { describe, expect, it } from 'vitest';
import type { Rule } from '../../oracle/rule.ts';
import { createSignal } from '../../timeline/signal.ts';
import { random } from '../../random/random.ts';
import { type RunOptions, runChecks } from './run-checks.ts';
import type { Check } from './check.ts';
import { aCatalogue, aCheck, fakeTarget, req } from './testing.ts';

const run = (
  checks: readonly Check[],
  more: {
    readonly target?: ReturnType<typeof fakeTarget>;
    readonly rules?: readonly Rule[];
    readonly options?: Partial<RunOptions>;
  } = {},
) =>
  runChecks({
    target: more.target ?? fakeTarget(),
    checks,
    rules: more.rules ?? [],
    options: { random: random('1'), ...more.options },
    catalogue: aCatalogue,
  });

const verdictOf = (result: Awaited<ReturnType<typeof run>>, id: string) =>
  [...result.checks, ...result.rules, ...result.requirements].find((each) => each.id === id)
    ?.verdict;

const passing = aCheck('passing', async (t) => {
  await t.party('sender').call('health.read');
  t.assert(req('a.one'), true, { message: 'was wrong' });
});

describe('a run', () => {
  it('passes exercised requirements, and gives a reason for all others', async () => {
    const result = await run([passing]);
    expect(verdictOf(result, 'passing')).toBe('pass');
    expect(result.requirements.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['a.one', 'pass', undefined],
      ['a.two', 'not_exercised', 'no check and no rule of this suite judges it'],
      ['a.vague', 'not_exercised', 'no check and no rule of this suite judges it'],
      ['a.unseen', 'out_of_scope', 'it is inside'],
      ['a.signed', 'out_of_scope', 'no signing key is offered'],
    ]);
  });

  it('distinguishes unselected requirements from unjudged ones', async () => {
    const other = aCheck('other', () => Promise.resolve(), { requirements: ['a.two'] });
    const result = await run([passing, other], { options: { only: ['passing'] } });
    expect(result.checks.map(({ id }) => id)).toEqual(['passing']);
    expect(result.requirements[1]?.reason).toBe('its checks were not selected');
  });

  it("reports the duration of each check that ran, on the target's clock", async () => {
    const sleepy = aCheck('sleepy', (t) => t.target.timeline.sleep(30_000));
    const absent = aCheck('absent', () => Promise.resolve(), { needs: { parties: ['maker_c'] } });
    const { checks } = await run([sleepy, passing, absent]);
    expect(checks.map(({ id, verdict }) => [id, verdict])[2]).toEqual(['absent', 'out_of_scope']);
    expect(checks.map(({ took_ms }) => took_ms)).toEqual([30_000, 0, undefined]);
  });

  it('shows the last exchange where a failure names none', async () => {
    const result = await run([
      aCheck('failing', async (t) => {
        await t.party('sender').call('health.read');
        t.assert(req('a.one'), false, { message: 'It was red.', expected: 1, actual: 2 });
      }),
    ]);
    expect(result.checks[0]?.failures).toEqual([
      {
        requirement: 'a.one',
        outcome: 'fail',
        message: 'It was red.',
        expected: 1,
        actual: 2,
        exchanges: ['failing#1'],
      },
    ]);
    expect(verdictOf(result, 'a.one')).toBe('fail');
  });

  it('takes an exception for its own fault, with the stack, never the target', async () => {
    const result = await run([
      aCheck('broken', () => Promise.reject(new Error('typing mistake'))),
      passing,
    ]);
    expect(verdictOf(result, 'broken')).toBe('error');
    expect(result.checks[0]?.reason).toMatch(/the check itself broke: Error: typing mistake\n/);
    expect(verdictOf(result, 'passing')).toBe('pass');
    expect(verdictOf(result, 'a.one')).toBe('error');
  });

  it('takes a judgement that the check does not announce for a fault of the check', async () => {
    const result = await run([
      aCheck('misspelled', async (t) => {
        t.assert(req('a.tow'), true, { message: '' });
      }),
    ]);
    expect(result.checks[0]?.reason).toContain('judges a.tow, which it does not announce');
  });

  it('keeps what was judged before a check gave up', async () => {
    const result = await run([
      aCheck(
        'half',
        async (t) => {
          t.assert(req('a.one'), true, { message: '' });
          t.notExercised('no order was taken');
        },
        { requirements: ['a.one', 'a.two'] },
      ),
    ]);
    expect(verdictOf(result, 'half')).toBe('not_exercised');
    expect(verdictOf(result, 'a.one')).toBe('pass');
    expect(result.requirements[1]).toMatchObject({
      verdict: 'not_exercised',
      reason: 'no order was taken',
    });
  });

  it('caps a vague requirement at a warning', async () => {
    const result = await run([
      aCheck(
        'vague',
        async (t) => {
          t.assert(req('a.vague'), false, { message: 'It took nine seconds.' });
        },
        { requirements: ['a.vague'] },
      ),
    ]);
    expect(verdictOf(result, 'vague')).toBe('warn');
    expect(verdictOf(result, 'a.vague')).toBe('warn');
  });

  it('costs its longest wait, not the sum of all', async () => {
    const sleepy = (id: string, ms: number) =>
      aCheck(id, (t) => t.target.timeline.sleep(ms), {
        requirements: [],
        needs: { parties: ['sender'], waitMs: ms },
      });
    const result = await run([sleepy('a', 10_000), sleepy('b', 30_000), sleepy('c', 20_000)], {
      options: { concurrency: 1 },
    });
    expect(result.targetMs).toBe(30_000);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
  });

  it('begins with the longest checks, even if they need no wait', async () => {
    const begun: string[] = [];
    const noted = (id: string, more: Pick<Check, 'takesMs'> & { readonly waitMs?: number }) => {
      const { waitMs = 0, ...rest } = more;
      const needs = { parties: ['sender'], waitMs } as const;
      const body = (): Promise<void> => Promise.resolve(void begun.push(id));
      return aCheck(id, body, { requirements: [], needs, ...rest });
    };
    await run([
      noted('short', {}),
      noted('waits', { waitMs: 5_000 }),
      noted('takes long', { takesMs: 6_000 }),
      noted('waits longest', { waitMs: 7_000, takesMs: 1_000 }),
    ]);
    expect(begun).toEqual(['waits longest', 'takes long', 'waits', 'short']);
  });

  it('ends a check that outlives its budget and judges the rest', async () => {
    const endless = aCheck('endless', async (t) => {
      for (;;) await t.target.timeline.wait(createSignal());
    });
    const result = await run([endless, passing], { options: { allowanceMs: 5_000 } });
    expect(result.checks[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: 'it did not finish within its budget of 5 s',
    });
    expect(result.targetMs).toBe(5_000);
    expect(verdictOf(result, 'passing')).toBe('pass');
  });

  it('ends a check after 10,000 calls', async () => {
    const calling = aCheck('calling', async (t) => {
      for (;;) await t.party('sender').call('health.read');
    });
    expect((await run([calling])).checks[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: 'it made more than 10000 calls',
    });
  });

  it('leaves out checks whose needs the target lacks, with the reason', async () => {
    const result = await run([
      aCheck('custody', () => Promise.resolve(), {
        needs: { parties: ['sender', 'maker_c'], waitMs: 120_000, controls: ['fail_settlement'] },
      }),
    ]);
    const reason =
      'party maker_c is not declared; it waits 120 s, longer than max_wait (90 s); ' +
      'control fail_settlement is not offered';
    expect(result.checks[0]).toMatchObject({ verdict: 'out_of_scope', reason });
    expect(result.requirements[0]).toMatchObject({ verdict: 'out_of_scope', reason });
  });

  it('ends a check that would wait too long as out of scope', async () => {
    const long = aCheck('long', async (t) => t.allowWait(3_600_000, "an order's life"));
    expect((await run([long])).checks[0]).toMatchObject({
      verdict: 'out_of_scope',
      reason: "an order's life takes 3600 s, longer than max_wait (90 s)",
    });
  });

  it('draws for each check from a stream of its own', async () => {
    const drawn: Record<string, string> = {};
    const drawing = (id: string) =>
      aCheck(id, async (t) => {
        drawn[id] = t.random.hex(8);
      });
    await run([drawing('a'), drawing('b')]);
    const { a } = drawn;
    await run([drawing('b'), drawing('c'), drawing('a')]);
    expect(drawn['a']).toBe(a);
    expect(drawn['a']).not.toBe(drawn['b']);
  });

  it('reports the checks that still wait', async () => {
    const told: unknown[] = [];
    await run([aCheck('sleepy', (t) => t.target.timeline.sleep(60_000)), passing], {
      options: {
        onProgress: ({ kind, check, finished, total, waiting }) =>
          told.push([kind, check, `${finished}/${total}`, waiting()]),
      },
    });
    expect(told.at(-2)).toEqual([
      'finished',
      'passing',
      '1/2',
      [{ check: 'sleepy', leftMs: 60_000 }],
    ]);
  });

  it('reports errors if the timeline itself gives up', async () => {
    const target = fakeTarget();
    const stuck = aCheck('stuck', () =>
      // Not through the trial, so that no budget can end it.
      target.timeline.wait(createSignal()).then(() => undefined),
    );
    const result = await run([stuck, passing], { target });
    expect(verdictOf(result, 'stuck')).toBe('error');
    expect(verdictOf(result, 'passing')).toBe('pass');
  });
});

describe('rules', () => {
  const rule = (judge: Rule['judge']): Rule => ({
    id: 'a-rule',
    title: 'A rule.',
    requirements: [req('a.one'), req('a.two')],
    judge,
  });

  it('judge what checks drove', async () => {
    const seesAll = rule(({ history }) =>
      history.records.map(() => ({ requirement: req('a.two'), outcome: 'pass', evidence: [] })),
    );
    const result = await run([passing], { rules: [seesAll] });
    expect(result.requirements[1]).toMatchObject({
      id: 'a.two',
      verdict: 'pass',
      judged_by: ['a-rule'],
      exercised: 1,
    });
  });

  it('know the orders that a control was used on', async () => {
    const told: boolean[] = [];
    const asks = rule((view) => {
      told.push(view.disturbed('pushed'), view.disturbed('left'));
      return [];
    });
    await run([aCheck('pushing', async (t) => t.markDisturbed('pushed'))], { rules: [asks] });
    expect(told).toEqual([true, false]);
  });

  it('are not trusted when they throw', async () => {
    const throwing = rule(() => {
      throw new Error('no such field');
    });
    const result = await run([passing], { rules: [throwing] });
    expect(result.rules[0]?.reason).toMatch(/^the rule itself broke: Error: no such field/);
    expect(verdictOf(result, 'a.two')).toBe('error');
  });

  it('keep a few of many findings and count the rest', async () => {
    const many = rule(() =>
      Array.from({ length: 12 }, (_, index) => ({
        requirement: req('a.one'),
        outcome: 'fail' as const,
        message: `wrong ${index}`,
        evidence: [],
      })),
    );
    const result = await run([], { rules: [many] });
    expect(result.rules[0]?.failures).toHaveLength(5);
    expect(result.rules[0]?.omitted).toBe(7);
    expect(result.requirements[0]).toMatchObject({ reason: 'wrong 0', exercised: 12 });
  });
});
