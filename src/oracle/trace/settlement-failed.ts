import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from './traces.ts';

/**
 * Whether a settlement was begun and failed. A cancel leaves open what becomes of what was accepted, and so do a deadline
 * and a withdrawal; this does not.
 */
export const settlementFailed = ({ cancels, snapshots }: OrderTrace): boolean =>
  possiblyEffective(cancels).length === 0 &&
  snapshots.some(({ value }) => ['REVERT', 'TIMEOUT'].includes(failureReasonIn(value) ?? '')) &&
  !snapshots.some((seen) => orderStateOf(seen) === 'EXPIRED');
