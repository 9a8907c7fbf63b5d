import type { CallOptions, Credential, GapAnswers, Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import { succeeded } from '../../protocol/answers.ts';
import { orderBody } from '../../protocol/order-body.ts';
import { quoteBody, wholeAmount } from '../../protocol/quote-body.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { OrderRequest } from '../../spec/resources.ts';
import { answerOf, endpointFor } from '../language/actions.ts';
import type { ActStep } from '../language/steps/act.ts';
import { answerText, answerValue } from './answers.ts';
import { evaluate, fieldOf, valueOf } from './evaluate.ts';
import { end, fail } from './halt.ts';
import { note, type Session, type StepContext } from './session.ts';
import { asText, nothing, toWire, type Value } from './values.ts';
import { type Entry, parseDuration } from '../../yaml/index.ts';
import type { Arg, Located } from '../language/arg.ts';

/** Sends the request of a step, and logs it. */
export async function perform(step: ActStep, party: Party, ctx: StepContext): Promise<Exchange> {
  const { session } = ctx;
  const name = step.action.value;
  const endpoint = endpointFor(name, party.role);
  const options = optionsFor(step, ctx);
  const everything = step.page?.kind === 'plain' && step.page.value === 'all';
  const ask = (endpointName: EndpointName, page = {}): Promise<Exchange> =>
    party.call(endpointName, { ...options, query: { ...options.query, ...page } });
  const exchange = endpoint
    ? await (everything
        ? allPages((page) => ask(endpoint, page), session.target.answers)
        : ask(endpoint))
    : await party.send(step.method?.value ?? 'GET', pathOf(step, ctx), options);
  session.slowestMs = Math.max(session.slowestMs, exchange.received - exchange.sent);
  noteAction(step, exchange, session);
  if (endpoint === 'order.create') await created(step, exchange, ctx);
  return exchange;
}

/** Logs an action. `exchange`: absent if the action sent no request. */
export const noteAction = (
  { at, party, action }: ActStep,
  exchange: Exchange | undefined,
  session: Session,
): void =>
  note(session, {
    at,
    party,
    says: action.value,
    ...(exchange && { outcome: answerText(exchange), exchange: exchange.id }),
  });

/** Registers a new order as one of this scenario, and applies the faults that wait for it. */
async function created(step: ActStep, exchange: Exchange, { session }: StepContext): Promise<void> {
  const type = answerOf('create order', 'institution');
  const order = answerValue(exchange, type, session.target.answers);
  const id = fieldOf(order, 'intent_id');
  if (!succeeded(exchange) || id.kind !== 'text') return;
  session.orders.set(id.text, step.party);
  const pending = session.pending.splice(0);
  if (pending.length > 0) session.disturbed.add(id.text);
  for (const { call } of pending) await call?.(id.text);
  if (session.opensRequests) await openRequest(id.text, session);
}

/**
 * Accepts the proposal for a flow that never mentions proposals. Some targets allow quotes on an order, or the
 * acceptance of a quote, only after that (gap `proposal.effect`).
 */
async function openRequest(intentId: string, session: Session): Promise<void> {
  if (!tradeAwaitsProposal(session.target.answers.get('proposal.effect'))) return;
  if (!session.target.parties.sender_custodian) return;
  const custodian = session.party('sender_custodian');
  const exchange = await custodian.call('proposal.accept', { params: { intent_id: intentId } });
  note(session, {
    party: custodian.name,
    says: 'accept proposal, so that the order may be traded',
    outcome: answerText(exchange),
    exchange: exchange.id,
  });
}

function pathOf(step: ActStep, ctx: StepContext): string {
  const text = step.path ? asText(valueOf(step.path, ctx)) : '/';
  return text.startsWith('/') ? text : `/${text}`;
}

function optionsFor(step: ActStep, ctx: StepContext): CallOptions {
  const texts = (entries: ActStep['query']): Record<string, string> =>
    Object.fromEntries((entries ?? []).map(({ key, value }) => [key, asText(valueOf(value, ctx))]));
  const query = { ...texts(step.where), ...texts(step.query), ...paging(step, ctx) };
  const body = bodyFor(step, ctx);
  const credential = credentialFor(step, ctx);
  return {
    ...(endpointFor(step.action.value, ctx.session.party(step.party).role) && {
      params: paramsFor(step, ctx),
    }),
    query,
    ...(body !== undefined && { body }),
    ...(step.raw_body && { rawBody: asText(valueOf(step.raw_body, ctx)) }),
    ...(step.headers && { headers: texts(step.headers) }),
    ...(credential && { credential }),
  };
}

function bodyFor(step: ActStep, ctx: StepContext): unknown {
  if (step.action.value === 'create order') return bodyOfOrder(step, ctx);
  if (step.action.value === 'submit quote' && step.for) {
    return bodyOfQuote(step, evaluate(step.for, ctx), ctx);
  }
  return step.body && toWire(valueOf(step.body, ctx));
}

function paramsFor(step: ActStep, ctx: StepContext): PathParams {
  const order = step.of ?? step.for ?? step.quote;
  return {
    ...(order && { intent_id: idIn(order, 'intent_id', ctx) }),
    ...(step.quote && { quote_id: idIn(step.quote, 'quote_id', ctx) }),
  };
}

/** The id itself, or the id in a saved value. */
export function idIn(located: Located, field: string, ctx: StepContext): string {
  const value = evaluate(located, ctx);
  if (value.kind === 'text') return value.text;
  const id = fieldOf(value, field);
  if (id.kind === 'text') return id.text;
  if (ctx.session.refusals.has(value))
    end('inconclusive', `the request whose answer is $${located.source} was refused`);
  return fail(located.at, `$${located.source} carries no ${field}`);
}

/** The language counts pages from 1; the target may count from another number on the wire. */
function pageQuery(
  page: number,
  size: number | undefined,
  answers: GapAnswers,
): Record<string, string> {
  const name = answers.get('list.page_param') ?? 'page';
  const first = answers.get('list.first_page') === '0' ? 0 : 1;
  return { [name]: String(name === 'offset' ? (page - 1) * (size ?? 20) : page - 1 + first) };
}

function paging(step: ActStep, ctx: StepContext): Record<string, string> {
  const { answers } = ctx.session.target;
  const number = (arg: ActStep['page']): number | undefined => {
    const value = arg && valueOf(arg, ctx);
    const wire = value && toWire(value);
    return typeof wire === 'number' ? wire : undefined;
  };
  const page = number(step.page);
  const size = number(step.page_size);
  return {
    ...(size !== undefined && {
      [answers.get('list.page_size_param') ?? 'page_size']: String(size),
    }),
    ...(page !== undefined && pageQuery(page, size, answers)),
  };
}

const mostPages = 500;
type Listed = { readonly data?: unknown; readonly pagination?: Readonly<Record<string, unknown>> };
const listed = ({ response }: Exchange): Listed => (response?.body ?? {}) as Listed;

/** Reads all pages as one answer: the first answer, with the items of all. */
async function allPages(
  ask: (page?: Readonly<Record<string, string>>) => Promise<Exchange>,
  answers: GapAnswers,
): Promise<Exchange> {
  const first = await ask();
  const { data, pagination } = listed(first);
  const total = pagination?.['total_items'];
  if (!succeeded(first) || !Array.isArray(data) || typeof total !== 'number') return first;
  const items: unknown[] = [...(data as unknown[])];
  for (let page = 2; items.length < total && page <= mostPages; page += 1) {
    const next = await ask(pageQuery(page, data.length, answers));
    const more = listed(next).data;
    if (!succeeded(next)) return next;
    if (!Array.isArray(more) || more.length === 0) break;
    for (const item of more as unknown[]) items.push(item);
  }
  const { response } = first;
  return response
    ? { ...first, response: { ...response, body: { ...listed(first), data: items } } }
    : first;
}

export function credentialFor(step: ActStep, ctx: StepContext): Credential | undefined {
  if (!step.token) return undefined;
  const value = valueOf(step.token, ctx);
  const token = value.kind === 'text' ? value.text : toWire(fieldOf(value, 'token'));
  if (token === 'none') return { label: 'none' };
  const label = step.token.kind === 'expr' ? `$${step.token.expr.source}` : 'as written';
  return { label, token: String(token) };
}

type Body = Record<string, unknown>;

/** Default fields of orders in a scenario. A target may require a memo (gap `order.required_fields`). */
const usualFields = { source_amount_max: '1200.00', memo: 'played by assay' };
const defaultValidForMs = 30_000;

const custodianOf: Partial<Record<CastName, CastName>> = {
  sender: 'sender_custodian',
  outsider: 'outsider_custodian',
};

/** Body of an order: fields of the step first, then of the target's file, then of the cast and of random draws. */
function bodyOfOrder(step: ActStep, ctx: StepContext): Body {
  const { session } = ctx;
  const { target } = session;
  const random = session.random.fork(`order ${session.orders.size} ${step.at.line}`);
  const idOf = (name: CastName): string | undefined =>
    target.parties[name] ? session.party(name).partyId : undefined;
  const custodians = {
    sender_custodian_party_id:
      idOf(custodianOf[step.party] ?? 'sender_custodian') ?? idOf('sender_custodian'),
    receiver_custodian_party_id: idOf('receiver_custodian'),
  };
  const controls = session.pending.reduce<Body>((all, { fields }) => ({ ...all, ...fields }), {});
  const receiver = session.receivers[step.party];
  const body = orderBody({
    hex: (digits, field) => random.fork(field).hex(digits),
    senderCustodian: undefined,
    receiver: receiver && idOf(receiver),
    receiverCustodian: undefined,
    // No custodian is made up: a scenario that needs one is out of scope if there is none.
    defaults: { ...usualFields, ...custodians, ...target.orderDefaults },
    changes: { ...textsFrom(step.with, ctx), ...controls },
  });
  const lacking = fieldsOf(OrderRequest).find(
    ({ name }) => name in body && body[name] === undefined,
  );
  if (lacking && !step.without?.some(({ value }) => value === lacking.name)) {
    end('out_of_scope', `the target declares no party for ${lacking.name}, and no default of it`);
  }
  return finished(body, step, ctx);
}

function bodyOfQuote(step: ActStep, quoted: Value, ctx: StepContext): Body {
  const { timeline } = ctx.session.target;
  const given = textsFrom(step.with, ctx);
  const { valid_for: validFor, ...rest } = given;
  const ms = typeof validFor === 'string' ? parseDuration(validFor) : undefined;
  const rate = asWord(rest['fx_rate'] ?? '1');
  const amount = rest['target_amount'] ?? defaultAmount(step, quoted, rate, ctx.session);
  const usual = quoteBody(rate, amount, timeline.now() + (ms ?? defaultValidForMs));
  const body = { ...usual, valid_until: rest['valid_until'] ?? usual['valid_until'] };
  return finished(body, step, ctx);
}

const asWord = (wire: unknown): string => (typeof wire === 'string' ? wire : JSON.stringify(wire));

/** The whole amount of the order, in the currency that this target expects. */
function defaultAmount(step: ActStep, quoted: Value, rate: string, session: Session): unknown {
  const amount = fieldOf(quoted, 'target_amount');
  if (amount === nothing || amount.kind !== 'decimal') {
    const named = step.without?.some(({ value }) => value === 'target_amount');
    if (named) return '0';
    const message = 'the amount to quote is not known from what "for" names; say target_amount';
    return fail(step.for?.at ?? step.at, message);
  }
  return wholeAmount(asText(amount), rate, session.target.answers);
}

/** Fields of a body by the document, where all are strings: `${n * 10}` as an amount is sent as "10". */
const textsFrom = (entries: readonly Entry<Arg>[] | undefined, ctx: StepContext): Body =>
  Object.fromEntries(
    Object.entries(fieldsFrom(entries, ctx)).map(([key, wire]) => [
      key,
      typeof wire === 'number' ? String(wire) : wire,
    ]),
  );

const fieldsFrom = (entries: readonly Entry<Arg>[] | undefined, ctx: StepContext): Body =>
  Object.fromEntries((entries ?? []).map(({ key, value }) => [key, toWire(valueOf(value, ctx))]));

function finished(body: Body, step: ActStep, ctx: StepContext): Body {
  const left = new Set((step.without ?? []).map(({ value }) => value));
  const kept = Object.entries(body).filter(([key, value]) => !left.has(key) && value !== undefined);
  return { ...Object.fromEntries(kept), ...fieldsFrom(step.as_is, ctx) };
}
