import { expect, it } from 'vitest';
import { hunt } from '../../mutants/runner/worlds/hunt.ts';

/** Of the kinds of judges that canaries.test.ts leaves out, one each that shows early. */
const early = [
  ['after-a-failure-nobody-hears-of-settlements', 'liveness'],
  ['requests-of-some-senders-a-millisecond-later', 'privacy.paired-worlds'],
  ['identifiers-issued-twice', 'wire.refusals'],
] as const;

it.each(early)('planted defects are found by worlds: %s', async (id, rule) => {
  const result = await hunt({ id, seeds: 12 });
  expect(result.broke).toBeUndefined();
  expect(result.finding?.rule).toContain(rule);
});
