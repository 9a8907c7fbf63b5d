import { isTerminal } from '../../../spec/states.ts';
import type { Command, Fault, Leg } from '../contract.ts';
import { endOrder } from './end-order.ts';
import type { Order } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

const revertAt = (leg: Leg): Fault => ({ kind: 'revert', leg });
const magicMemos: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['!revert', revertAt(4)],
  ['!revert:1', revertAt(1)],
  ['!revert:2', revertAt(2)],
  ['!revert:3', revertAt(3)],
  ['!revert:4', revertAt(4)],
  ['!stall', { kind: 'stall' }],
  ['!withdraw', { kind: 'withdraw' }],
  ['!invalid', { kind: 'invalid' }],
]);

/**
 * Memos that make their own order fail, if the world allows it: `!revert` (at the last leg), `!revert:1` to
 * `!revert:4`, `!stall` (the settlement never ends by itself), `!withdraw` (by the operator, soon after creation),
 * `!invalid` (fails validation soon after creation).
 */
export const magicFault = (memo: string | undefined): Fault | undefined =>
  memo === undefined ? undefined : magicMemos.get(memo);

/** The fault that holds for an order now. */
export const faultOf = (work: UnitOfWork, order: Order): Fault | undefined =>
  order.fault ?? work.tables.faults.all;

/**
 * Fault of a new order: that of its memo, else the one for the next order, else one for all that ends orders before
 * settlement. Other faults for all are read when a settlement reaches them, and can be removed until then.
 */
export function faultForNewOrder(work: UnitOfWork, memo: string | undefined): Fault | undefined {
  const own = work.world.config.magicMemos ? magicFault(memo) : undefined;
  if (own !== undefined) return own;
  const { next, all } = work.tables.faults;
  if (next !== undefined) work.saveFaults({ ...(all && { all }) });
  return next ?? (failsBeforeSettlement(all) ? all : undefined);
}

/** True if the fault ends an order by itself, before any settlement. */
export const failsBeforeSettlement = (fault: Fault | undefined): boolean =>
  fault?.kind === 'invalid' || fault?.kind === 'withdraw';

/** Ends an order that fails validation or is withdrawn. Does nothing if the order's state is too far for it. */
export function applyFault(work: UnitOfWork, order: Order, fault: Fault): void {
  const { invalid, withdrawn } = work.policy.orders;
  if (fault.kind === 'invalid' && order.status === 'PENDING') {
    endOrder(work, order, { ...invalid, end: 'validation' });
  }
  if (fault.kind === 'withdraw' && withdrawn.from.includes(order.status)) {
    const { state, reason } = withdrawn;
    endOrder(work, order, { state, reason, end: 'withdrawal' });
  }
}

/** Sets a fault for the next order, for all, or for one order; for one order it takes effect at once if possible. */
export function setFault(
  work: UnitOfWork,
  { target, fault }: Extract<Command, { readonly type: 'fault' }>,
): void {
  const faults = work.tables.faults;
  const value = fault ?? undefined;
  if (target === 'next') work.saveFaults({ ...faults, next: value });
  else if (target === 'all') work.saveFaults({ ...faults, all: value });
  else {
    const order = work.order(target);
    if (order === undefined || isTerminal(order.status)) return;
    const marked = work.saveOrder({ ...order, fault: value });
    if (fault !== null) applyFault(work, marked, fault);
  }
}
