import { relationOf } from './audience.ts';
import { textAt } from './json.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied, isRefusal } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import type { OrderStory } from './view/stories.ts';

export const relations = defineRule({
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
  judge(view, tally) {
    const tempted = new Map<string, number>();
    for (const sighting of view.sighted('order')) {
      if (sighting.via === 'order.list') judgeListed(sighting);
    }
    for (const call of view.calls) {
      if (call.exchange.auth !== 'own' || call.status === undefined) continue;
      if (call.exchange.role === 'market-maker' || (!call.ok && !isRefusal(call))) continue;
      const story = view.orders.get(call.exchange.params.intent_id ?? '');
      if (!story) continue;
      const relation = relationOf(view, story, call.party);
      if (relation === 'stranger') judgeStranger(story, call);
      else if (relation === 'receiver-custodian') judgeReceiver(call);
      else if (call.ok && relation === 'sender-custodian') {
        if (call.endpoint === 'order.read') tally.pass('order.read.by-sender-custodian', call.id);
        if (call.endpoint === 'order.quotes')
          tally.pass('order.quotes.by-sender-custodian', call.id);
        if (call.endpoint === 'quote.accept')
          tally.pass('service.sender-custodian-accepts', call.id);
      } else if (call.ok && relation === 'sender' && call.endpoint === 'quote.accept') {
        tally.pass('service.sender-accepts', call.id);
      }
    }

    /** Whether there was an order of strangers that a party's list could have held by mistake. */
    function temptation(party: string): number {
      const known = tempted.get(party);
      if (known !== undefined) return known;
      let first = Number.POSITIVE_INFINITY;
      for (const story of view.orders.values()) {
        const { creation } = story;
        if (!creation || creation.close >= first) continue;
        if (relationOf(view, story, party) === 'stranger') first = creation.close;
      }
      tempted.set(party, first);
      return first;
    }

    function judgeListed(sighting: Sighting): void {
      const story = view.orders.get(textAt(sighting.value, 'intent_id') ?? '');
      if (!story) return;
      const relation = relationOf(view, story, sighting.party);
      if (relation === 'unknown' || relation === 'receiver') return;
      if (relation !== 'stranger' && temptation(sighting.party) > sighting.open) return;
      const requirement =
        sighting.role === 'institution' ? 'order.list.own-only' : 'order.list.custodied-only';
      tally.judge(requirement, relation !== 'stranger', sighting.source, () => ({
        message: `the list of ${sighting.party} held an order that it has no part in`,
        actual: story.id,
        evidence: [sighting.source],
      }));
    }

    function judgeStranger(story: OrderStory, call: Call): void {
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
        const told = call.ok ? undefined : toldOf(story, call);
        if (told === undefined) return judgeRefused(requirement, call, 'has no part in the order');
        tally.fail(requirement, {
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
        tally.pass('order.read.by-receiver-custodian', call.id);
      } else if (call.endpoint === 'quote.accept') {
        judgeRefused('quote.accept.by-receiver-custodian-refused', call, why);
      } else if (call.endpoint === 'proposal.accept') {
        judgeRefused('proposal.accept.by-receiver-custodian-refused', call, why);
      } else if (call.endpoint === 'order.cancel') {
        judgeRefused('order.cancel.receiver-custodian-refused', call, why);
      }
    }

    function judgeRefused(requirement: Refused, call: Call, why: string): void {
      tally.judge(requirement, !call.ok, call.id, () => ({
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
function toldOf({ sent }: OrderStory, { exchange: { response } }: Call): string | undefined {
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

export const ownSide = defineRule({
  id: 'access.own-side',
  title: "An order's own side is never refused it, nor its quotes",
  requirements: [
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'access.order.quotes.institution-allowed',
    'access.order.quotes.custodian-allowed',
  ],
  judge(view, tally) {
    for (const call of view.calls) {
      const { endpoint, exchange, party } = call;
      if (endpoint !== 'order.read' && endpoint !== 'order.quotes') continue;
      if (!isDenied(call) || !isPlainGet(call)) continue;
      const story = view.orders.get(exchange.params.intent_id ?? '');
      if (!story?.creation) continue;
      const { received } = story.creation.exchange;
      if (exchange.sent <= received + patience.betweenParties) continue;
      const relation = relationOf(view, story, party);
      if (relation !== 'sender' && relation !== 'sender-custodian') continue;
      const role = relation === 'sender' ? 'institution' : 'custodian';
      tally.fail(`access.${endpoint}.${role}-allowed`, {
        message: `${party} was refused ${endpoint} of an order of its own side`,
        expected: 'a success (2xx)',
        actual: call.status,
        evidence: [story.creation.id, call.id],
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
