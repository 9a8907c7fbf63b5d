import { describe, expect, it } from 'vitest';
import { createEventDelay } from './event-delay.ts';

/** A host whose time passes only in pauses. Frames come `delayMs` after each step. */
function steps(delayMs: number) {
  let now = 0;
  let due: number[] = [];
  let frames = 0;
  const eventDelay = createEventDelay({
    count: () => frames,
    now: () => now,
    pause: async (ms) => {
      now += ms;
      frames += due.filter((moment) => moment <= now).length;
      due = due.filter((moment) => moment > now);
    },
  });
  const step = async (): Promise<{ missed: number; tookMs: number }> => {
    const begun = now;
    if (delayMs === 0) frames += 1;
    else due.push(now + delayMs);
    await eventDelay.flushPending();
    return { missed: due.length, tookMs: now - begun };
  };
  return {
    eventDelay,
    step,
    measure: () => eventDelay.measure(async () => void (await step())),
  };
}

describe('arrivals', () => {
  it('cost no host time where frames come with the answer', async () => {
    const { step, measure } = steps(0);
    await measure();
    expect(await step()).toEqual({ missed: 0, tookMs: 0 });
  });

  it.each([3, 8, 20])('wait for frames that come %d ms later', async (delayMs) => {
    const { step, measure } = steps(delayMs);
    expect(await step()).toMatchObject({ missed: 1 });
    await measure();
    expect(await step()).toMatchObject({ missed: 0 });
  });

  it('let a step go far only while they are measured, however that ends', async () => {
    const eventDelay = createEventDelay({
      count: () => 0,
      now: () => 0,
      pause: () => Promise.resolve(),
    });
    const lost = eventDelay.measure(async () => {
      expect(eventDelay.sliceMs()).toBe(15_000);
      throw new Error('the clock was lost');
    });
    await expect(lost).rejects.toThrow('the clock was lost');
    expect(eventDelay.sliceMs()).toBeUndefined();
  });

  it('wait for streams that lag, but not after a step whose messages may come later', async () => {
    let [now, leftMs, passed] = [0, 500, 0];
    const eventDelay = createEventDelay({
      count: () => 0,
      now: () => now,
      pause: async (ms) => {
        now += ms;
        leftMs -= ms;
      },
      leftMs: () => leftMs,
      passing: () => void (passed += 1),
    });
    await eventDelay.flushPending(true);
    expect([now, passed]).toEqual([0, 1]);
    await eventDelay.flushPending();
    expect([now, passed]).toEqual([500, 1]);
  });

  it('never wait for long', async () => {
    const { step, measure } = steps(1_000_000);
    await measure();
    expect((await step()).tookMs).toBeLessThanOrEqual(200);
  });

  it('wait for heartbeats that are due though nothing is known to be late, and not for ever', async () => {
    let now = 0;
    let comesAt = 300;
    const late: unknown[] = [];
    const { flushPending } = createEventDelay({
      count: () => (now >= comesAt ? 1 : 0),
      overdue: () => (now < comesAt ? ['sender'] : []),
      cameLate: (parties) => void late.push([parties, now]),
      now: () => now,
      pause: async (ms) => void (now += ms),
    });
    await flushPending();
    expect(late).toEqual([[['sender'], 300]]);
    comesAt = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 100; step += 1) await flushPending();
    expect(now).toBe(300 + 6 * 2_000);
  });
});
