import { textOf } from '../../../protocol/json.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { defineRule } from '../../findings.ts';
import { type Call, wasRefused } from '../../trace/calls.ts';
import { type Relation, relationOf } from '../../trace/event-delivery.ts';
import type { OrderTrace } from '../../trace/traces.ts';

/** 1.4, 4.2, 4.3: operations that each party may do on an order. "reads.due" judges their refusal. */
const permitted = {
  sender: { 'quote.accept': 'service.sender-accepts' },
  'sender-custodian': {
    'order.read': 'order.read.by-sender-custodian',
    'order.quotes': 'order.quotes.by-sender-custodian',
    'quote.accept': 'service.sender-custodian-accepts',
  },
  'receiver-custodian': { 'order.read': 'order.read.by-receiver-custodian' },
} as const;

/** Operations that must be refused to strangers of an order, and to the receiver's side. */
const forbidden = {
  institution: {
    'order.read': 'order.read.foreign-institution-refused',
    'order.quotes': 'order.quotes.foreign-institution-refused',
    'order.cancel': 'order.cancel.foreign-institution-refused',
    'quote.accept': 'quote.accept.foreign-institution-refused',
  },
  custodian: {
    'order.read': 'order.read.foreign-custodian-refused',
    'order.quotes': 'order.quotes.foreign-custodian-refused',
    'quote.accept': 'quote.accept.foreign-custodian-refused',
    'proposal.accept': 'proposal.accept.foreign-custodian-refused',
  },
  /** An institution that receives may be shown the order; only its sender acts on it. */
  receiver: {
    'order.cancel': 'order.cancel.foreign-institution-refused',
    'quote.accept': 'quote.accept.foreign-institution-refused',
  },
  'receiver-custodian': {
    'order.cancel': 'order.cancel.receiver-custodian-refused',
    'quote.accept': 'quote.accept.by-receiver-custodian-refused',
    'proposal.accept': 'proposal.accept.by-receiver-custodian-refused',
  },
} as const;

type IdsIn<T> = T extends string ? T : { [K in keyof T]: IdsIn<T[K]> }[keyof T];
type ById<Id extends string> = Readonly<
  Partial<Record<string, Readonly<Partial<Record<EndpointName, Id>>>>>
>;

const find = <Id extends string>(
  table: ById<Id>,
  who: string,
  { endpoint }: Call,
): Id | undefined => endpoint && table[who]?.[endpoint];

/** Fields that only the order itself shows; no request on the order names them. */
const marks = ['intent_signature', 'source_contract_id'] as const;
/** A shorter text may stand in an answer for any reason. */
const shortestMark = 8;

function shownField({ sent }: OrderTrace, { exchange: { response } }: Call): string | undefined {
  const answer = JSON.stringify(response?.body ?? response?.text ?? '');
  return marks.find((name) => {
    const mark = textOf(sent, name);
    return mark !== undefined && mark.length >= shortestMark && answer.includes(mark);
  });
}

const whyNot: Partial<Record<Relation, string>> = {
  stranger: 'has no part in the order',
  receiver: 'is only the receiver',
  'receiver-custodian': "is only the receiver's custodian",
};

/** An empty list of quotes shows nothing of a foreign order. */
const isEmptyList = ({ endpoint, ok, data }: Call): boolean =>
  ok && endpoint === 'order.quotes' && Array.isArray(data) && data.length === 0;

export const orderAccess = defineRule({
  id: 'access.relations',
  title:
    'A party reads and changes the orders that it has a part in, as far as it may, and no others',
  requirements: [
    ...new Set([
      ...idsIn<IdsIn<typeof permitted>>(permitted),
      ...idsIn<IdsIn<typeof forbidden>>(forbidden),
    ]),
  ],
  judge(view, findings) {
    for (const call of view.calls) {
      const { exchange, endpoint, party, ok, id } = call;
      if (exchange.auth !== 'own' || exchange.role === 'market-maker') continue;
      const refused = wasRefused(call);
      if (refused === undefined) continue;
      const trace = view.order(exchange.params.intent_id);
      if (!trace || isEmptyList(call)) continue;
      const relation = relationOf(view, trace, party);
      const allowed = find<IdsIn<typeof permitted>>(permitted, relation, call);
      if (allowed && ok) findings.pass(allowed, id);
      const who = relation === 'stranger' ? exchange.role : relation;
      const requirement = find<IdsIn<typeof forbidden>>(forbidden, who, call);
      if (!requirement) continue;
      const shown = ok || relation !== 'stranger' ? undefined : shownField(trace, call);
      findings.assert(requirement, refused && shown === undefined, id, () => ({
        message: shown
          ? `a refusal of ${endpoint} told ${party}, which ${whyNot[relation]}, its ${shown}`
          : `${endpoint} ${ok ? 'served' : 'did not refuse'} ${party}, which ${whyNot[relation]}`,
        ...(shown ? { fields: [shown] } : { deviation: 'let through' }),
        must: shown ? { absent: true } : { refused: '4xx' },
        actual: shown ? (exchange.response?.body ?? exchange.response?.text) : call.status,
      }));
    }
  },
});

function idsIn<Id extends string>(table: ById<Id>): Id[] {
  return Object.values(table).flatMap((row) => Object.values(row ?? {}));
}
