import { describe, expect, it } from 'vitest';
import { random } from '../../random/random.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import { virtualTimeline } from '../../timeline/virtual-timeline.ts';
import { agesOf } from './plan.ts';
import type { Check } from './check.ts';
import { runChecks } from './run-checks.ts';
import { aCatalogue, aCheck, fakeTarget, req } from './testing.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const targetAt = (time: string, maxWaitMs = 2 * dayMs) =>
  fakeTarget({ timeline: virtualTimeline(virtualClock(Date.parse(time))), maxWaitMs });

const namesAt = (time: string) =>
  agesOf(targetAt(time))
    .slice(3)
    .map(({ called, at }) => [called, new Date(at).toISOString()]);

const run = (checks: readonly Check[], target = targetAt('2030-03-04T23:40:00.000Z')) =>
  runChecks({ target, checks, rules: [], options: { random: random('1') }, catalogue: aCatalogue });

describe('ages of a run', () => {
  it('are some minutes, an hour, and the next day on the clock of the target', () => {
    const ages = agesOf(targetAt('2030-03-04T10:00:00.000Z'));
    expect(ages.map(({ called }) => called)).toEqual([
      '4 minutes into the run',
      '11 minutes into the run',
      '61 minutes into the run',
      'at the beginning of a day (UTC)',
    ]);
    expect(namesAt('2030-03-04T00:00:00.000Z')).toEqual([
      ['at the beginning of a day (UTC)', '2030-03-05T00:00:01.000Z'],
    ]);
  });

  it('hold the end of a month where it is the first or the second midnight', () => {
    expect(namesAt('2030-02-28T10:00:00.000Z')).toEqual([
      ['at the beginning of a month (UTC)', '2030-03-01T00:00:01.000Z'],
    ]);
    expect(namesAt('2031-12-30T10:00:00.000Z')).toEqual([
      ['at the beginning of a day (UTC)', '2031-12-31T00:00:01.000Z'],
      ['at the beginning of a month (UTC)', '2032-01-01T00:00:01.000Z'],
    ]);
  });
});

describe('a check that is run again', () => {
  const aged = (run: Check['run'], more: Partial<Check> = {}): Check => ({
    ...aCheck('aged', run),
    ages: true,
    ...more,
  });

  it('runs at each age within which it ends, with its own draws, and has one result', async () => {
    const begun: string[] = [];
    const drawn = new Set<string>();
    const check = aged(async (t) => {
      begun.push(new Date(t.target.timeline.now()).toISOString().slice(8, 19));
      drawn.add(t.random.uuid());
      t.assert(req('a.one'), true, { message: 'was wrong' });
    });
    const target = targetAt('2030-03-04T23:40:00.000Z', 30 * minuteMs);
    const { checks } = await run([check, aCheck('young', () => Promise.resolve())], target);
    expect(begun).toEqual(['04T23:40:00', '04T23:44:00', '04T23:51:00', '05T00:00:01']);
    expect(drawn.size).toBe(4);
    expect(checks.map(({ id, verdict, took_ms }) => [id, verdict, took_ms])).toEqual([
      ['aged', 'pass', 0],
      ['young', 'not_exercised', 0],
    ]);
    expect(checks[0]?.judged[0]?.exercised).toBe(4);
  });

  it('alternates with the other half of such checks: each runs at every second age', async () => {
    const begun: string[] = [];
    const inTurns = (id: string): Check => ({
      ...aCheck(id, (t) => {
        begun.push(`${id} ${new Date(t.target.timeline.now()).toISOString().slice(11, 16)}`);
        return Promise.resolve();
      }),
      ages: 'in_turns',
    });
    await run(['a', 'b', 'c'].map(inTurns), targetAt('2030-03-04T23:40:00.000Z', 30 * minuteMs));
    expect(begun.slice(3)).toEqual(['a 23:44', 'c 23:44', 'b 23:51', 'b 00:00']);
  });

  it('fails with the age at which it was wrong', async () => {
    const begun = Date.parse('2030-03-04T23:40:00.000Z');
    const { checks } = await run([
      aged(async (t) => {
        const isYoung = t.target.timeline.now() - begun < 10 * minuteMs;
        t.assert(req('a.one'), isYoung, { message: 'It was tired.' });
      }),
    ]);
    expect(checks[0]?.verdict).toBe('fail');
    expect(checks[0]?.failures.map(({ message }) => message)).toEqual([
      'It was tired, 11 minutes into the run',
      'It was tired, at the beginning of a day (UTC)',
      'It was tired, 61 minutes into the run',
    ]);
  });

  it('names the age at which it was inconclusive, and keeps earlier verdicts', async () => {
    const { checks, requirements } = await run([
      aged(async (t) => {
        if (t.target.history.records.length > 1) t.notExercised('no order could be created');
        await t.party('sender').call('health.read');
        t.assert(req('a.one'), true, { message: 'was wrong' });
      }),
    ]);
    expect([checks[0]?.verdict, checks[0]?.reason]).toEqual([
      'not_exercised',
      'no order could be created, 11 minutes into the run',
    ]);
    expect(requirements[0]?.verdict).toBe('pass');
  });

  it('starts its next run even if the run before still goes on', async () => {
    let most = 0;
    let active = 0;
    const check = aged(async (t) => {
      most = Math.max(most, (active += 1));
      await t.exclusively(() => t.party('sender').call('health.read'));
      await t.target.timeline.sleep(6 * minuteMs);
      active -= 1;
    });
    const { checks } = await run([{ ...check, needs: { ...check.needs, waitMs: 6 * minuteMs } }]);
    expect(most).toBe(2);
    expect(checks[0]?.verdict).toBe('not_exercised');
  });

  it('is reported once as started and once as finished', async () => {
    const told: string[] = [];
    await runChecks({
      target: targetAt('2030-03-04T23:40:00.000Z'),
      checks: [aged(() => Promise.resolve())],
      rules: [],
      options: {
        random: random('1'),
        onProgress: ({ kind, started, finished, total }) =>
          told.push(`${kind} ${started} ${finished} ${total}`),
      },
      catalogue: aCatalogue,
    });
    expect(told).toEqual(['planned 0 0 1', 'started 1 0 1', 'finished 1 1 1']);
  });

  it('makes no run longer on a clock that is not driven', async () => {
    let runs = 0;
    const target = fakeTarget({
      timeline: systemTimeline(systemClock()),
      maxWaitMs: 2 * dayMs,
    });
    await run([aged(() => Promise.resolve(void (runs += 1)))], target);
    expect(runs).toBe(1);
  });
});
