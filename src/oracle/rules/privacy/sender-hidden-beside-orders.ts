import type { EndpointName } from '../../../spec/endpoints.ts';
import { heartbeat } from '../../../spec/events.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { resources } from '../../../spec/resources.ts';
import { isObject } from '../../../protocol/json.ts';
import { leakIn } from './leak-detection.ts';
import { hiddenSenderIds, senderSideIds, leakPatternsIn } from './hidden-senders.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { TraceFrame, StreamTrace } from '../../trace/streams.ts';

/** The fields of an answer that speak of the party itself. */
const ofOneself: Partial<Record<EndpointName, ReadonlySet<string>>> = {
  'identity.read': new Set(fieldsOf(resources.identity).map(({ name }) => name)),
  'token.create': new Set(fieldsOf(resources.token).map(({ name }) => name)),
};

export const senderHiddenBesideOrders = defineRule({
  id: 'privacy.unrelated',
  title:
    "What a market maker receives beside orders and their quotes identifies nobody's sender either",
  // Also judged by "privacy.sender", which looks at what is about one order; this at all the rest.
  requirements: ['maker.sees-no-sender-identity'],
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    const orders = [...view.orders.values()];
    const anybody = leakPatternsFor([...new Set(orders.flatMap(senderSideIds))]);
    for (const stream of view.streams) {
      if (stream.kind !== 'maker') continue;
      for (const seen of stream.frames) lookAtFrame(stream, seen);
    }
    for (const endpoint of Object.keys(ofOneself) as EndpointName[]) {
      for (const call of view.endpoint(endpoint)) {
        if (call.ok && call.exchange.role === 'market-maker') lookAtSelf(endpoint, call);
      }
    }

    /**
     * Examines everything around a message, and the whole message if it is about no order. A heartbeat has no sender to
     * name; another event may tell a winner of its trade.
     */
    function lookAtFrame(stream: StreamTrace, { frame, id, at, intentId }: TraceFrame): void {
      const winner = frame.event === heartbeat ? undefined : stream.party;
      const { event, eventId, comments } = frame;
      const around = [event, eventId, comments];
      const message = intentId === undefined ? [...around, frame.data, frame.text] : around;
      const what = comments ? `${event}, or a comment before it,` : event;
      lookAtUnrelated(message, what, at, [stream.id, id], winner);
    }

    /**
     * A party that asks about itself learns nothing of others. Examines everything besides the fields that the answer
     * has.
     */
    function lookAtSelf(endpoint: EndpointName, { body, data, exchange, close, id }: Call): void {
      const fields = ofOneself[endpoint];
      if (!fields || !isObject(body)) return;
      const rest = Object.entries(isObject(data) ? data : {}).filter(([name]) => !fields.has(name));
      const { path, headers, body: asked } = exchange.request;
      // A check may ask to be taken for another, and an answer may say what it was asked.
      if (anybody && leakIn([path, headers, asked], anybody) !== undefined) return;
      const message = [{ ...body, data: Object.fromEntries(rest) }, exchange.response?.headers];
      lookAtUnrelated(message, `the answer of ${endpoint}`, close, [id]);
    }

    /** A list of everybody gives nobody's request away. */
    function isDirectory(message: unknown): boolean {
      const senders = [...new Set(orders.flatMap(({ senderId }) => senderId ?? []))];
      const isNamed = (id: string): boolean => {
        const patterns = leakPatternsFor([id]);
        return patterns !== undefined && leakIn(message, patterns) !== undefined;
      };
      return senders.length > 1 && senders.every(isNamed);
    }

    /** @param winner the party that may know with whom it traded */
    function lookAtUnrelated(
      message: unknown,
      what: string,
      at: number,
      evidence: readonly string[],
      winner?: string,
    ): void {
      // Hardly any message names anybody: only for those that do is it asked if they may.
      if (!anybody || leakIn(message, anybody) === undefined || isDirectory(message)) return;
      const hidden = winner === undefined ? undefined : hiddenSenderIds(view, winner, at);
      const patterns = hidden ? leakPatternsFor(hidden) : anybody;
      const leak = patterns && leakIn(message, patterns);
      if (leak === undefined) return;
      findings.fail('maker.sees-no-sender-identity', {
        message: `${what} named the side of a sender to a market maker`,
        must: { words: "nothing of any sender's or its custodian's identity" },
        ...leak,
        evidence,
      });
    }
  },
});
