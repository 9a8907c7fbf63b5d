import fc from 'fast-check';
import { expect, it } from 'vitest';
import { castNames } from '../spec/requirements/requirement.ts';
import { type FaultPlan, faultFrom, orderFaults, wordsForFault } from './faults.ts';

const ms = fc.nat({ max: 100_000_000 });
const party = fc.constantFrom(...castNames);
const faults: fc.Arbitrary<FaultPlan> = fc.oneof(
  fc.constantFrom(...Object.values(orderFaults)),
  fc.record({ kind: fc.constantFrom('drop', 'streams break'), party }),
  fc.record({
    kind: fc.constantFrom(
      'delay',
      'request lost',
      'answer lost',
      'request delayed',
      'answer delayed',
      'streams stall',
      'partition',
    ),
    party,
    ms,
  }),
  fc.record({ kind: fc.constantFrom('fill disk', 'pause host'), ms }),
  fc.record(
    { kind: fc.constant('restart'), ms, lostBytes: fc.nat({ max: 999_999_999 }) },
    { requiredKeys: ['kind', 'ms'] },
  ),
) as fc.Arbitrary<FaultPlan>;

it('reads every fault from the words that are written for it', () => {
  fc.assert(
    fc.property(faults, (fault) => {
      expect(faultFrom(wordsForFault(fault))).toEqual(fault);
    }),
  );
});
