import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from './traces.ts';

/**
 * True if a settlement was started and failed. After a cancel, a deadline or a withdrawal, the state of the accepted
 * quote is open; after a failed settlement it is not.
 */
export const settlementFailed = ({ cancels, snapshots }: OrderTrace): boolean =>
  possiblyEffective(cancels).length === 0 &&
  snapshots.some(({ value }) => ['REVERT', 'TIMEOUT'].includes(failureReasonIn(value) ?? '')) &&
  !snapshots.some((seen) => orderStateOf(seen) === 'EXPIRED');
