import { parseTimestamp } from '../../../spec/forms.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, countBelow } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { type OrderTrace, orderStateOf, possiblyEffective } from '../../trace/traces.ts';
import { walksOf } from './page-walk.ts';

const requirements = [
  'rfq.list.accepted-order-left',
  'order.cancel.request-closes',
  'rfq.list.failed-order-left',
  'rfq.list.expired-order-left',
] as const;

interface Closing {
  readonly requirement: (typeof requirements)[number];
  readonly why: string;
  /** Time by which it had happened: as a place in the history, and in our milliseconds. */
  readonly close: number;
  readonly atMs: number;
  readonly source: string;
}

/** The first known reason why the request of an order closed. */
function closingOf({ acceptances, cancels, snapshots }: OrderTrace): Closing | undefined {
  const accepted = acceptances.find(({ ok, data }) => ok && textOf(data, 'status') === 'QUOTED');
  const cancelled = cancels.find(({ ok }) => ok);
  const isUntouched = possiblyEffective([...acceptances, ...cancels]).length === 0;
  const ended = (state: string): Snapshot | undefined =>
    isUntouched ? snapshots.find((seen) => orderStateOf(seen) === state) : undefined;
  const [failed, expired] = [ended('FAILED'), ended('EXPIRED')];
  const ofCall = ({ close, exchange, id }: Call) => ({
    close,
    atMs: exchange.received,
    source: id,
  });
  const ofSnapshot = ({ close, to, source }: Snapshot) => ({ close, atMs: to, source });
  const [accept, cancel, fail, expire] = requirements;
  if (accepted) return { requirement: accept, why: 'was accepted', ...ofCall(accepted) };
  if (cancelled) return { requirement: cancel, why: 'was cancelled', ...ofCall(cancelled) };
  if (failed) return { requirement: fail, why: 'had failed', ...ofSnapshot(failed) };
  return expired && { requirement: expire, why: 'had expired', ...ofSnapshot(expired) };
}

export const closedRequestsLeaveTheList = defineRule({
  id: 'rfq.left',
  title: 'A request leaves the list once its order is accepted, cancelled, failed or expired',
  requirements,
  judge(view, findings) {
    const clock = targetClockOf(view);
    const closings = new Map([...view.orders].map(([id, trace]) => [id, closingOf(trace)]));
    for (const snapshot of view.snapshotsOf('rfq')) {
      const id = textOf(snapshot.value, 'intent_id') ?? '';
      if (!closings.has(id) || snapshot.via !== 'rfq.list') continue;
      const closing = closings.get(id);
      const isClosed = closing && snapshot.from > closing.atMs + tolerance.replicationLagMs;
      const expiry = parseTimestamp(snapshot.value['expires_at']);
      const isOver = expiry !== undefined && clock.wellAfter(snapshot, expiry);
      if (!isClosed && !isOver) continue;
      const { requirement, why, source } = isClosed
        ? closing
        : { requirement: 'rfq.list.expired-order-left' as const, why: 'had expired', source: '' };
      findings.fail(requirement, {
        message: `a request was still on the list of active ones though its order ${why}`,
        actual: id,
        evidence: [source, snapshot.source].filter((id) => id !== ''),
      });
    }
    const whole = view
      .once(walksOf)
      .filter((walk) => walk.first.endpoint === 'rfq.list' && walk.holdsOwn);
    const starts = whole.map((walk) => walk.first.open);
    for (const [id, closing] of closings) {
      const walk = closing && whole[countBelow(starts, closing.close)];
      if (walk && !walk.ids.includes(id)) findings.pass(closing.requirement, walk.first.id);
    }
  },
});
