import { expect, it } from 'vitest';
import { hunt } from '../../mutants/runner/worlds/hunt.ts';

/** Of the kinds of judges that canaries.test.ts leaves out, one each that shows early. */
const early = [
  ['after-a-failure-nobody-hears-of-settlements', 'event.order-updated.sent'],
  ['fields-in-another-order-for-some-senders', 'privacy.paired-worlds'],
  ['value-made-where-both-scales-are-zero', 'inside.value-conserved'],
  ['identifiers-issued-twice', 'wire.refusals'],
] as const;

it.each(early)('planted defects are found by worlds: %s', async (id, rule) => {
  const result = await hunt({ id, seeds: 40 });
  expect(result.broke).toBeUndefined();
  expect(result.finding?.rule).toContain(rule);
});

/**
 * One found by a step of its scenario, one only by a rule. All: `npm run canaries -- --scenarios`.
 */
const told = [
  ['repeated-quote-not-kept', 'claims'],
  ['fault-forgotten-in-recovery', 'rule'],
] as const;

it.each(told)('the world that shows it comes to a short scenario: %s', async (id, proof) => {
  const { broke, shrunk } = await hunt({ id, seeds: 40, shrinks: true });
  expect(broke).toBeUndefined();
  expect(shrunk?.proof).toBe(proof);
  expect(shrunk?.steps).toBeLessThanOrEqual(8);
});
