import { beforeAll, describe, expect, it } from 'vitest';
import { budgetMs, type Came, eachOf, faultsOf, siege, siegeMs } from './attack.ts';
import { clockDeeds } from './deeds/clock.ts';

/** Lies that a target's own answers cannot give away: the run follows such a clock. */
const followed = ['lags by half of each step', 'leaps by a day'];

let came: ReadonlyMap<string, Came>;
beforeAll(async () => {
  came = await siege(
    eachOf(clockDeeds, { clock: 'hand', limits: { headersMs: 4_000, bodyMs: 4_000 } }),
  );
}, siegeMs);

describe('a clock behind an address that', () => {
  it.each(Object.keys(clockDeeds))('%s: ends the run, which is no fault of ours', (name) => {
    const one = came.get(name) as Came;
    expect(faultsOf(one)).toEqual([]);
    expect(one.wallMs).toBeLessThan(budgetMs);
    if (followed.includes(name)) return;
    expect(one.exit).toBe(3);
    expect(one.report?.outcome).toBe('incomplete');
    expect(one.written).toContain("the target's clock could not be driven any more");
  });
});
