import { isObject, textAt, visit } from './json.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import { happened, type OrderStory } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** Words that a message may use of anybody: as the whole name of a party, perhaps numbered, they tell nothing. */
const common =
  /^(sender|receiver|institution|custodian|bank|maker|market|client|party)[\s_-]?\d*$/i;

/** The part of a party identifier that people would know it by; too short a name would be found anywhere. */
const nameIn = (partyId: string): string | undefined => {
  const name = partyId.slice(0, Math.max(0, partyId.indexOf('::')));
  return name.length >= 4 && !common.test(name) ? name : undefined;
};

const keyIn = (partyId: string): string | undefined => {
  const hex = partyId.slice(partyId.lastIndexOf('::') + 2);
  return hex.length >= 16 ? hex : undefined;
};

/** A text as addresses and opaque references carry it: anybody can read it back. */
function encodingsOf(text: string): readonly string[] {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/=+$/, '');
  return [base64, base64.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(text)];
}

/** What gives the sender's side of an order away. */
interface Secrets {
  /** Anywhere within a text, in lower case, in which a text is looked at. */
  readonly within: readonly string[];
  /** As a word of its own. */
  readonly words: readonly string[];
}

/** Names and keys that others share say nothing: parties of one participant have one key between them. */
function sharedBy(view: HistoryView, ids: readonly string[]): (part: string) => boolean {
  const others = Object.keys(view.context.cast)
    .map((name) => view.partyIdOf(name))
    .filter((id): id is string => id !== undefined && !ids.includes(id));
  const parts = new Set(others.flatMap((id) => [nameIn(id), keyIn(id)]));
  return (part) => parts.has(part);
}

const idsOf = (story: OrderStory): readonly string[] =>
  [story.senderId, story.senderCustodianId].filter(
    (id): id is string => id !== undefined && id.includes('::'),
  );

function secretsOf(view: HistoryView, ids: readonly string[]): Secrets | undefined {
  if (ids.length === 0) return undefined;
  const shared = sharedBy(view, ids);
  const unshared = (part: string | undefined): part is string =>
    part !== undefined && !shared(part);
  return {
    within: [...ids, ...ids.flatMap(encodingsOf), ...ids.map(keyIn).filter(unshared)].map((text) =>
      text.toLowerCase(),
    ),
    words: ids.map(nameIn).filter(unshared),
  };
}

/** What a name may be a part of, and tells nothing then. */
const inWord = /[\p{L}\p{N}_:-]/u;

/** Whether a name stands in a text as a word or some of its own. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!inWord.test(before) && !inWord.test(after)) return true;
  }
  return false;
}

/** Where a message gives a secret away, as a text; undefined where it does not. */
function leakIn(message: unknown, { within, words }: Secrets): string | undefined {
  let leak: string | undefined;
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    return within.some((secret) => lower.includes(secret));
  };
  visit(message, (name, value) => {
    if (has(name)) leak ??= name;
    if (typeof value !== 'string') return;
    // An identifier is somebody's in full, whoever else has a name like it.
    const named = !value.includes('::') && words.some((secret) => standsIn(value, secret));
    if (named || has(value)) leak ??= value;
  });
  return leak;
}

/** A maker that won a trade may rightly learn with whom; any other never does, nor does a winner before it won. */
const mayHaveWon = (view: HistoryView, story: OrderStory, party: string, before?: Call): boolean =>
  happened(story.acceptances).some((acceptance) => {
    if (before && precedes(before, acceptance)) return false;
    const maker = view.quotes.get(acceptance.exchange.params.quote_id ?? '')?.maker;
    return maker === undefined || maker === party;
  });

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

