import { expect, test } from 'vitest';
import { offsetTimeline } from './offset-timeline.ts';
import { createSignal } from './signal.ts';
import { virtualClock } from './clock/virtual-clock.ts';
import { virtualTimeline } from './virtual-timeline.ts';

test('who lives behind waits as long as anybody, and tells the moments of a clock of its own', async () => {
  const clock = virtualClock(1_000_000);
  const line = offsetTimeline(virtualTimeline(clock), 45_000);
  await line.act('somebody', async () => {
    expect(line.now()).toBe(955_000);
    await line.until(955_500);
    expect(clock.now()).toBe(1_000_500);
    await line.sleep(500);
    expect(line.now()).toBe(956_000);
    expect(await line.wait(createSignal(), 956_250)).toBe('due');
    expect(clock.now()).toBe(1_001_250);
  });
});
