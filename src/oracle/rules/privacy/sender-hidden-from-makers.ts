import { isObject, textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { leakIn } from './leak-detection.ts';
import { leakPatternsIn, mayHaveWon, senderSideIds } from './hidden-senders.ts';

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
    const trace = view.orders.get(intentId ?? '');
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
    const trace = view.orders.get(intentId ?? '');
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
export const senderHiddenFromMakers = defineRule({
  id: 'privacy.sender',
  title:
    "Nothing that a market maker receives of a request identifies the sender's side, at any depth",
  requirements,
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    for (const messages of [requests(view), toNoWinner(view), settlements(view)]) {
      for (const { requirement, intentId, content, source, via } of messages) {
        const trace = view.orders.get(intentId ?? '');
        const patterns = trace && leakPatternsFor(senderSideIds(trace));
        if (!patterns) continue;
        const leak = leakIn(content, patterns);
        findings.assert(requirement, leak === undefined, source, () => ({
          message: `${via} gave the sender's side away to a market maker`,
          must: { words: "nothing of the sender's or its custodian's identity" },
          ...leak,
          evidence: [source],
        }));
      }
    }
  },
});
