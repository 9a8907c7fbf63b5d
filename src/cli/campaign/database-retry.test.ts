import { expect, it } from 'vitest';
import { random } from '../../random/random.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../../timeline/virtual-timeline.ts';
import { createDatabaseRetry } from './database-retry.ts';

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code });

/** Something that fails so often with each of some errors, and then succeeds. */
function failing(errors: readonly Error[]) {
  const left = [...errors];
  const moments: number[] = [];
  const timeline = virtualTimeline(virtualClock(0));
  const said: string[] = [];
  const patiently = createDatabaseRetry(timeline, {
    random: random(7n, 'database'),
    say: (text) => void said.push(text),
    firstMs: 10_000,
  });
  const act = (): Promise<string> => {
    moments.push(timeline.now());
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  const attempt = (): Promise<string> => timeline.act('worker', () => patiently(act));
  return { attempt, moments, said, left };
}

it('waits for a database that was there, says so once, and pauses longer each time up to a bound', async () => {
  const { attempt, moments, said, left } = failing([]);
  await attempt();
  left.push(
    ...Array<Error>(9).fill(coded('ECONNREFUSED')),
    coded('57P03', 'the database system is starting up'),
    new Error('Connection terminated unexpectedly'),
  );
  expect(await attempt()).toBe('done');
  expect(said).toEqual([
    expect.stringContaining('the database is away (ECONNREFUSED)'),
    'the database is back',
  ]);
  const pauses = moments.slice(2).map((moment, index) => moment - (moments[index + 1] ?? 0));
  expect(pauses).toHaveLength(11);
  for (const [index, pause] of pauses.entries()) {
    const whole = Math.min(10_000, 200 * 2 ** index);
    expect(pause).toBeGreaterThanOrEqual(whole / 2);
    expect(pause).toBeLessThanOrEqual(whole);
  }
});

it('gives up a database that was never there', async () => {
  const { attempt, moments } = failing(Array<Error>(100).fill(coded('ENOTFOUND')));
  await expect(attempt()).rejects.toThrow('ENOTFOUND');
  expect(moments.at(-1)).toBe(10_000);
});

it('tries nothing again that waiting does not help', async () => {
  for (const error of [coded('28P01', 'password authentication failed'), new Error('a mistake')]) {
    const { attempt, moments, said } = failing([error]);
    await expect(attempt()).rejects.toBe(error);
    expect([moments, said]).toEqual([[0], []]);
  }
});
