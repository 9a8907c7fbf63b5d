import fc from 'fast-check';
import { expect, it } from 'vitest';
import { castNames } from '../spec/requirements/requirement.ts';
import { type FaultPlan, faultFrom, orderFaults, wordsForFault } from './faults.ts';

const ms = fc.nat({ max: 100_000_000 });
const party = fc.constantFrom(...castNames);
const faults: fc.Arbitrary<FaultPlan> = fc.oneof(
  fc.constantFrom(...Object.values(orderFaults)),
  fc.record({ fault: fc.constantFrom('streams drop', 'streams break'), party }),
  fc.record({
    fault: fc.constantFrom(
      'all answers delayed',
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
  fc.record({ fault: fc.constantFrom('disk full', 'host pauses'), ms }),
  fc.record(
    { fault: fc.constant('restart'), ms, tornBytes: fc.nat({ max: 999_999_999 }) },
    { requiredKeys: ['fault', 'ms'] },
  ),
) as fc.Arbitrary<FaultPlan>;

it('reads every fault from the words that are written for it', () => {
  fc.assert(
    fc.property(faults, (fault) => {
      expect(faultFrom(wordsForFault(fault))).toEqual(fault);
    }),
  );
});
