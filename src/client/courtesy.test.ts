import { expect, test } from 'vitest';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { virtualTimeline } from '../runtime/virtual-timeline.ts';
import { createCourtesy } from './courtesy.ts';

const busy = { status: 429, headers: {} };

/** Asks again until nobody wants it any more; answers how often host time was let pass. */
function gate() {
  const timeline = virtualTimeline(virtualClock(0));
  const pauses: number[] = [];
  const courtesy = createCourtesy(timeline, {
    hostPause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  const ask = (what: string): Promise<number> =>
    timeline.act('check', async () => {
      const [since, before] = [timeline.now(), pauses.length];
      let tries = 1;
      while (await courtesy.again(what, busy, { since, tries })) tries += 1;
      return pauses.length - before;
    });
  return { ask };
}

test('a driven clock may stand behind a gate that counts host time, so that passes too', async () => {
  const { ask } = gate();
  expect(await ask('order.create')).toBe(2);
});

test('where host time has helped nobody it is not waited for any more', async () => {
  const { ask } = gate();
  await ask('order.create');
  await ask('quote.submit');
  expect(await ask('order.read')).toBe(0);
});
