import type { DrivenLife } from '../../src/combinations/factors.ts';
import type { PlacedOrder } from '../../src/suite/actions/index.ts';
import type { EventStream } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { openSecondStream, resumePoint } from '../shared/streams.ts';

const listenerOf = ({ accepter }: DrivenLife): CastName =>
  accepter === 'custodian' ? 'sender_custodian' : 'sender';

/** A stream beside the one that the party has open for the whole run, as the life wants it. */
export async function listenTo(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
): Promise<EventStream | undefined> {
  if (life.streams === 'whole') return undefined;
  return openSecondStream(t, listenerOf(life), { intentId: order.intentId });
}

/** A stream that is to be resumed is gone when the quote is accepted, and comes back with where it left off. */
export async function resume(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
  stream: EventStream,
): Promise<void> {
  const listener = listenerOf(life);
  await openSecondStream(t, listener, { intentId: order.intentId, ...resumePoint(stream) });
}
