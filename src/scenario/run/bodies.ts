import { formatTimestamp } from '../../spec/forms.ts';
import { fieldsOf } from '../../spec/fields.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { OrderRequest } from '../../spec/resources.ts';
import { parseDuration } from '../../yaml/index.ts';
import { parseDecimal } from '../decimals.ts';
import type { ActStep } from '../language/model.ts';
import type { ArgEntry } from '../language/reader.ts';
import { fieldOf, valueOf } from './evaluate.ts';
import { end, fail } from './halt.ts';
import type { StepContext, Session } from './session.ts';
import { asText, nothing, toWire, type Value } from './values.ts';

export type Body = Record<string, unknown>;

/** Generous on purpose: at the rate 1 that quotes default to, every reading of a rate leaves room below the maximum. */
const defaultAmounts = { target_amount: '1000.00', source_amount_max: '1200.00' };
const defaultValidForMs = 30_000;

const custodianOf: Partial<Record<CastName, CastName>> = {
  sender: 'sender_custodian',
  outsider: 'outsider_custodian',
};

/** An order's body: what the step says, then what the target's file says, then what the cast and chance give. */
export function orderBody(step: ActStep, ctx: StepContext): Body {
  const { session } = ctx;
  const { target } = session;
  const random = session.random.fork(`order ${session.orders.size} ${step.at.line}`);
  const idOf = (name: CastName): string | undefined =>
    target.parties[name] ? session.party(name).partyId : undefined;
  const receiver = `Receiver::1220${random.fork('receiver').hex(64)}`;
  const defaults: Body = {
    sender_custodian_party_id:
      idOf(custodianOf[step.party] ?? 'sender_custodian') ?? idOf('sender_custodian'),
    intent_signature: random.fork('signature').hex(128),
    receiver_party_id: receiver,
    receiver_custodian_party_id: idOf('receiver_custodian'),
    source_contract_id: `00${random.fork('contract').hex(64)}#0`,
    source_currency: 'USD',
    target_amount: defaultAmounts.target_amount,
    target_currency: 'EUR',
    source_amount_max: defaultAmounts.source_amount_max,
    // A target may insist on one (gap `order.required_fields`).
    memo: 'played by assay',
  };
  const controls = session.pending.reduce<Body>((all, { fields }) => ({ ...all, ...fields }), {});
  const given = fieldsFrom(step.args.with, ctx);
  const body = { ...defaults, ...target.orderDefaults, ...given, ...controls };
  const lacking = fieldsOf(OrderRequest).find(
    ({ name }) => name in body && body[name] === undefined,
  );
  if (lacking && !step.args.without?.some(({ value }) => value === lacking.name)) {
    end('out_of_scope', `the target declares no party for ${lacking.name}, and no default of it`);
  }
  return finished(body, step, ctx);
}

export function quoteBody(step: ActStep, quoted: Value, ctx: StepContext): Body {
  const { timeline } = ctx.session.target;
  const given = fieldsFrom(step.args.with, ctx);
  const { valid_for: validFor, ...rest } = given;
  const ms = typeof validFor === 'string' ? parseDuration(validFor) : undefined;
  const rate = asWord(rest['fx_rate'] ?? '1');
  const amount = rest['target_amount'] ?? defaultAmount(step, quoted, rate, ctx.session);
  const body = {
    fx_rate: rate,
    target_amount: amount,
    valid_until: rest['valid_until'] ?? formatTimestamp(timeline.now() + (ms ?? defaultValidForMs)),
  };
  return finished(body, step, ctx);
}

const asWord = (wire: unknown): string => (typeof wire === 'string' ? wire : JSON.stringify(wire));

/** The whole of the order, said in the currency that this target means. */
function defaultAmount(step: ActStep, quoted: Value, rate: string, session: Session): string {
  const amount = fieldOf(quoted, 'target_amount');
  if (amount === nothing || amount.kind !== 'decimal') {
    const named = step.args.without?.some(({ value }) => value === 'target_amount');
    if (named) return '0';
    const message = 'the amount to quote is not known from what "for" names; say target_amount';
    return fail(step.args.for?.at ?? step.at, message);
  }
  if (session.target.answers.get('quote.target_amount') !== 'source') return asText(amount);
  const factor = parseDecimal(rate);
  if (!factor || factor.isZero()) return asText(amount);
  const inverse = session.target.answers.get('quote.rate_orientation') === 'source-per-target';
  const source = inverse ? amount.decimal.times(factor) : amount.decimal.dividedBy(factor);
  return source.toDecimalPlaces(2, 0).toFixed(2);
}

const fieldsFrom = (entries: readonly ArgEntry[] | undefined, ctx: StepContext): Body =>
  Object.fromEntries((entries ?? []).map(({ key, value }) => [key, toWire(valueOf(value, ctx))]));

function finished(body: Body, { args }: ActStep, ctx: StepContext): Body {
  const left = new Set((args.without ?? []).map(({ value }) => value));
  const kept = Object.entries(body).filter(([key, value]) => !left.has(key) && value !== undefined);
  return { ...Object.fromEntries(kept), ...fieldsFrom(args.as_is, ctx) };
}
