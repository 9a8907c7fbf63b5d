import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  awaitStatus,
  type Fields,
  type OrderRef,
  type PlacedOrder,
  type ReachedState,
  readOrder,
  targetTime,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { failureReasonIn, reasonFieldOf } from '../../src/protocol/failure-reason.ts';
import { failureReasons, isMisspeltReason, type OrderState } from '../../src/spec/vocabulary.ts';
import { acceptanceFields, statusIsOneOf, isSet, stateOf } from './order-calls.ts';

const reasons: readonly string[] = failureReasons;

/** What stands in the field that this target is known to put its failure reasons in (gap). */
const shownReason = (t: CheckContext, order: Fields): unknown =>
  reasonFieldOf(order, t.target.answers.get('order.failure_reason_field'));

/** Judges that whatever stands where a target has its failure reasons is one of the six; other words are noted. */
export function assertAdmissible(
  t: CheckContext,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
): void {
  const shown = shownReason(t, data);
  if (shown === undefined || shown === null) return;
  const isOne = typeof shown === 'string' && reasons.includes(shown);
  const evidence = {
    message: 'The failure reason of an order was none of the six values.',
    expected: reasons.join(', '),
    actual: shown,
    seen: [exchange],
  };
  const requirement = 'order.failure-reason.admissible';
  if (isMisspeltReason(shown)) t.assert(requirement, isOne, evidence);
  else t.warnUnless(requirement, isOne, evidence);
}

/** Judges the failure reason of an order where it shows one, be it another word: whether and where it does is open. */
export function assertReason(
  t: CheckContext,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  wanted: readonly string[],
): void {
  const reason = failureReasonIn(data) ?? shownReason(t, data);
  if (typeof reason !== 'string' || reason === '') return;
  t.assert(requirement, wanted.includes(reason), {
    message: `The order showed the failure reason ${reason}.`,
    expected: wanted.join(' or '),
    actual: reason,
    seen: [exchange],
  });
}

/** Judges the state that an order was read in. */
export function assertState(
  t: CheckContext,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  states: readonly OrderState[],
  when: string,
): boolean {
  return t.assert(requirement, statusIsOneOf(states, data), {
    message: `An order was ${stateOf(data) ?? 'in no state'} ${when}.`,
    expected: states.join(' or '),
    actual: stateOf(data) ?? null,
    seen: [exchange],
  });
}

/**
 * Judges that an order was still PENDING when it was read. On a slow target its own deadline may have passed before
 * it could be: then nothing is judged, and the answer is false.
 */
export function assertStillPending(
  t: CheckContext,
  requirement: RequirementId,
  { expiresAt }: Partial<Pick<PlacedOrder, 'expiresAt'>>,
  read: { readonly data: Fields; readonly exchange: Exchange },
  when: string,
): boolean {
  const latest = targetTime(t, read.exchange).latest;
  if (stateOf(read.data) === 'EXPIRED' && expiresAt !== undefined && latest >= expiresAt) {
    return false;
  }
  return assertState(t, requirement, read, ['PENDING'], when);
}

/** Waits for states and judges that one of them came. */
export async function assertReaches(
  t: CheckContext,
  requirement: RequirementId,
  order: OrderRef & Partial<Pick<PlacedOrder, 'expiresAt'>>,
  states: readonly OrderState[],
  withinMs: number,
  when: string,
  by: CastName = 'sender',
): Promise<ReachedState | undefined> {
  const reached = await awaitStatus(t, order, states, withinMs, by);
  if (reached) {
    t.assert(requirement, true, { message: '' });
    return reached;
  }
  const now = await readOrder(t, order, by);
  // It may have come to pass between the last look and this one.
  const late = statusIsOneOf(states, now.data);
  if (states.includes('PENDING')) assertStillPending(t, requirement, order, now, when);
  else assertState(t, requirement, now, states, when);
  if (!late) return undefined;
  return { status: stateOf(now.data) as OrderState, ...now };
}

/**
 * Reads an order that must not have changed while nobody touched it: judged by the fields that a state or another
 * party's act would move. Its own deadline ends the wait, not the judgement.
 */
export async function assertUntouched(
  t: CheckContext,
  requirement: RequirementId,
  order: PlacedOrder,
  after: string,
): Promise<void> {
  const { data, exchange } = await readOrder(t, order, order.by);
  const latest = exchange.received + t.target.clock.offset.most;
  if (order.expiresAt === undefined || latest >= order.expiresAt) return;
  const moved = acceptanceFields.filter((name) => isSet(data, name));
  t.assert(requirement, stateOf(data) === 'PENDING' && moved.length === 0, {
    message: `An order that nobody touched was ${stateOf(data) ?? 'in no state'} ${after}${moved.length > 0 ? `, with ${moved.join(', ')} set` : ''}.`,
    expected: 'PENDING, without an accepted quote',
    actual: data,
    seen: [exchange],
  });
}

export async function assertStillOpen(
  t: CheckContext,
  orders: readonly PlacedOrder[],
  requirement: RequirementId,
): Promise<void> {
  for (const order of orders) {
    const now = await readOrder(t, order);
    const though = 'though no quote of it was accepted';
    assertStillPending(t, requirement, order, now, though);
  }
}
