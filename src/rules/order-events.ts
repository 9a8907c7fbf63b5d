import { acceptanceFields, settlementFields } from '../spec/requirements/index.ts';
import type { OrderState } from '../spec/words.ts';
import { isSet, textAt } from './json.ts';
import {
  type Cause,
  framesOn,
  isDue,
  isLate,
  relationOf,
  spared,
  streamsByParty,
} from './audience.ts';
import { sameValue } from './same.ts';
import { reaches } from './states.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';
import { type SeenFrame, type StreamStory, toldForGood } from './view/streams.ts';

/** A state that an order was surely in, and what proves that it had not been before. */
interface Change extends Cause {
  readonly state: OrderState;
}

/** The states that lie behind one that was seen: 3.1 has no other way to EXECUTING and SETTLED. */
const behind: Partial<Record<OrderState, readonly OrderState[]>> = {
  EXECUTING: ['QUOTED'],
  SETTLED: ['QUOTED', 'EXECUTING'],
};
const accepted: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

/** Every change of status that a history proves of an order, with the earliest proof of each. */
function changesOf(story: OrderStory): Change[] {
  if (!story.creation) return [];
  const proofs = new Map<OrderState, Sighting>();
  for (const sighting of story.sightings) {
    const state = stateOf(sighting);
    if (!state || state === 'PENDING') continue;
    for (const each of [...(behind[state] ?? []), state]) {
      if (!proofs.has(each)) proofs.set(each, sighting);
    }
  }
  return [...proofs].map(([state, proof]) => ({
    state,
    since: notYet(story, state, proof),
    byMs: proof.to,
    by: proof.close,
    source: proof.source,
  }));
}

/** The latest place at which the order was surely not yet in a state. */
function notYet(story: OrderStory, state: OrderState, proof: Sighting): number {
  let since = story.creation?.open ?? Number.NEGATIVE_INFINITY;
  const first = happened(story.acceptances)[0];
  if (accepted.includes(state) && first) since = Math.max(since, first.open);
  for (const seen of story.sightings) {
    if (seen.frame || seen.close >= proof.close) continue;
    const earlier = stateOf(seen);
    if (earlier && earlier !== state && reaches(earlier, state)) since = Math.max(since, seen.open);
  }
  return since;
}

const onChange = {
  QUOTED: 'event.order-updated.on-quoted',
  EXECUTING: 'event.order-updated.on-executing',
  SETTLED: 'event.order-updated.on-settled',
  EXPIRED: 'event.order-updated.on-expired',
  FAILED: 'event.order-updated.on-failed',
} as const;

