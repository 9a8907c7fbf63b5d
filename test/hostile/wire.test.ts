import { beforeAll, describe, expect, it } from 'vitest';
import {
  abreast,
  attack,
  budgetMs,
  type Came,
  eachOf,
  faultsOf,
  siege,
  siegeMs,
  unrelatedTo,
  verdictsWithout,
} from './attack.ts';
import { later } from './deeds/making.ts';
import { wireDeeds } from './deeds/wire.ts';

/** Long enough for good parties in a busy process; each silence costs as much. */
const limits = { headersMs: 3_000, bodyMs: 3_000 };
const names = Object.keys(wireDeeds);

describe('a backend that, from the first request on,', () => {
  let came: ReadonlyMap<string, Came>;
  beforeAll(async () => {
    const alone = (text: string): string => text.replace(/^ {2}(?!sender:)\w+: \{ role.*\n/gm, '');
    came = await siege(eachOf(wireDeeds, { file: alone }), 12);
  }, siegeMs);

  it.each(names)('%s: is not judged, and what it did is said', (name) => {
    const { exit, report, written, wallMs } = came.get(name) as Came;
    expect(report).toBeUndefined();
    expect(written).toMatch(/^hostile\.yaml:3:\d+: .*POST \/auth\/token/);
    // An answer that is none of the interface's says that the address or the source of tokens is wrong.
    const answered = /gave no token: .* answered (?!5|429|999)/.test(written);
    expect(exit).toBe(answered ? 2 : 3);
    expect(wallMs).toBeLessThan(budgetMs);
  });
});

describe('among good parties that keep their verdicts', () => {
  const bad = ['maker_b', 'maker_c', 'outsider', 'outsider_custodian'] as const;
  const attacks = abreast(wireDeeds, bad, { as: later, limits });
  let came: ReadonlyMap<string, Came>;
  let good: Came;
  beforeAll(async () => {
    good = await attack({ deed: () => 'pass', at: bad, limits });
    came = await siege(attacks);
  }, siegeMs);

  it('nobody fails who does nothing bad', () => {
    expect(good.exit).toBe(0);
    const { checks } = good.report?.totals ?? {};
    expect(checks).toMatchObject({ fail: 0, warn: 0, error: 0, inconclusive: 0 });
    expect(verdictsWithout(bad, good, good).length).toBeGreaterThan(8);
  });

  it.each(Object.keys(attacks))('%s: these alone are found wanting', (name) => {
    const one = came.get(name) as Came;
    expect(faultsOf(one)).toEqual([]);
    expect(unrelatedTo(bad, one)).toEqual([]);
    expect(verdictsWithout(bad, one, good)).toEqual(verdictsWithout(bad, good, good));
    // What is refused for its pace alone is nobody's departure.
    expect(name.replaceAll(/\w+ answers 429[^,]*(, |$)/g, '') === '' ? [0, 3] : [1]).toContain(
      one.exit,
    );
    expect(one.wallMs).toBeLessThan(budgetMs);
  });
});
