import { endpoints } from '../spec/endpoints.ts';
import {
  accessRequirement,
  guardedEndpoints,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../spec/requirements/index.ts';
import { roles } from '../spec/words.ts';
import { relationOf } from './audience.ts';
import { textAt } from './json.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied, isRefusal, kindOf } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { type OrderStory, stateOf } from './view/stories.ts';

const isGuarded = (call: Call): boolean =>
  call.endpoint !== undefined && endpoints[call.endpoint].roles.length > 0;

/**
 * What a check may send in place of a party's own token, by how its label begins. Any other label ("of maker_a",
 * "minted ...") says nothing of whether the token is good.
 */
export const badTokens = [
  'none',
  'forged',
  'tampered',
  'altered',
  'malformed',
  'unsigned',
  'foreign key',
] as const;
export const expiredTokens = 'expired';

const isBad = (label: string): boolean => badTokens.some((start) => label.startsWith(start));

export const roleAccess = defineRule({
  id: 'access.roles',
  title: 'No endpoint serves a role that it is not for',
  requirements: guardedEndpoints.flatMap((endpoint) =>
    roles.map((role) => accessRequirement(endpoint, role)),
  ),
  judge(view, tally) {
    for (const call of view.calls) {
      if (!isGuarded(call) || call.exchange.auth !== 'own' || call.status === undefined) continue;
      const endpoint = call.endpoint as GuardedEndpoint;
      const { role } = call.exchange;
      const admitted: readonly string[] = endpoints[endpoint].roles;
      const requirement = accessRequirement(endpoint, role);
      if (admitted.includes(role)) {
        // That a request was refused may have any reason; that it was served shows the role may.
        if (call.ok) tally.pass(requirement, call.id);
        continue;
      }
      if (!call.ok && !isRefusal(call)) continue;
      tally.judge(requirement, !call.ok, call.id, () => ({
        message: `${endpoint} served a ${role}`,
        expected: 'a 4xx status',
        actual: call.status,
        evidence: [call.id],
      }));
    }
  },
});

export const tokens = defineRule({
  id: 'access.tokens',
  title: 'No endpoint but two serves a request without a good token, and an expired one gets 401',
  requirements: [
    ...guardedEndpoints.map(tokenRequirement),
    'auth.forged-signature-refused',
    'auth.expired-token-401',
    'auth.stream.bad-token-refused',
    'token.create.no-token-needed',
    'health.read.no-token-needed',
    'auth.fresh-token-accepted',
  ],
  judge(view, tally) {
    for (const call of view.calls) {
      const { auth } = call.exchange;
      if (call.status === undefined || call.endpoint === undefined) continue;
      if (!isGuarded(call)) {
        if (call.ok && auth === 'none') {
          const requirement =
            call.endpoint === 'health.read'
              ? 'health.read.no-token-needed'
              : 'token.create.no-token-needed';
          tally.pass(requirement, call.id);
        }
        continue;
      }
      if (auth === 'own') {
        if (call.ok) tally.pass('auth.fresh-token-accepted', call.id);
        continue;
      }
      if (auth.startsWith(expiredTokens)) judgeExpired(call);
      else if (isBad(auth)) judgeBad(call, auth);
    }

    function judgeExpired(call: Call): void {
      // How a stream is authenticated is open: of it only the refusal is certain.
      const holds = kindOf(call) === 'stream' ? !call.ok : call.status === 401;
      // Neither a 429 nor a 5xx has looked at the token.
      if (!holds && !call.ok && !isRefusal(call)) return;
      // A backend may have no more endpoints than those of its role (gap `access.wrong_role`).
      const allowed: readonly string[] = endpoints[call.endpoint ?? 'health.read'].roles;
      const missing = [404, 405, 501].includes(call.status ?? 0);
      if (missing && !allowed.includes(call.exchange.role)) return;
      tally.judge('auth.expired-token-401', holds, call.id, () => ({
        message: `${call.endpoint} answered ${call.status} to an expired token`,
        expected: 401,
        actual: call.status,
        evidence: [call.id],
      }));
    }

    function judgeBad(call: Call, label: string): void {
      if (!call.ok && !isRefusal(call)) return;
      const endpoint = call.endpoint as GuardedEndpoint;
      const requirements: RequirementId[] = [];
      if (label === 'none') requirements.push(tokenRequirement(endpoint));
      else if (kindOf(call) === 'stream') requirements.push('auth.stream.bad-token-refused');
      else requirements.push('auth.forged-signature-refused');
      for (const requirement of requirements) {
        tally.judge(requirement as 'auth.forged-signature-refused', !call.ok, call.id, () => ({
          message: `${endpoint} served a request whose token was ${label}`,
          expected: 'a 4xx status',
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
  },
});

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

export const makerAccess = defineRule({
  id: 'access.makers',
  title: 'A market maker sees its own quotes and the settlements that it won, and no others',
  requirements: [
    'quote.list.own-only',
    'rfq.quotes.own-only',
    'settlement.list.won-only',
    'settlement.read.foreign-maker-refused',
  ],
  judge(view, tally) {
    const submissions = view.endpoint('quote.submit').filter((call) => call.ok);
    const firstForeign = (party: string): number =>
      submissions.find((call) => call.party !== party)?.close ?? Number.POSITIVE_INFINITY;
    const firstWon = new Map<string, number>();
    for (const story of view.orders.values()) {
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      const winner = settled && textAt(settled.value, 'market_maker_party_id');
      if (!settled || winner === undefined) continue;
      firstWon.set(winner, Math.min(settled.close, firstWon.get(winner) ?? settled.close));
    }
    for (const { value, via, source, party, open } of view.sighted('own-quote')) {
      if (via !== 'quote.list' && via !== 'rfq.quotes') continue;
      const quote = view.quotes.get(textAt(value, 'quote_id') ?? '');
      const owner = textAt(value, 'market_maker_party_id');
      const self = view.partyIdOf(party);
      const foreign =
        (quote?.maker !== undefined && quote.maker !== party) ||
        (owner !== undefined && self !== undefined && owner !== self);
      if (quote?.maker === undefined && owner === undefined) continue;
      // Without another maker's quote there was nothing to show by mistake.
      const tempted = firstForeign(party) < open;
      if (!foreign && !tempted) continue;
      tally.judge(`${via}.own-only`, !foreign, source, () => ({
        message: `${party} was shown another maker's quote`,
        expected: `quotes of ${party} only`,
        actual: owner ?? quote?.maker,
        evidence: [source],
      }));
    }
    for (const { value, via, source, party, open } of view.sighted('settlement')) {
      const story = view.orders.get(textAt(value, 'intent_id') ?? '');
      const winnerId = story?.sightings
        .map((seen) => textAt(seen.value, 'market_maker_party_id'))
        .find((id) => id !== undefined);
      const self = view.partyIdOf(party);
      if (winnerId === undefined || self === undefined) continue;
      if (via !== 'settlement.list' && via !== 'settlement.read') continue;
      const tempted = [...firstWon].some(([winner, close]) => winner !== self && close < open);
      if (winnerId === self && !tempted) continue;
      const requirement =
        via === 'settlement.list'
          ? 'settlement.list.won-only'
          : 'settlement.read.foreign-maker-refused';
      tally.judge(requirement, winnerId === self, source, () => ({
        message: `${party} was shown a settlement that it did not win`,
        expected: winnerId,
        actual: self,
        evidence: [source],
      }));
    }
    for (const call of view.endpoint('settlement.read')) {
      const story = view.orders.get(call.exchange.params.intent_id ?? '');
      const winner = story?.quotes.find((quote) => quote.acceptances.some(({ ok }) => ok))?.maker;
      if (winner === undefined || winner === call.party || !isRefusal(call)) continue;
      if (call.exchange.role === 'market-maker')
        tally.pass('settlement.read.foreign-maker-refused', call.id);
    }
  },
});
