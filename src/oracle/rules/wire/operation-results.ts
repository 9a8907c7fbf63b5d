import { groupBy } from '../../../history/group-by.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isObject, isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { acceptanceFields, chosenFields } from '../../../spec/requirements/index.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, wronglyRefused } from '../../trace/calls.ts';
import { isOrderState, type Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective } from '../../trace/traces.ts';

const sameId = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.toLowerCase() === b?.toLowerCase();

/** True if the answer shows every field that was sent for an order. Other rules judge their values. */
const showsAllOf = (data: JsonObject, sent: JsonObject = {}): boolean =>
  chosenFields.every((name) => {
    const isText = typeof sent[name] === 'string' && sent[name] !== '';
    return !isText || isSet(data[name]);
  });

/** Conditions for an answer to be the result that its endpoint returns; the form of its fields is judged elsewhere. */
const returned = {
  'order.create': [
    'order.create.returns-order',
    (data, { sent }) => isSet(data['intent_id']) && isSet(data['status']) && showsAllOf(data, sent),
  ],
  'token.create': [
    'token.create.returns-token-result',
    (data) => isSet(data['token']) && isSet(data['role']),
  ],
  'identity.read': [
    'identity.read.returns-identity',
    (data) => isSet(data['party_id']) && isSet(data['role']),
  ],
  'stats.read': ['stats.read.returns-object', () => true],
  'order.read': [
    'order.intent-id.unchanged',
    (data, { exchange }) => {
      const id = textOf(data, 'intent_id');
      return id === undefined || sameId(id, exchange.params.intent_id);
    },
  ],
} as const satisfies Record<string, readonly [string, (data: JsonObject, call: Call) => boolean]>;

const operationsReturnTheirResults = defineRule({
  id: 'answers',
  title: 'Each operation returns what the endpoint tables say, for the order that was asked for',
  requirements: [
    ...Object.values(returned).map(([requirement]) => requirement),
    'quote.accept.returns-order',
  ],
  judge(view, findings) {
    for (const endpoint of Object.keys(returned) as (keyof typeof returned)[]) {
      const [requirement, fits] = returned[endpoint];
      for (const call of view.endpoint(endpoint)) {
        if (!call.ok || !call.own) continue;
        const holds = isObject(call.data) && fits(call.data, call);
        findings.assert(requirement, holds, call.id, () => ({
          message: `${endpoint} did not return its result`,
          expected: endpoint === 'order.create' ? call.sent : call.exchange.params,
          actual: call.data ?? null,
        }));
      }
    }
    for (const call of view.endpoint('quote.accept')) {
      if (!call.ok || !call.own || call.exchange.role !== 'institution') continue;
      const { intent_id } = call.exchange.params;
      const holds =
        sameId(textOf(call.data, 'intent_id'), intent_id) &&
        isOrderState(textOf(call.data, 'status'));
      findings.assert('quote.accept.returns-order', holds, call.id, () => ({
        message: 'the acceptance of a quote did not return its order',
        expected: intent_id,
        actual: call.data ?? null,
      }));
    }
  },
});

const custodianAnswerAgrees = defineRule({
  id: 'answers.custodian-acceptance',
  title: 'What answers a custodian that accepts a quote is what the order shows then',
  requirements: ['quote.accept.custodian-answer-agrees'],
  judge(view, findings) {
    for (const call of view.endpoint('quote.accept')) {
      if (!call.ok || !call.own || call.exchange.role === 'institution') continue;
      const trace = view.order(call.exchange.params.intent_id);
      for (const field of acceptanceFields) {
        const answered = isObject(call.data) ? call.data[field] : undefined;
        const read = trace?.snapshots.find(
          ({ resource, whole, value }) => resource === 'order' && whole && isSet(value[field]),
        );
        if (!isSet(answered) || !read) continue;
        const holds = equalValues(field, read.value[field], answered);
        findings.assert('quote.accept.custodian-answer-agrees', holds, call.id, () => ({
          message: `${field} in the answer to a custodian was not what the order shows`,
          fields: [field],
          expected: read.value[field],
          actual: answered,
          evidence: [call.id, read.source],
        }));
      }
    }
  },
});

