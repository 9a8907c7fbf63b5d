import { isObject, textAt, visit } from '../../../protocol/json.ts';
import { leakIn } from './leak-detection.ts';
import {
  hiddenSenderIds,
  senderSideIds,
  mayHaveWon,
  leakPatternsIn,
} from './sender-identifiers.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';

type Requirement =
  | 'rfq.list.hides-sender-identity'
  | 'rfq.read.hides-sender-identity'
  | 'event.quote-request-new.hides-sender-identity'
  | 'maker.sees-no-sender-identity'
  | 'settlement.hides-sender-identity';

const byVia: Partial<Record<string, Requirement>> = {
  'rfq.list': 'rfq.list.hides-sender-identity',
  'rfq.read': 'rfq.read.hides-sender-identity',
  quote_request_new: 'event.quote-request-new.hides-sender-identity',
};

export const senderAnonymity = defineRule({
  id: 'privacy.sender',
  title:
    "Nothing that a market maker receives of a request identifies the sender's side, at any depth",
  requirements: [
    'rfq.list.hides-sender-identity',
    'rfq.read.hides-sender-identity',
    'event.quote-request-new.hides-sender-identity',
    'maker.sees-no-sender-identity',
    'settlement.hides-sender-identity',
  ],
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    const look = (
      requirement: Requirement,
      intentId: string | undefined,
      message: unknown,
      where: { readonly source: string; readonly via: string },
    ): void => {
      const trace = intentId === undefined ? undefined : view.orders.get(intentId);
      const known = trace && leakPatternsFor(senderSideIds(trace));
      if (!known) return;
      const leak = leakIn(message, known);
      findings.assert(requirement, leak === undefined, where.source, () => ({
        message: `${where.via} gave the sender's side away to a market maker`,
        expected: "nothing of the sender's or its custodian's identity",
        actual: leak,
        evidence: [where.source],
      }));
    };

    for (const { value, via, source, frame } of view.snapshotsOf('rfq')) {
      const requirement = byVia[via];
      const message = frame ? [frame.frame.data, frame.frame.eventId] : value;
      if (requirement) look(requirement, textAt(value, 'intent_id'), message, { source, via });
    }
    for (const name of ['rfq.list', 'rfq.read'] as const) {
      for (const call of view.endpoint(name)) if (call.ok) lookAround(name, call);
    }
    for (const { value, via, source, call } of view.snapshotsOf('own-quote')) {
      const intentId = textAt(value, 'intent_id') ?? call?.exchange.params.intent_id;
      const trace = view.orders.get(intentId ?? '');
      if (!trace || !call || mayHaveWon(view, trace, call.party, call)) continue;
      look('maker.sees-no-sender-identity', intentId, value, { source, via });
    }
    for (const stream of view.streams) {
      const { party, frames } = stream;
      for (const seen of frames) {
        const { frame, id, intentId } = seen;
        if (frame.event !== 'quote_request_expired' && frame.event !== 'quote_rejected') continue;
        const trace = view.orders.get(intentId ?? '');
        if (!trace || mayHaveWon(view, trace, party)) continue;
        const where = { source: id, via: frame.event };
        look('maker.sees-no-sender-identity', intentId, frame.data, where);
      }
    }
    for (const { value, via, source, frame } of view.snapshotsOf('settlement')) {
      const intentId = textAt(value, 'intent_id') ?? frame?.intentId;
      const message = frame ? frame.frame.data : value;
      look('settlement.hides-sender-identity', intentId, message, { source, via });
    }
    for (const call of view.calls) {
      if (call.exchange.role !== 'market-maker' || call.status === undefined) continue;
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      if (!trace || mayHaveWon(view, trace, call.party, call)) continue;
      const { headers, text } = call.exchange.response ?? {};
      // What an answer has as its data was looked at above, item by item.
      const message = call.ok ? { headers } : { headers, body: call.body ?? text };
      const where = {
        source: call.id,
        via: `${call.ok ? 'an answer' : 'a refusal'} of ${call.endpoint}`,
      };
      look('maker.sees-no-sender-identity', trace.id, message, where);
    }

    /** The answer around the requests themselves: what else is in the envelope, and the headers. */
    function lookAround(via: 'rfq.list' | 'rfq.read', call: Call): void {
      const around = isObject(call.body) ? { ...call.body, data: undefined } : {};
      const message = { ...around, headers: call.exchange.response?.headers };
      const seen = new Set<string>();
      for (const item of [call.data].flat()) {
        const intentId = textAt(item, 'intent_id');
        const trace = view.orders.get(intentId ?? '');
        const pair = `${trace?.senderId} ${trace?.senderCustodianId}`;
        if (!trace || seen.has(pair)) continue;
        seen.add(pair);
        look(byVia[via] ?? 'maker.sees-no-sender-identity', intentId, message, {
          source: call.id,
          via,
        });
      }
    }
  },
});

/**
 * Whom a maker traded with before this history began is not known, so what is found here is a warning: the stats may
 * be over years.
 */
export const statsAnonymity = defineRule({
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
        actual: leak,
        evidence: [call.id],
      }));
    }
  },
});

const pointers = [
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  'intent_signature',
  'memo',
] as const;

export const requestParticulars = defineRule({
  id: 'privacy.particulars',
  title: 'A request shows none of the particulars that could point to its sender',
  requirements: ['rfq.hides-order-particulars'],
  judge(view, findings) {
    for (const { value, source, via, frame } of view.snapshotsOf('rfq')) {
      const trace = view.orders.get(textAt(value, 'intent_id') ?? '');
      const sent = trace?.sent;
      if (!sent) continue;
      const secrets = new Map<string, string>();
      for (const field of pointers) {
        const text = textAt(sent, field);
        if (text !== undefined && text.length >= 8) secrets.set(text, field);
      }
      let leak: string | undefined;
      visit(frame ? frame.frame.data : value, (_, text) => {
        if (typeof text === 'string') leak ??= secrets.get(text);
      });
      findings.assert('rfq.hides-order-particulars', leak === undefined, source, () => ({
        message: `${via} showed the ${leak} of an order to a market maker`,
        actual: leak,
        evidence: [source],
      }));
    }
  },
});