export const anonymity = defineRule({
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
  judge(view, tally) {
    const secrets = new Map<OrderStory, Secrets | undefined>();
    const secretsFor = (story: OrderStory): Secrets | undefined => {
      if (!secrets.has(story)) secrets.set(story, secretsOf(view, idsOf(story)));
      return secrets.get(story);
    };
    const look = (
      requirement: Requirement,
      intentId: string | undefined,
      message: unknown,
      where: { readonly source: string; readonly via: string },
    ): void => {
      const story = intentId === undefined ? undefined : view.orders.get(intentId);
      const known = story && secretsFor(story);
      if (!known) return;
      const leak = leakIn(message, known);
      tally.judge(requirement, leak === undefined, where.source, () => ({
        message: `${where.via} gave the sender's side away to a market maker`,
        expected: "nothing of the sender's or its custodian's identity",
        actual: leak,
        evidence: [where.source],
      }));
    };

    for (const { value, via, source, frame } of view.sighted('rfq')) {
      const requirement = byVia[via];
      const message = frame ? [frame.frame.data, frame.frame.eventId] : value;
      if (requirement) look(requirement, textAt(value, 'intent_id'), message, { source, via });
    }
    for (const name of ['rfq.list', 'rfq.read'] as const) {
      for (const call of view.endpoint(name)) if (call.ok) lookBeside(name, call);
    }
    for (const { value, via, source, call } of view.sighted('own-quote')) {
      const intentId = textAt(value, 'intent_id') ?? call?.exchange.params.intent_id;
      const story = view.orders.get(intentId ?? '');
      if (!story || !call || mayHaveWon(view, story, call.party, call)) continue;
      look('maker.sees-no-sender-identity', intentId, value, { source, via });
    }
    for (const { party, frames } of view.streams) {
      for (const { frame, id, intentId } of frames) {
        if (frame.event !== 'quote_request_expired' && frame.event !== 'quote_rejected') continue;
        const story = view.orders.get(intentId ?? '');
        if (!story || mayHaveWon(view, story, party)) continue;
        const where = { source: id, via: frame.event };
        look('maker.sees-no-sender-identity', intentId, frame.data, where);
      }
    }
    for (const { value, via, source, frame } of view.sighted('settlement')) {
      const intentId = textAt(value, 'intent_id') ?? frame?.intentId;
      const message = frame ? frame.frame.data : value;
      look('settlement.hides-sender-identity', intentId, message, { source, via });
    }
    for (const call of view.calls) {
      if (call.exchange.role !== 'market-maker' || call.status === undefined) continue;
      const story = view.orders.get(call.exchange.params.intent_id ?? '');
      if (!story || mayHaveWon(view, story, call.party, call)) continue;
      const { headers, text } = call.exchange.response ?? {};
      // What an answer has as its data was looked at above, item by item.
      const message = call.ok ? { headers } : { headers, body: call.body ?? text };
      const where = {
        source: call.id,
        via: `${call.ok ? 'an answer' : 'a refusal'} of ${call.endpoint}`,
      };
      look('maker.sees-no-sender-identity', story.id, message, where);
    }

    /** The answer around the requests themselves: what else is in the envelope, and the headers. */
    function lookBeside(via: 'rfq.list' | 'rfq.read', call: Call): void {
      const around = isObject(call.body) ? { ...call.body, data: undefined } : {};
      const message = { ...around, headers: call.exchange.response?.headers };
      const seen = new Set<string>();
      for (const item of [call.data].flat()) {
        const intentId = textAt(item, 'intent_id');
        const story = view.orders.get(intentId ?? '');
        const pair = `${story?.senderId} ${story?.senderCustodianId}`;
        if (!story || seen.has(pair)) continue;
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
  judge(view, tally) {
    for (const call of view.endpoint('stats.read')) {
      if (!call.ok || !call.own || call.exchange.role !== 'market-maker') continue;
      const stories = [...view.orders.values()].filter(
        ({ creation }) => creation && precedes(creation, call),
      );
      const traded = new Set(
        stories.filter((story) => mayHaveWon(view, story, call.party, call)).flatMap(idsOf),
      );
      const ids = [...new Set(stories.flatMap(idsOf))].filter((id) => !traded.has(id));
      const secrets = secretsOf(view, ids);
      if (!secrets) continue;
      const leak = leakIn(call.data, secrets);
      tally.judge('stats.read.hides-sender-identity', leak === undefined, call.id, () => ({
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

export const particulars = defineRule({
  id: 'privacy.particulars',
  title: 'A request shows none of the particulars that could point to its sender',
  requirements: ['rfq.hides-order-particulars'],
  judge(view, tally) {
    for (const { value, source, via, frame } of view.sighted('rfq')) {
      const story = view.orders.get(textAt(value, 'intent_id') ?? '');
      const sent = story?.sent;
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
      tally.judge('rfq.hides-order-particulars', leak === undefined, source, () => ({
        message: `${via} showed the ${leak} of an order to a market maker`,
        actual: leak,
        evidence: [source],
      }));
    }
  },
});