export const acceptanceNeedsNoBody = defineRule({
  id: 'answers.acceptance-without-body',
  title: 'A quote can be accepted without a body',
  requirements: ['quote.accept.no-body-needed'],
  judge(view, findings) {
    for (const { acceptances, submission } of view.quotes.values()) {
      const granted = acceptances.find((call) => call.ok && call.own);
      if (!granted) continue;
      const hasBody = ({ exchange }: Call): boolean => exchange.request.body !== undefined;
      if (!hasBody(granted)) {
        findings.pass('quote.accept.no-body-needed', granted.id);
        continue;
      }
      // Until then the backend of who accepts may not know of the quote (gap `views.lag`).
      const known = (submission?.exchange.received ?? Infinity) + tolerance.replicationLagMs;
      const refused = acceptances.find(
        (call) =>
          call.party === granted.party &&
          isDenied(call) &&
          !hasBody(call) &&
          call.exchange.sent >= known &&
          call.exchange.received <= granted.exchange.sent,
      );
      if (!refused) continue;
      findings.fail('quote.accept.no-body-needed', {
        message: 'a quote was accepted with a body, and was refused to the same party without one',
        ...wronglyRefused(refused),
        evidence: [refused.id, granted.id],
      });
    }
  },
});

const assigned = [
  ['order.create', 'intent_id', 'order.create.assigns-intent-id'],
  ['quote.submit', 'quote_id', 'quote.quote-id.unique'],
] as const;

/** `order.creation` and `quote.submission` judge that each answer has an id, and that ids differ. */
const serviceAssignedIds = defineRule({
  id: 'answers.assigned-ids',
  title: 'The ids of orders and quotes are assigned by the service, whatever was sent for them',
  requirements: assigned.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const [endpoint, field, requirement] of assigned) {
      for (const call of view.endpoint(endpoint)) {
        const sent = textOf(call.sent, field);
        const shown = textOf(call.data, field);
        if (!call.ok || !call.own || sent === undefined || shown === undefined) continue;
        const isOwn = shown.toLowerCase() !== sent.toLowerCase();
        findings.assert(requirement, isOwn, call.id, () => ({
          message: `${field} in the answer to ${endpoint} was the one that was sent with it`,
          must: { words: 'an id that the service assigned' },
          actual: shown,
        }));
      }
    }
  },
});

/** A repeated id may mean that the later quote replaced the earlier (gap `quote.twice`), but not if both are listed. */
const eachQuoteItsOwnId = defineRule({
  id: 'answers.one-id-each',
  title: 'Two quotes of one maker that both stand were answered with two ids',
  requirements: ['quote.quote-id.unique'],
  judge(view, findings) {
    for (const { submissions, quotes } of view.orders.values()) {
      const taken = possiblyEffective(submissions);
      for (const [maker, calls] of groupBy(taken, ({ party }) => party)) {
        const ids = calls.map(({ data }) => textOf(data, 'quote_id'));
        const repeated = calls.find((_, index) => ids.indexOf(ids[index]) < index);
        const self = view.partyIdOf(maker);
        if (!repeated || self === undefined || ids.includes(undefined)) continue;
        const isOfMaker = ({ via, value }: Snapshot): boolean =>
          via === 'order.quotes' && textOf(value, 'market_maker_party_id') === self;
        const other = quotes.find(
          ({ id, snapshots }) => !ids.includes(id) && snapshots.some(isOfMaker),
        );
        if (!other) continue;
        findings.fail('quote.quote-id.unique', {
          message: 'a quote was answered with the id of another that stands beside it',
          expected: other.id,
          actual: textOf(repeated.data, 'quote_id'),
          evidence: [repeated.id, ...other.snapshots.slice(0, 1).map(({ source }) => source)],
        });
      }
    }
  },
});

export const resultRules = [
  operationsReturnTheirResults,
  custodianAnswerAgrees,
  acceptanceNeedsNoBody,
  serviceAssignedIds,
  eachQuoteItsOwnId,
];