export const updatesSent = defineRule({
  id: 'event.order-updated.sent',
  title:
    'Every change of status is told to the sender and its custodian, on each stream that is open',
  requirements: [
    'event.order-updated.sent',
    'event.order-updated.on-quoted',
    'event.order-updated.on-executing',
    'event.order-updated.on-settled',
    'event.order-updated.on-expired',
    'event.order-updated.on-failed',
    'event.order-updated.on-cancel',
    'event.order-updated.to-sender-custodian',
    'event.every-open-stream',
    'event.live',
    'stream.intent-filter.all-of-that-order',
    'stream.intent-filter.for-custodian',
    'stream.unfiltered-has-all',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    for (const story of view.orders.values()) {
      const changes = changesOf(story);
      if (changes.length === 0) continue;
      const audience = [story.creation?.party, view.nameOf(story.senderCustodianId)];
      for (const party of new Set(audience)) {
        if (party === undefined) continue;
        for (const change of changes) tell(story, change, streamsOf(party));
      }
    }

    function tell(story: OrderStory, change: Change, streams: readonly StreamStory[]): void {
      const due = streams.filter(
        (stream) =>
          stream.kind === 'order' &&
          (stream.filter === undefined || stream.filter === story.id) &&
          isDue(stream, change),
      );
      const got = due.map((stream) =>
        framesOn(story, stream, 'order_updated').find(
          ({ payload }) => payload?.['status'] === change.state,
        ),
      );
      due.forEach((stream, index) => judgeOne(story, change, stream, got[index]));
      if (due.length > 1 && got.some(Boolean)) {
        const missed = due.find((_, index) => !got[index]);
        tally.judge('event.every-open-stream', !missed, change.source, () => ({
          message: `of several open streams of one party one was not told of ${change.state}`,
          evidence: [change.source, missed?.id ?? ''],
        }));
      }
    }

    function judgeOne(
      story: OrderStory,
      change: Change,
      stream: StreamStory,
      frame: SeenFrame | undefined,
    ): void {
      const custodian = stream.role === 'custodian';
      const cancelled =
        (change.state === 'FAILED' || change.state === 'EXPIRED') &&
        story.cancels.some((call) => call.ok);
      const requirements = custodian
        ? (['event.order-updated.to-sender-custodian'] as const)
        : ([
            'event.order-updated.sent',
            cancelled
              ? 'event.order-updated.on-cancel'
              : onChange[change.state as keyof typeof onChange],
          ] as const);
      const limited = stream.filter !== undefined;
      const about = custodian
        ? (['stream.intent-filter.for-custodian'] as const)
        : (['stream.intent-filter.all-of-that-order'] as const);
      for (const requirement of [
        ...requirements,
        ...(limited ? about : (['stream.unfiltered-has-all'] as const)),
      ]) {
        tally.judge(requirement, frame !== undefined, frame?.id ?? change.source, () => ({
          message: `no order_updated told that an order became ${change.state}`,
          expected: { event: 'order_updated', intent_id: story.id, status: change.state },
          evidence: [stream.id, change.source],
        }));
      }
      if (!frame) return;
      if (!isLate(frame, change)) tally.pass('event.live', frame.id);
      else {
        tally.warn('event.live', {
          message: `order_updated came ${(frame.frame.received - change.byMs) / 1000} s after ${change.state} could be read`,
          evidence: [change.source, frame.id],
        });
      }
    }
  },
});

