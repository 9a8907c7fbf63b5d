import { relationOf } from '../../trace/event-delivery.ts';
import { textAt } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, isRefusal } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace } from '../../trace/traces.ts';

export const orderAccess = defineRule({
  id: 'access.relations',
  title: 'A party sees orders that it has a part in, and acts on those that it may',
  requirements: [
    'order.list.own-only',
    'order.list.custodied-only',
    'order.read.foreign-institution-refused',
    'order.read.foreign-custodian-refused',
    'order.read.by-sender-custodian',
    'order.read.by-receiver-custodian',
    'order.quotes.foreign-institution-refused',
    'order.quotes.foreign-custodian-refused',
    'order.quotes.by-sender-custodian',
    'order.cancel.foreign-institution-refused',
    'order.cancel.receiver-custodian-refused',
    'quote.accept.foreign-institution-refused',
    'quote.accept.foreign-custodian-refused',
    'quote.accept.by-receiver-custodian-refused',
    'proposal.accept.foreign-custodian-refused',
    'proposal.accept.by-receiver-custodian-refused',
    'service.sender-accepts',
    'service.sender-custodian-accepts',
  ],
  judge(view, findings) {
    const firstUnrelated = new Map<string, number>();
    for (const snapshot of view.snapshotsOf('order')) {
      if (snapshot.via === 'order.list') judgeListed(snapshot);
    }
    for (const call of view.calls) {
      if (call.exchange.auth !== 'own' || call.status === undefined) continue;
      if (call.exchange.role === 'market-maker' || (!call.ok && !isRefusal(call))) continue;
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      if (!trace) continue;
      const relation = relationOf(view, trace, call.party);
      if (relation === 'stranger') judgeUnrelated(trace, call);
      else if (relation === 'receiver-custodian') judgeReceiver(call);
      else if (call.ok && relation === 'sender-custodian') {
        if (call.endpoint === 'order.read')
          findings.pass('order.read.by-sender-custodian', call.id);
        if (call.endpoint === 'order.quotes')
          findings.pass('order.quotes.by-sender-custodian', call.id);
        if (call.endpoint === 'quote.accept')
          findings.pass('service.sender-custodian-accepts', call.id);
      } else if (call.ok && relation === 'sender' && call.endpoint === 'quote.accept') {
        findings.pass('service.sender-accepts', call.id);
      }
    }

    /** Whether there was an order of strangers that a party's list could have held by mistake. */
    function firstUnrelatedOrder(party: string): number {
      const known = firstUnrelated.get(party);
      if (known !== undefined) return known;
      let first = Number.POSITIVE_INFINITY;
      for (const trace of view.orders.values()) {
        const { creation } = trace;
        if (!creation || creation.close >= first) continue;
        if (relationOf(view, trace, party) === 'stranger') first = creation.close;
      }
      firstUnrelated.set(party, first);
      return first;
    }

    function judgeListed(snapshot: Snapshot): void {
      const trace = view.orders.get(textAt(snapshot.value, 'intent_id') ?? '');
      if (!trace) return;
      const relation = relationOf(view, trace, snapshot.party);
      if (relation === 'unknown' || relation === 'receiver') return;
      if (relation !== 'stranger' && firstUnrelatedOrder(snapshot.party) > snapshot.open) return;
      const requirement =
        snapshot.role === 'institution' ? 'order.list.own-only' : 'order.list.custodied-only';
      findings.assert(requirement, relation !== 'stranger', snapshot.source, () => ({
        message: `the list of ${snapshot.party} held an order that it has no part in`,
        actual: trace.id,
        evidence: [snapshot.source],
      }));
    }

    function judgeUnrelated(trace: OrderTrace, call: Call): void {
      const institution = call.exchange.role === 'institution';
      const what = call.endpoint;
      // An empty list of quotes shows nothing of a foreign order.
      const shows = what !== 'order.quotes' || !Array.isArray(call.data) || call.data.length > 0;
      if (call.ok && !shows) return;
      if (what === 'order.read') {
        refused(
          institution
            ? 'order.read.foreign-institution-refused'
            : 'order.read.foreign-custodian-refused',
        );
      } else if (what === 'order.quotes') {
        refused(
          institution
            ? 'order.quotes.foreign-institution-refused'
            : 'order.quotes.foreign-custodian-refused',
        );
      } else if (what === 'quote.accept') {
        refused(
          institution
            ? 'quote.accept.foreign-institution-refused'
            : 'quote.accept.foreign-custodian-refused',
        );
      } else if (what === 'order.cancel' && institution) {
        refused('order.cancel.foreign-institution-refused');
      } else if (what === 'proposal.accept' && !institution) {
        refused('proposal.accept.foreign-custodian-refused');
      }

      function refused(requirement: Refused): void {
        const told = call.ok ? undefined : toldOf(trace, call);
        if (told === undefined) return judgeRefused(requirement, call, 'has no part in the order');
        findings.fail(requirement, {
          message: `a refusal of ${what} told ${call.party}, which has no part in the order, its ${told}`,
          expected: 'nothing of the order',
          actual: call.exchange.response?.body ?? call.exchange.response?.text,
          evidence: [call.id],
        });
      }
    }

    function judgeReceiver(call: Call): void {
      const why = "is only the receiver's custodian";
      if (call.endpoint === 'order.read' && call.ok) {
        findings.pass('order.read.by-receiver-custodian', call.id);
      } else if (call.endpoint === 'quote.accept') {
        judgeRefused('quote.accept.by-receiver-custodian-refused', call, why);
      } else if (call.endpoint === 'proposal.accept') {
        judgeRefused('proposal.accept.by-receiver-custodian-refused', call, why);
      } else if (call.endpoint === 'order.cancel') {
        judgeRefused('order.cancel.receiver-custodian-refused', call, why);
      }
    }

    function judgeRefused(requirement: Refused, call: Call, why: string): void {
      findings.assert(requirement, !call.ok, call.id, () => ({
        message: `${call.endpoint} served ${call.party}, which ${why}`,
        expected: 'a 4xx status',
        actual: call.status,
        evidence: [call.id],
      }));
    }
  },
});

