import { describe, expect, it } from 'vitest';
import { canaries } from '../../mutants/canaries/index.ts';
import { mutations } from '../../mutants/index.ts';
import { hunt } from '../../mutants/runner/worlds/hunt.ts';
import { canaryText, median, mutationShares } from '../../mutants/runner/worlds/text.ts';
import { requirements } from '../../src/spec/requirements/index.ts';

/** Some that show early; others in canaries.long.test.ts, and all of them by `npm run canaries`. */
const early = [
  ['heartbeat-displaces-an-event', 'event'],
  ['rejected-quote-revived-by-recovery', 'quote.selection'],
] as const;

describe('planted defects', () => {
  it('are many, each under a name of its own', () => {
    expect(canaries.length).toBeGreaterThanOrEqual(40);
    const names = [...canaries, ...mutations].map(({ id }) => id);
    expect(new Set(names).size).toBe(names.length);
    for (const { breaks } of canaries)
      for (const id of breaks) expect(Object.keys(requirements)).toContain(id);
    expect(canaries.filter(({ tamper }) => tamper().recovery).length).toBeGreaterThanOrEqual(8);
  });

  for (const [id, rule] of early)
    it(`are found by worlds: ${id}`, async () => {
      const result = await hunt({ id, seeds: 40 });
      expect(result.broke).toBeUndefined();
      expect(result.finding?.rule).toContain(rule);
    });

  it('are listed as not found if no world shows them', async () => {
    const id = 'twentieth-order-not-listed';
    const result = await hunt({ id, seeds: 1 });
    expect(result.foundAfter).toBeUndefined();
    const some = canaries.filter((one) => one.id === id);
    expect(canaryText(some, [result], 1).at(-1)).toContain(`not found: ${id}`);
  });
});

describe('the figures of a hunt', () => {
  it('have the middle of what was found', () => {
    expect(median([])).toBeUndefined();
    expect(median([9, 1, 4])).toBe(4);
    expect(median([1, 2, 3, 40])).toBe(2);
  });

  it('have the share of each part', () => {
    const [one, ...others] = mutations.filter(({ part }) => part === '6').slice(0, 4);
    if (!one) throw new Error('part 6 has no mutation');
    const lines = mutationShares([one, ...others], [{ id: one.id, foundAfter: 2, wallMs: 1 }], 300);
    expect(lines[0]).toMatch(/^part 6 +1 of 4 +25 %$/);
    expect(lines.join('\n')).toContain('mutations 4: found by worlds 1 within 300 seeds, 25 %');
  });
});