export const updatesRight = defineRule({
  id: 'event.order-updated.right',
  title:
    'order_updated goes to those with a part in the order, once for each change, in order, after its cause',
  requirements: [
    'event.order-updated.not-to-strangers',
    'event.order-updated.once',
    'event.order-updated.only-on-change',
    'event.order-updated.agrees-with-read',
    'event.in-order',
    'event.after-cause',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const parties = [
      ...new Set(view.streams.filter(({ kind }) => kind === 'order').map(({ party }) => party)),
    ];
    for (const story of view.orders.values()) {
      judgeSpared(story);
      const told = new Map<StreamStory, SeenFrame[]>();
      for (const { stream, seen } of story.frames) {
        if (seen.frame.event !== 'order_updated') continue;
        const list = told.get(stream);
        if (list) list.push(seen);
        else told.set(stream, [seen]);
      }
      for (const [stream, frames] of told) {
        judgeAudience(story, stream, frames[0]);
        judgeSequence(story, stream, frames);
        for (const frame of frames) {
          judgeCause(story, frame);
          judgeContent(story, frame);
        }
      }
    }

    function judgeAudience(story: OrderStory, stream: StreamStory, frame?: SeenFrame): void {
      if (!frame || relationOf(view, story, stream.party) !== 'stranger') return;
      tally.fail('event.order-updated.not-to-strangers', {
        message: `order_updated went to ${stream.party}, which has no part in the order`,
        evidence: [stream.id, frame.id],
      });
    }

    /** Only a stranger that listened while a status changed shows that strangers are left out. */
    function judgeSpared(story: OrderStory): void {
      const [change] = changesOf(story);
      if (!change) return;
      for (const party of parties) {
        if (relationOf(view, story, party) !== 'stranger') continue;
        const got = (stream: StreamStory): boolean =>
          framesOn(story, stream, 'order_updated').length > 0;
        for (const stream of spared(streamsOf(party), change, got)) {
          tally.pass('event.order-updated.not-to-strangers', stream.id);
        }
      }
    }

    function judgeSequence(
      story: OrderStory,
      stream: StreamStory,
      frames: readonly SeenFrame[],
    ): void {
      const proposed = happened(story.proposals).length > 0;
      const seen = new Map<OrderState, SeenFrame>();
      let last: { readonly state: OrderState; readonly frame: SeenFrame } | undefined;
      for (const frame of frames) {
        const state = textAt(frame.payload, 'status') as OrderState | undefined;
        if (state === undefined || !Object.hasOwn(orderOf, state)) continue;
        const before = toldForGood(stream, seen.get(state));
        seen.set(state, frame);
        const evidence = [...(before ? [before.id] : []), frame.id];
        if (state === 'PENDING') {
          // What a proposal's acceptance changes is open.
          if (!proposed) {
            tally.judge('event.order-updated.only-on-change', !before, frame.id, () => ({
              message: 'order_updated told PENDING more than once',
              evidence,
            }));
          }
        } else {
          tally.judge('event.order-updated.once', !before, frame.id, () => ({
            message: `order_updated told ${state} more than once on one stream`,
            evidence,
          }));
        }
        if (last && last.state !== state) {
          const { state: from, frame: earlier } = last;
          tally.judge('event.in-order', reaches(from, state), frame.id, () => ({
            message: `order_updated told ${state} after ${from}`,
            evidence: [earlier.id, frame.id],
          }));
        }
        last = { state, frame };
      }
    }

    function judgeCause(story: OrderStory, frame: SeenFrame): void {
      if (!story.creation) return;
      const state = textAt(frame.payload, 'status') as OrderState | undefined;
      const early = frame.at < story.creation.open;
      const needsAcceptance = state !== undefined && accepted.includes(state);
      const first = happened(story.acceptances)[0];
      const uncaused = needsAcceptance && first !== undefined && frame.at < first.open;
      tally.judge('event.after-cause', !early && !uncaused, frame.id, () => ({
        message: `order_updated told ${state} before ${early ? 'the order was created' : 'a quote was accepted'}`,
        evidence: [frame.id, (early ? story.creation?.id : first?.id) ?? ''],
      }));
    }

    function judgeContent(story: OrderStory, frame: SeenFrame): void {
      judgeNulls(frame);
      for (const field of constantFields) {
        const told = frame.payload?.[field];
        if (!isSet(told)) continue;
        const read = story.sightings.find(({ whole, value }) => whole && isSet(value[field]));
        if (!read) continue;
        const holds = sameValue(field, read.value[field], told);
        tally.judge('event.order-updated.agrees-with-read', holds, frame.id, () => ({
          message: `${field} in order_updated was not what a read shows`,
          expected: read.value[field],
          actual: told,
          evidence: [read.source, frame.id],
        }));
      }
    }

    /** Which fields come along is open (gap `event.payload`); a whole order that shows null says that there is nothing. */
    function judgeNulls({ payload, id }: SeenFrame): void {
      if (!wholeFields.every((field) => isSet(payload?.[field]))) return;
      const state = textAt(payload, 'status') as OrderState | undefined;
      if (state === undefined || !accepted.includes(state)) return;
      const due = [...acceptanceFields, ...(state === 'SETTLED' ? settlementFields : [])];
      const nulls = due.filter((field) => payload?.[field] === null);
      tally.judge('event.order-updated.agrees-with-read', nulls.length === 0, id, () => ({
        message: `order_updated told of an order in ${state} without ${nulls.join(', ')}`,
        actual: payload,
        evidence: [id],
      }));
    }
  },
});

/** What every order has from its creation: a payload that carries all of it is an order, not a part of one. */
const wholeFields = [
  'intent_id',
  'sender_party_id',
  'target_amount',
  'source_amount_max',
  'created_at',
  'expires_at',
] as const;

const orderOf: Readonly<Record<OrderState, true>> = {
  PENDING: true,
  QUOTED: true,
  EXECUTING: true,
  SETTLED: true,
  EXPIRED: true,
  FAILED: true,
};

const constantFields = [
  'sender_party_id',
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_max',
  'created_at',
  'expires_at',
  ...acceptanceFields,
  ...settlementFields,
] as const;
