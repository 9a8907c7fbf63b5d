import { parseTimestamp } from '../spec/forms.ts';
import { type Cause, causedBy, framesOn, isDue, isLate, streamsByParty } from './audience.ts';
import { watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import type { Call } from './view/calls.ts';
import { happened, type OrderStory, showsEnd, stateOf } from './view/stories.ts';
import { type SeenFrame, type StreamStory, toldForGood } from './view/streams.ts';

import { makersOf } from './audience.ts';

export const requestsTold = defineRule({
  id: 'event.quote-request-new',
  title: 'Every new request is told to every market maker, once',
  requirements: [
    'event.quote-request-new.sent',
    'event.quote-request-new.to-every-maker',
    'event.quote-request-new.once',
    'event.after-cause',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const story of view.orders.values()) {
      judgeFrames(story);
      const cause = availability(story);
      if (!cause) continue;
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => isDue(stream, cause)),
      );
      const got = due.map((stream) => framesOn(story, stream, 'quote_request_new')[0]);
      const several = new Set(due.map(({ party }) => party)).size > 1;
      due.forEach((stream, index) => {
        const frame = got[index];
        for (const requirement of [
          'event.quote-request-new.sent',
          ...(several ? (['event.quote-request-new.to-every-maker'] as const) : []),
        ] as const) {
          tally.judge(requirement, frame !== undefined, frame?.id ?? cause.source, () => ({
            message: `no quote_request_new told ${stream.party} of a request`,
            expected: { event: 'quote_request_new', intent_id: story.id },
            evidence: [stream.id, cause.source],
          }));
        }
        if (!frame) return;
        if (!isLate(frame, cause)) tally.pass('event.live', frame.id);
        else
          tally.warn('event.live', {
            message: 'quote_request_new came late',
            evidence: [frame.id],
          });
      });
    }

    /**
     * When a request was surely there for makers. An order may wait for its proposal to be accepted first (gap
     * `proposal.effect`), or end before its request has come to makers: then somebody must have seen the request.
     */
    function availability(story: OrderStory): Cause | undefined {
      const { creation } = story;
      if (!creation) return undefined;
      const effect = view.context.answers('proposal.effect');
      if (effect !== undefined && effect !== 'opens-quoting' && !wasBrief(story, creation)) {
        return causedBy(creation);
      }
      const seen = story.rfqs.find(({ frame }) => !frame);
      const quoted = story.submissions.find((call) => call.ok);
      if (!seen && !quoted) return undefined;
      const proof = seen && (!quoted || seen.close < quoted.close) ? seen.call : quoted;
      return proof && { ...causedBy(proof), since: creation.open };
    }

    function judgeFrames(story: OrderStory): void {
      const seenOn = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of story.frames) {
        if (seen.frame.event !== 'quote_request_new') continue;
        const { creation } = story;
        if (creation) {
          tally.judge('event.after-cause', seen.at > creation.open, seen.id, () => ({
            message: 'quote_request_new came before the order was created',
            evidence: [seen.id, creation.id],
          }));
        }
        const before = toldForGood(stream, seenOn.get(stream));
        seenOn.set(stream, seen);
        tally.judge('event.quote-request-new.once', !before, seen.id, () => ({
          message: 'one request was told twice on one stream',
          actual: story.id,
          evidence: [before?.id ?? '', seen.id],
        }));
      }
    }
  },
});

export const requestsClosed = defineRule({
  id: 'event.quote-request-expired',
  title: 'quote_request_expired is told once, of a request that can no longer be quoted',
  requirements: [
    'event.quote-request-expired.sent',
    'event.quote-request-expired.not-while-open',
    'event.quote-request-expired.once',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const story of view.orders.values()) {
      const told = story.frames.filter(({ seen }) => seen.frame.event === 'quote_request_expired');
      const counted = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of told) {
        const before = toldForGood(stream, counted.get(stream));
        counted.set(stream, seen);
        tally.judge('event.quote-request-expired.once', !before, seen.id, () => ({
          message: 'the end of one request was told twice on one stream',
          evidence: [before?.id ?? '', seen.id],
        }));
        judgeClosed(story, seen);
      }
      judgeSent(story, told.length);
    }

    function judgeClosed(story: OrderStory, seen: SeenFrame): void {
      if (!story.creation || view.disturbed(story.id)) return;
      const ended = [...happened(story.acceptances), ...happened(story.cancels)].some(
        (call) => call.open < seen.at,
      );
      const failed = story.sightings.some((order) => stateOf(order) === 'FAILED');
      if (ended || failed) return;
      const expiry = expiryOf(story);
      if (expiry === undefined) return;
      const open = watch.before({ from: seen.frame.received, to: seen.frame.received }, expiry);
      tally.judge('event.quote-request-expired.not-while-open', !open, seen.id, () => ({
        message: 'quote_request_expired came while the request could still be quoted',
        expected: `no earlier than ${new Date(expiry).toISOString()}`,
        actual: new Date(seen.frame.received).toISOString(),
        evidence: [seen.id],
      }));
    }

    /** Whether it goes to makers that quoted or to those that did not is open, but it goes to one of them. */
    function judgeSent(story: OrderStory, told: number): void {
      // What was withdrawn may have ended EXPIRED without having expired (gap `withdrawn.state`).
      if (!story.creation || view.disturbed(story.id)) return;
      if (happened([...story.acceptances, ...story.cancels]).length > 0) return;
      const expired = story.sightings.find((seen) => stateOf(seen) === 'EXPIRED');
      if (!expired || story.rfqs.length === 0) return;
      const cause = {
        since: story.creation.open,
        byMs: expired.to,
        by: expired.close,
        source: expired.source,
      };
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => isDue(stream, cause)),
      );
      const quoters = due.filter(({ party }) =>
        story.submissions.some((call) => call.ok && call.party === party),
      );
      if (quoters.length === 0 || quoters.length === due.length) return;
      const nameless = due.some(({ frames }) =>
        frames.some(({ frame, intentId }) => frame.event === 'quote_request_expired' && !intentId),
      );
      if (nameless) return;
      tally.judge('event.quote-request-expired.sent', told > 0, expired.source, () => ({
        message: 'no market maker was told that a request had expired',
        evidence: [expired.source, ...due.map(({ id }) => id)],
      }));
    }
  },
});

/** Whether an order ended sooner than its request must have been on its way to makers (gap `event.latency`). */
function wasBrief(story: OrderStory, { exchange }: Call): boolean {
  const by = exchange.received + patience.eventTravel;
  return (
    happened(story.cancels).some((call) => call.exchange.sent < by) ||
    story.sightings.some((seen) => showsEnd(seen) && seen.to < by)
  );
}

function expiryOf(story: OrderStory): number | undefined {
  for (const { value } of [...story.sightings, ...story.rfqs]) {
    const at = parseTimestamp(value['expires_at']);
    if (at !== undefined) return at;
  }
  return undefined;
}
