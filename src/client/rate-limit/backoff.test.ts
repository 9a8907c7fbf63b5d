import { expect, test } from 'vitest';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../../timeline/virtual-timeline.ts';
import { createBackoff } from './backoff.ts';

const busy = { status: 429, headers: {} };

/** Retries until the backoff gives up; returns the number of pauses in host time. */
function gate() {
  const timeline = virtualTimeline(virtualClock(0));
  const pauses: number[] = [];
  const backoff = createBackoff(timeline, {
    hostPause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  const ask = (what: string): Promise<number> =>
    timeline.act('check', async () => {
      const [since, before] = [timeline.now(), pauses.length];
      let tries = 1;
      while (await backoff.shouldRetry(what, busy, { since, tries })) tries += 1;
      return pauses.length - before;
    });
  return { ask };
}

test('waits in host time too, since a gate before a driven clock may count that', async () => {
  const { ask } = gate();
  expect(await ask('order.create')).toBe(2);
});

test('stops waiting in host time once it has helped no call', async () => {
  const { ask } = gate();
  await ask('order.create');
  await ask('quote.submit');
  expect(await ask('order.read')).toBe(0);
});

/**
 * A gate that lets `perSecond` calls through in each second of the host or of the target. Host time
 * passes only in pauses.
 */
function crowdBefore(perSecond: number, counted: 'host' | 'target' = 'host') {
  const timeline = virtualTimeline(virtualClock(0));
  let [hostNow, second, left, pauses] = [0, 0, perSecond, 0];
  const backoff = createBackoff(timeline, {
    hostPause: (ms) => {
      pauses += 1;
      hostNow += ms;
      return Promise.resolve();
    },
  });
  const answer = () => {
    const now = Math.floor((counted === 'host' ? hostNow : timeline.now()) / 1_000);
    if (now > second) [second, left] = [now, perSecond];
    if (left > 0) {
      left -= 1;
      return { status: 200, headers: {} };
    }
    return { status: 429, headers: { 'retry-after': '1' } };
  };
  const ask = async (): Promise<number> => {
    const since = timeline.now();
    for (let tries = 1; ; tries += 1) {
      await backoff.admit();
      const response = await timeline.turn(() => Promise.resolve(answer()));
      if (!(await backoff.shouldRetry('order.read', response, { since, tries })))
        return response.status;
    }
  };
  const crowd = (size: number): Promise<number[]> =>
    timeline.together(Array.from({ length: size }, (_, n) => [`asker ${n}`, ask] as const));
  return { crowd, timeline, counts: () => ({ pauses }) };
}

test('calls at a gate that counts host time wait together while target time stands still', async () => {
  const { crowd, timeline, counts } = crowdBefore(10);
  expect(await crowd(12)).toEqual(Array(12).fill(200));
  const learned = { at: timeline.now(), ...counts() };
  for (let n = 0; n < 20; n += 1) expect(await crowd(10)).toEqual(Array(10).fill(200));
  expect(timeline.now() - learned.at).toBe(0);
  expect(counts().pauses - learned.pauses).toBeLessThanOrEqual(2 * 20);
});

test('soon waits only in target time for a gate that counts it', async () => {
  const { crowd, counts } = crowdBefore(10, 'target');
  for (let n = 0; n < 20; n += 1) expect(await crowd(40)).toEqual(Array(40).fill(200));
  expect(counts().pauses).toBeLessThan(10);
});
