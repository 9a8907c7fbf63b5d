import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';
import { partyFixture } from '../../../test/support/client/fake-backend.ts';
import { sideBySide } from '../../../test/support/side-by-side.ts';

/** Times at which requests depart that are ready at these times, in ms after the first. */
async function departures(
  readyAfterMs: readonly number[],
  rate: number,
  burst?: number,
): Promise<number[]> {
  const { timeline } = partyFixture();
  const pacer = createPacer(timeline, rate, burst);
  const start = timeline.now();
  const gone: number[] = [];
  const one = (readyMs: number) => async (): Promise<void> => {
    await timeline.until(start + readyMs);
    await pacer.admit();
    gone.push(timeline.now() - start);
  };
  await timeline.together(readyAfterMs.map((ms, index) => [`${index}`, one(ms)] as const));
  return gone.toSorted((a, b) => a - b);
}

/** The most that went within any second. */
const mostInASecond = (moments: readonly number[]): number =>
  Math.max(
    ...moments.map((from) => moments.filter((to) => to >= from && to < from + 1_000).length),
  );

test('a burst goes at once after a pause, later requests a few at a time', async () => {
  const gone = await departures(
    Array.from({ length: 50 }, () => 0),
    41,
    10,
  );
  const [first, ...later] = [...new Set(gone)].map((at) => gone.filter((to) => to === at).length);
  expect([first, new Set(later)]).toEqual([10, new Set([2])]);
});

test('queued requests go at the rate, except for the lateness of timers', async () => {
  const gone = await departures(
    Array.from({ length: 500 }, () => 0),
    100,
  );
  expect(gone.at(-1)).toBeGreaterThanOrEqual(4_950);
  expect(gone.at(-1)).toBeLessThanOrEqual(4_975);
});

test('a request for a fixed moment overtakes the queue, and counts', async () => {
  const { timeline } = partyFixture();
  const pacer = createPacer(timeline, 10);
  const gone: [string, number][] = [];
  const one = (name: string, prompt: boolean) => async (): Promise<void> => {
    await pacer.admit(prompt);
    gone.push([name, timeline.now()]);
  };
  await sideBySide(timeline, {
    first: one('first', false),
    second: one('second', false),
    prompt: one('prompt', true),
    third: one('third', false),
  });
  expect(gone).toEqual([
    ['first', 0],
    ['prompt', 0],
    ['second', 101],
    ['third', 302],
  ]);
});

test('no second has more than the rate, however requests come', async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 1, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(moments, fc.integer({ min: 1, max: 120 }), async (ready, rate) => {
      expect(mostInASecond(await departures(ready, rate))).toBeLessThanOrEqual(rate);
    }),
    { numRuns: 40 },
  );
});
