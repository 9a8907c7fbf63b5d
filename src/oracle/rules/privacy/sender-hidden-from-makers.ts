import { isObject, textOf, visit } from '../../../protocol/json.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { heartbeat } from '../../../spec/events.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { resources } from '../../../spec/resources.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import {
  hiddenSenderIds,
  leakIn,
  leakPatternsIn,
  mayHaveWon,
  senderSideIds,
} from './leak-detection.ts';

const requirements = [
  'rfq.list.hides-sender-identity',
  'rfq.read.hides-sender-identity',
  'event.quote-request-new.hides-sender-identity',
  'maker.sees-no-sender-identity',
  'settlement.hides-sender-identity',
] as const;

/** Something that a maker was sent about an order whose sender it must not learn from it. */
interface Message {
  readonly requirement: (typeof requirements)[number];
  readonly intentId: string | undefined;
  readonly content: unknown;
  readonly source: string;
  readonly via: string;
}

const requirementOfRequest: Partial<Record<string, Message['requirement']>> = {
  'rfq.list': 'rfq.list.hides-sender-identity',
  'rfq.read': 'rfq.read.hides-sender-identity',
  quote_request_new: 'event.quote-request-new.hides-sender-identity',
};

function* requests(view: HistoryView): Iterable<Message> {
  for (const { value, via, source, frame } of view.snapshotsOf('rfq')) {
    const requirement = requirementOfRequest[via];
    const content = frame ? [frame.frame.data, frame.frame.eventId] : value;
    if (requirement)
      yield { requirement, intentId: textOf(value, 'intent_id'), content, source, via };
  }
  for (const via of ['rfq.list', 'rfq.read'] as const) {
    for (const call of view.endpoint(via)) if (call.ok) yield* aroundRequests(view, via, call);
  }
}

/** Content around the requests in an answer: the rest of the envelope, and the headers. Once for each sender. */
function* aroundRequests(
  view: HistoryView,
  via: 'rfq.list' | 'rfq.read',
  { body, data, exchange, id }: Call,
): Iterable<Message> {
  const around = isObject(body) ? { ...body, data: undefined } : {};
  const content = { ...around, headers: exchange.response?.headers };
  const seen = new Set<string>();
  for (const item of [data].flat()) {
    const intentId = textOf(item, 'intent_id');
    const trace = view.order(intentId);
    const pair = `${trace?.senderId} ${trace?.senderCustodianId}`;
    if (!trace || seen.has(pair)) continue;
    seen.add(pair);
    yield { requirement: `${via}.hides-sender-identity`, intentId, content, source: id, via };
  }
}

const settlements = (view: HistoryView): readonly Message[] =>
  view.snapshotsOf('settlement').map(({ value, via, source, frame }) => ({
    requirement: 'settlement.hides-sender-identity',
    intentId: textOf(value, 'intent_id') ?? frame?.intentId,
    content: frame ? frame.frame.data : value,
    source,
    via,
  }));

/** Own quotes, ends of requests, and all answers about an order, to a maker that has not won the trade by then. */
function* toNoWinner(view: HistoryView): Iterable<Message> {
  const requirement = 'maker.sees-no-sender-identity';
  const isHidden = (intentId: string | undefined, party: string, before?: Call): boolean => {
    const trace = view.order(intentId);
    return trace !== undefined && !mayHaveWon(view, trace, party, before);
  };
  for (const { value, via, source, call } of view.snapshotsOf('own-quote')) {
    const intentId = textOf(value, 'intent_id') ?? call?.exchange.params.intent_id;
    if (call && isHidden(intentId, call.party, call))
      yield { requirement, intentId, content: value, source, via };
  }
  for (const { party, frames } of view.streams) {
    for (const { frame, id, intentId } of frames) {
      const { event, data } = frame;
      const isEnd = event === 'quote_request_expired' || event === 'quote_rejected';
      if (isEnd && isHidden(intentId, party))
        yield { requirement, intentId, content: data, source: id, via: event };
    }
  }
  for (const call of view.calls) {
    if (call.exchange.role !== 'market-maker' || call.status === undefined) continue;
    const { params, response } = call.exchange;
    if (!isHidden(params.intent_id, call.party, call)) continue;
    const { headers, text } = response ?? {};
    // The data of an answer was examined above, item by item.
    const content = call.ok ? { headers } : { headers, body: call.body ?? text };
    const via = `${call.ok ? 'an answer' : 'a refusal'} of ${call.endpoint}`;
    yield { requirement, intentId: params.intent_id, content, source: call.id, via };
  }
}

