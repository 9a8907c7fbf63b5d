import { orderBody } from '../protocol/order-body.ts';
import { quoteBody, wholeAmount } from '../protocol/quote-body.ts';
import type { Random } from '../random/random.ts';
import { endpoints, type EndpointName, type PathParams } from '../spec/endpoints.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { What } from './line-entry.ts';
import { type Act, actions } from './view/messages.ts';
import type { Board } from './view/board.ts';

const custodianOf: Partial<Record<CastName, CastName>> = { outsider: 'outsider_custodian' };

const usualValiditySeconds = 30;

type Call = Extract<What, { readonly what: 'call' }>;

/** Context of a person's action. */
export interface Surroundings {
  readonly target: OpenedTarget;
  readonly board: Board;
  readonly now: number;
  /** Source of values that must be new in each order. */
  readonly random: Random;
}

/** The call of a party for a person's action; a text explains why there is none. */
export function callOf(act: Act, around: Surroundings): Call | string {
  const { target } = around;
  const party = castNames.find((name) => name === act.party && target.parties[name]);
  if (!party) return `no party is called ${JSON.stringify(act.party)}`;
  if (!Object.hasOwn(actions, act.action)) return `nobody can ${JSON.stringify(act.action)}`;
  const { endpoint } = actions[act.action];
  const { path } = endpoints[endpoint];
  const given = { intent_id: act.order, quote_id: act.quote };
  const params: PathParams = {};
  for (const [name, what] of [
    ['intent_id', 'an order'],
    ['quote_id', 'a quote'],
  ] as const) {
    if (!path.includes(`{${name}}`)) continue;
    const id = given[name];
    if (!id) return `${act.action}: choose ${what}`;
    Object.assign(params, { [name]: id });
  }
  const body = bodyOf(endpoint, act, party, around);
  return { what: 'call', party, endpoint, params, ...(body && { body }) };
}

function bodyOf(
  endpoint: EndpointName,
  act: Act,
  party: CastName,
  around: Surroundings,
): Readonly<Record<string, unknown>> | undefined {
  if (endpoint === 'order.create') return newOrder(act, party, around);
  return endpoint === 'quote.submit' ? newQuote(act, around) : undefined;
}

function newOrder({ fields = {} }: Act, party: CastName, { target, random }: Surroundings) {
  const idOf = (name: CastName): string | undefined =>
    target.parties[name] && target.party(name, 'cockpit').partyId;
  return orderBody({
    hex: (digits) => random.hex(digits),
    senderCustodian: idOf(custodianOf[party] ?? 'sender_custodian'),
    receiver: idOf(party === 'outsider' ? 'sender' : 'outsider'),
    receiverCustodian: idOf('receiver_custodian'),
    defaults: { memo: 'by hand', source_amount_max: '1200.00', ...target.orderDefaults },
    changes: fields,
  });
}

function newQuote({ fields = {}, order = '' }: Act, { target, board, now }: Surroundings) {
  const { valid_for: validFor, ...rest } = fields;
  const rate = rest['fx_rate'] ?? '1';
  const known = board.orders.get(order.toLowerCase())?.facts.target_amount;
  const amount = rest['target_amount'] ?? wholeAmount(known ?? '0', rate, target.answers);
  const seconds = validFor === undefined ? usualValiditySeconds : Number(validFor);
  const until = now + Math.round((Number.isFinite(seconds) ? seconds : 0) * 1_000);
  return { ...quoteBody(rate, amount, until), ...rest };
}
