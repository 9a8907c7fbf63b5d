import type { DrivenLife } from '../../src/combinations/factors.ts';
import type { PlacedOrder } from '../../src/suite/actions/index.ts';
import type { EventStream } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { openSecondStream, resumePoint } from '../shared/streams.ts';

const listenerOf = ({ accepter }: DrivenLife): CastName =>
  accepter === 'custodian' ? 'sender_custodian' : 'sender';

/** Opens a stream for the life, beside the one that the party has open for the whole run. */
export async function listenTo(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
): Promise<EventStream | undefined> {
  if (life.streams === 'whole') return undefined;
  return openSecondStream(t, listenerOf(life), { intentId: order.intentId });
}

/** Resumes a stream from its last event id. It was closed before the quote was accepted. */
export async function resume(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
  stream: EventStream,
): Promise<void> {
  const listener = listenerOf(life);
  await openSecondStream(t, listener, { intentId: order.intentId, ...resumePoint(stream) });
}