/** 1.2, 2.4: requests are anonymous, and nothing else that a maker is sent tells whose they are. */
const senderHiddenFromMakers = defineRule({
  id: 'privacy.sender',
  title:
    "Nothing that a market maker receives of a request identifies the sender's side, at any depth",
  requirements,
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    for (const messages of [requests(view), toNoWinner(view), settlements(view)]) {
      for (const { requirement, intentId, content, source, via } of messages) {
        const trace = view.order(intentId);
        const patterns = trace && leakPatternsFor(senderSideIds(trace));
        if (!patterns) continue;
        const leak = leakIn(content, patterns);
        findings.assert(requirement, leak === undefined, source, () => ({
          message: `${via} gave the sender's side away to a market maker`,
          must: { words: "nothing of the sender's or its custodian's identity" },
          ...leak,
        }));
      }
    }
  },
});

/** The fields of an answer that speak of the party itself. */
const ofOneself: Partial<Record<EndpointName, ReadonlySet<string>>> = {
  'identity.read': new Set(fieldsOf(resources.identity).map(({ name }) => name)),
  'token.create': new Set(fieldsOf(resources.token).map(({ name }) => name)),
};

const senderHiddenBesideOrders = defineRule({
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

    /** An answer about oneself tells nothing of others: looks at everything besides the fields of that answer. */
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

/** Trades of a maker before this history are not known. A finding is a warning: the stats may be over years. */
const statsHideSenders = defineRule({
  id: 'privacy.stats',
  title: 'The stats of a market maker name no sender that it has not traded with',
  requirements: ['stats.read.hides-sender-identity'],
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    for (const call of view.endpoint('stats.read')) {
      if (!call.ok || !call.own || call.exchange.role !== 'market-maker') continue;
      const secrets = leakPatternsFor(hiddenSenderIds(view, call.party, call.close));
      if (!secrets) continue;
      const leak = leakIn(call.data, secrets);
      findings.assert('stats.read.hides-sender-identity', leak === undefined, call.id, () => ({
        message:
          'the stats of a market maker named the side of a sender that it had not traded with',
        ...leak,
      }));
    }
  },
});

/** Fields that a sender writes into an order and that could point to it. */
const pointers = [
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  'intent_signature',
  'memo',
] as const;

const requestHidesOrderDetails = defineRule({
  id: 'privacy.particulars',
  title: 'A request shows none of the particulars that could point to its sender',
  requirements: ['rfq.hides-order-particulars'],
  judge(view, findings) {
    for (const { value, source, via, frame } of view.snapshotsOf('rfq')) {
      const trace = view.order(textOf(value, 'intent_id'));
      const sent = trace?.sent;
      if (!sent) continue;
      const secrets = new Map<string, string>();
      for (const field of pointers) {
        const text = textOf(sent, field);
        if (text !== undefined && text.length >= 8) secrets.set(text, field);
      }
      let leak: string | undefined;
      visit(frame ? frame.frame.data : value, (_, text) => {
        if (typeof text === 'string') leak ??= secrets.get(text);
      });
      findings.assert('rfq.hides-order-particulars', leak === undefined, source, () => ({
        message: `${via} showed the ${leak} of an order to a market maker`,
        ...(leak !== undefined && { fields: [leak] }),
        actual: leak,
      }));
    }
  },
});

export const anonymityRules = [
  senderHiddenFromMakers,
  requestHidesOrderDetails,
  statsHideSenders,
  senderHiddenBesideOrders,
];
