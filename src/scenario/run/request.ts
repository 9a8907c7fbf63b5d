import type { GapAnswers, CallOptions, Credential, Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import { succeeded } from '../../protocol/answers.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';
import { answerOf, endpointFor } from '../language/actions.ts';
import type { ActStep } from '../language/steps/act.ts';
import type { Located } from '../language/reader.ts';
import { answerValue, answerText } from './answers.ts';
import { orderBody, quoteBody } from './bodies.ts';
import { evaluate, fieldOf, valueOf } from './evaluate.ts';
import { fail } from './halt.ts';
import { note, type StepContext } from './session.ts';
import { asText, toWire } from './values.ts';

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
  note(session, {
    at: step.at,
    party: step.party,
    says: name,
    outcome: answerText(exchange),
    exchange: exchange.id,
  });
  if (endpoint === 'order.create') await created(step, exchange, ctx);
  return exchange;
}

/** Registers a new order as one of this scenario, and applies the faults that wait for it. */
async function created(step: ActStep, exchange: Exchange, { session }: StepContext): Promise<void> {
  const order = answerValue(
    exchange,
    answerOf('create order', 'institution'),
    session.target.answers,
  );
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
async function openRequest(intentId: string, session: StepContext['session']): Promise<void> {
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
  if (step.action.value === 'create order') return orderBody(step, ctx);
  if (step.action.value === 'submit quote' && step.for) {
    return quoteBody(step, evaluate(step.for, ctx), ctx);
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
  return id.kind === 'text' ? id.text : fail(located.at, `$${located.source} carries no ${field}`);
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
