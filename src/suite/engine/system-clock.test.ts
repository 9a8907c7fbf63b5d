import { describe, expect, it } from 'vitest';
import { random } from '../../random/random.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import { runChecks } from './run-checks.ts';
import { aCatalogue, aCheck, fakeTarget, req } from './testing.ts';

describe('on the system clock', () => {
  it('a run takes its longest wait, quiet sections included', async () => {
    const timeline = systemTimeline(systemClock());
    const answer = async () => {
      await timeline.sleep(2);
      return { status: 200 };
    };
    const target = fakeTarget({ timeline, answer });
    const sleepy = Array.from({ length: 10 }, (_, n) =>
      aCheck(
        `sleepy.${n}`,
        async (t) => {
          await t.party('sender').call('health.read');
          await t.target.timeline.sleep(200);
          const after = await t.party('sender').call('health.read');
          t.assert(req('a.one'), after.response?.status === 200, { message: 'It was not.' });
        },
        { needs: { parties: ['sender'], waitMs: 200 } },
      ),
    );
    const quiet = Array.from({ length: 3 }, (_, n) =>
      aCheck(
        `quiet.${n}`,
        async (t) => {
          const before = target.calls.length;
          for (let call = 0; call < 5; call += 1) await t.party('sender').call('order.list');
          const calls = target.calls.slice(before).map(({ by }) => by);
          t.assert(
            req('a.two'),
            calls.every((by) => by === `quiet.${n}`),
            {
              message: 'Others called meanwhile.',
              actual: calls,
            },
          );
        },
        { exclusive: true, requirements: ['a.two'] },
      ),
    );
    const result = await runChecks({
      target,
      checks: [...quiet, ...sleepy],
      rules: [],
      options: { random: random('1'), concurrency: 4 },
      catalogue: aCatalogue,
    });
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(Array(13).fill('pass'));
    // Generous, for a busy host; in turn they would take 2,000 ms.
    expect(result.targetMs).toBeGreaterThanOrEqual(200);
    expect(result.targetMs).toBeLessThan(1_000);
  });
});
