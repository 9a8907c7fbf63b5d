import { expect, test, vi } from 'vitest';
import { virtualClock } from '../clock/virtual-clock.ts';
import { virtualTimeline } from '../virtual-timeline.ts';

/** A quarter of this delay is used by no other timer here. */
const watchdogMs = 39_996;

test('it keeps the process alive while somebody acts, and no longer', async () => {
  const made = vi.spyOn(globalThis, 'setTimeout');
  try {
    const timers = (): boolean[] =>
      made.mock.calls.flatMap(([, ms], index) => {
        const timer = made.mock.results[index]?.value as NodeJS.Timeout | undefined;
        return ms === watchdogMs / 4 && timer ? [timer.hasRef()] : [];
      });
    const timeline = virtualTimeline(virtualClock(0), { watchdogMs });
    await timeline.act('one', async () => {
      await timeline.sleep(10);
      expect(timers()).toEqual([true]);
    });
    expect(timers()).toEqual([false]);
  } finally {
    made.mockRestore();
  }
});