/** What only an order itself shows, and no request to it names. */
const marks = ['intent_signature', 'source_contract_id'] as const;
/** A shorter text may stand in an answer for any reason. */
const leastMark = 8;

/** A field of an order that an answer shows, however deep. */
function toldOf({ sent }: OrderTrace, { exchange: { response } }: Call): string | undefined {
  const answer = JSON.stringify(response?.body ?? response?.text ?? '');
  return marks.find((name) => {
    const mark = textAt(sent, name);
    return mark !== undefined && mark.length >= leastMark && answer.includes(mark);
  });
}

/** What is asked for besides, or in another form, may be refused. */
const isPlainGet = ({ exchange: { query, request } }: Call): boolean =>
  Object.keys(query).length === 0 &&
  ['application/json', undefined].includes(request.headers['accept']);

export const ownSideOnly = defineRule({
  id: 'access.own-side',
  title: "An order's own side is never refused it, nor its quotes",
  requirements: [
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'access.order.quotes.institution-allowed',
    'access.order.quotes.custodian-allowed',
  ],
  judge(view, findings) {
    for (const call of view.calls) {
      const { endpoint, exchange, party } = call;
      if (endpoint !== 'order.read' && endpoint !== 'order.quotes') continue;
      if (!isDenied(call) || !isPlainGet(call)) continue;
      const trace = view.orders.get(exchange.params.intent_id ?? '');
      if (!trace?.creation) continue;
      const { received } = trace.creation.exchange;
      if (exchange.sent <= received + tolerance.replicationLagMs) continue;
      const relation = relationOf(view, trace, party);
      if (relation !== 'sender' && relation !== 'sender-custodian') continue;
      const role = relation === 'sender' ? 'institution' : 'custodian';
      findings.fail(`access.${endpoint}.${role}-allowed`, {
        message: `${party} was refused ${endpoint} of an order of its own side`,
        expected: 'a success (2xx)',
        actual: call.status,
        evidence: [trace.creation.id, call.id],
      });
    }
  },
});

type Refused =
  | 'order.read.foreign-institution-refused'
  | 'order.read.foreign-custodian-refused'
  | 'order.quotes.foreign-institution-refused'
  | 'order.quotes.foreign-custodian-refused'
  | 'order.cancel.foreign-institution-refused'
  | 'order.cancel.receiver-custodian-refused'
  | 'quote.accept.foreign-institution-refused'
  | 'quote.accept.foreign-custodian-refused'
  | 'quote.accept.by-receiver-custodian-refused'
  | 'proposal.accept.foreign-custodian-refused'
  | 'proposal.accept.by-receiver-custodian-refused';
