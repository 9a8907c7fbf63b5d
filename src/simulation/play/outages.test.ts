import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { Outages, pausedClock } from './outages.ts';

describe('outages', () => {
  it('in a row are never longer together than a target may be late', () => {
    const outages = new Outages();
    expect(outages.begin(0, 1_200)).toBe(1_200);
    expect(outages.begin(1_200, 1_200)).toBe(1_200);
    expect(outages.begin(2_300, 1_200)).toBe(200);
    expect(outages.begin(2_500, 1_200)).toBe(0);
    expect(outages.begin(2_501, 1_200)).toBe(1_200);
  });

  it('leave time for late work after them', () => {
    const outages = new Outages();
    expect(outages.begin(0, 2_000, 1_000)).toBe(1_500);
    expect([outages.overMs, outages.isLate(2_500), outages.isLate(2_501)]).toEqual([
      2_500,
      true,
      false,
    ]);
  });
});

describe('a host that pauses', () => {
  it('fires due deadlines late, and no cancelled ones', () => {
    const clock = virtualClock(0);
    const host = pausedClock(clock);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} at ${clock.now()}`);
    host.at(10, note('early'));
    host.at(20, note('late'));
    const cancel = host.at(25, note('never'));
    host.at(50, note('after'));
    host.at(15, () => host.pauseUntil(40));
    clock.advanceTo(30);
    expect([fired, host.leftMs()]).toEqual([['early at 10'], 10]);
    cancel();
    clock.advanceTo(60);
    expect(fired).toEqual(['early at 10', 'late at 40', 'after at 50']);
  });
});
