import { orderBody as orderBodyOf } from '../../protocol/order-body.ts';
import { quoteBody as quoteBodyOf, wholeAmount } from '../../protocol/quote-body.ts';
import { fieldsOf } from '../../spec/fields.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { OrderRequest } from '../../spec/resources.ts';
import { parseDuration } from '../../yaml/index.ts';
import type { ActStep } from '../language/steps/act.ts';
import type { Arg, Entry } from '../language/reader.ts';
import { fieldOf, valueOf } from './evaluate.ts';
import { end, fail } from './halt.ts';
import type { StepContext, Session } from './session.ts';
import { asText, nothing, toWire, type Value } from './values.ts';

export type Body = Record<string, unknown>;

/** Default fields of orders in a scenario. A target may require a memo (gap `order.required_fields`). */
const usualFields = { source_amount_max: '1200.00', memo: 'played by assay' };
const defaultValidForMs = 30_000;

const custodianOf: Partial<Record<CastName, CastName>> = {
  sender: 'sender_custodian',
  outsider: 'outsider_custodian',
};

/** Body of an order: fields of the step first, then of the target's file, then of the cast and of random draws. */
export function orderBody(step: ActStep, ctx: StepContext): Body {
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
  const body = orderBodyOf({
    hex: (digits, field) => random.fork(field).hex(digits),
    senderCustodian: undefined,
    receiver: receiver && idOf(receiver),
    receiverCustodian: undefined,
    // No custodian is made up: a scenario that needs one is out of scope if there is none.
    defaults: { ...usualFields, ...custodians, ...target.orderDefaults },
    changes: { ...fieldsFrom(step.with, ctx), ...controls },
  });
  const lacking = fieldsOf(OrderRequest).find(
    ({ name }) => name in body && body[name] === undefined,
  );
  if (lacking && !step.without?.some(({ value }) => value === lacking.name)) {
    end('out_of_scope', `the target declares no party for ${lacking.name}, and no default of it`);
  }
  return finished(body, step, ctx);
}

export function quoteBody(step: ActStep, quoted: Value, ctx: StepContext): Body {
  const { timeline } = ctx.session.target;
  const given = fieldsFrom(step.with, ctx);
  const { valid_for: validFor, ...rest } = given;
  const ms = typeof validFor === 'string' ? parseDuration(validFor) : undefined;
  const rate = asWord(rest['fx_rate'] ?? '1');
  const amount = rest['target_amount'] ?? defaultAmount(step, quoted, rate, ctx.session);
  const usual = quoteBodyOf(rate, amount, timeline.now() + (ms ?? defaultValidForMs));
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

const fieldsFrom = (entries: readonly Entry<Arg>[] | undefined, ctx: StepContext): Body =>
  Object.fromEntries((entries ?? []).map(({ key, value }) => [key, toWire(valueOf(value, ctx))]));

function finished(body: Body, step: ActStep, ctx: StepContext): Body {
  const left = new Set((step.without ?? []).map(({ value }) => value));
  const kept = Object.entries(body).filter(([key, value]) => !left.has(key) && value !== undefined);
  return { ...Object.fromEntries(kept), ...fieldsFrom(step.as_is, ctx) };
}
