import type { Exchange } from '../../history/records.ts';
import { equalValues } from '../../protocol/equality.ts';
import { mayMissAParty, orderBody as orderBodyOf } from '../../protocol/order-body.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';
import type { CastName, ControlName } from '../../spec/requirements/index.ts';
import type { CheckContext } from '../engine/check.ts';
import { type ActionContext, declaredParty, retryWhileRefused, targetNow } from './context.ts';
import { drawTerms, leavesTermsOpen, type OrderTerms } from './drawn-terms.ts';
import {
  type Fields,
  fieldsOf,
  describeExchange,
  sentBody,
  succeeded,
  isRefusal,
  textOf,
} from '../../protocol/answers.ts';
import { openLimitExcuse } from './excuses.ts';

/** An order that the target took. */
export interface PlacedOrder {
  readonly intentId: string;
  /** The party that created it. */
  readonly by: CastName;
  /** The body that was sent. */
  readonly sent: Fields;
  /** `data` of the answer. */
  readonly data: Fields;
  readonly exchange: Exchange;
  /** On the target's clock; undefined if the answer has no `expires_at`. */
  readonly expiresAt: number | undefined;
  /** At this rate a quote costs the maximum, or one unit less. Absent: at any rate drawn for it, it costs less. */
  readonly rate?: string;
}

export interface CreateOptions {
  readonly by?: CastName;
  /** `leave`: the proposal is not accepted, even if this target's quoting waits for it. */
  readonly proposal?: 'leave';
  /**
   * For drawn terms. `exact`: its quote's terms are drawn as well, so the maximum may be the exact cost. `round`: no
   * terms are drawn. Absent: the maximum leaves room for any rate between a half and two.
   */
  readonly terms?: 'exact' | 'round';
}

/** A body that every reading of the document admits, with the defaults of the target file. */
export function orderBody(
  t: Pick<ActionContext, 'target' | 'random' | 'party'>,
  changes: Fields = {},
  by: CastName = 'sender',
): Fields {
  const { random, target } = t;
  const idOf = (name: CastName): string | undefined =>
    target.parties[name] && t.party(name).partyId;
  // Another institution if the target takes only receivers that it knows (gap `order.party_check`).
  const mustBeKnown = target.answers.get('order.party_check') === 'known-parties';
  return orderBodyOf({
    hex: (digits) => random.hex(digits),
    senderCustodian: idOf('sender_custodian'),
    receiver: mustBeKnown ? idOf(by === 'outsider' ? 'sender' : 'outsider') : undefined,
    receiverCustodian: idOf('receiver_custodian'),
    defaults: target.orderDefaults,
    changes,
  });
}

const custodianFields = ['sender_custodian_party_id', 'receiver_custodian_party_id'] as const;

const marks = ['source_contract_id', 'intent_signature', 'memo'] as const;

/**
 * True if the shown order came from the sent body, by a field that is drawn for each order. False if the target file
 * gives all of these fields for every order: then no field tells one from another.
 */
export function cameFromBody(
  { target }: Pick<ActionContext, 'target'>,
  sent: Fields,
  shown: Fields,
): boolean {
  const mark = marks.find((name) => !(name in target.orderDefaults));
  if (mark === undefined || sent[mark] === undefined) return false;
  return equalValues(mark, sent[mark], shown[mark]);
}

/**
 * Excuse for a refused creation: if the target file declares no custodians, or no other institution, made-up parties
 * are sent, and the target may not know them (gap `order.party_check`). Undefined if this cannot be the reason.
 */
export function madeUpPartyExcuse(t: ActionContext, exchange: Exchange): string | undefined {
  const { answers, orderDefaults, parties } = t.target;
  if (!mayMissAParty(exchange)) return undefined;
  if (answers.get('order.party_check') === 'form-only') return undefined;
  const sent = sentBody(exchange);
  const fields = [...custodianFields, ...(parties.outsider ? [] : ['receiver_party_id'])];
  const madeUp = fields.filter(
    (field) =>
      sent[field] !== undefined &&
      sent[field] !== orderDefaults[field] &&
      declaredParty(t, sent[field]) === undefined,
  );
  if (madeUp.length === 0) return undefined;
  return `${madeUp.join(' and ')} had to be made up: give real ones under orders.defaults`;
}

/** The order that an answer shows, with the sent body; undefined if the answer shows none. */
export function placedOrder(
  by: CastName,
  sent: Fields,
  exchange: Exchange,
): PlacedOrder | undefined {
  const data = fieldsOf(exchange);
  const intentId = textOf(data, 'intent_id');
  if (intentId === undefined) return undefined;
  return { intentId, by, sent, data, exchange, expiresAt: parseTimestamp(data['expires_at']) };
}

/** Terms for an order whose check leaves them open; undefined if it does not, or if the target file gives some. */
function drawnTermsOf(t: ActionContext, changes: Fields, terms: CreateOptions['terms']) {
  const isOpen = leavesTermsOpen({ ...t.target.orderDefaults, ...changes });
  if (!t.draws || !isOpen || terms === 'round') return undefined;
  const { answers } = t.target;
  return drawTerms(t.random, terms === 'exact', answers.get('quote.rate_orientation'));
}

/** Creates an order, open for quotes; gives up if the target takes none. */
export async function createOrder(
  t: ActionContext,
  changes: Fields = {},
  options: CreateOptions = {},
): Promise<PlacedOrder> {
  const by = options.by ?? 'sender';
  const create = async (terms?: OrderTerms) => {
    const body = orderBody(t, { ...terms?.fields, ...changes }, by);
    const exchange = await t.party(by).call('order.create', { body });
    const placed = placedOrder(by, body, exchange);
    return { exchange, order: placed && { ...placed, ...(terms?.rate && { rate: terms.rate }) } };
  };
  const drawn = drawnTermsOf(t, changes, options.terms);
  const first = await create(drawn);
  // The accepted currencies, amounts and decimals are open (gaps `order.currencies`, `money.input`).
  const { exchange, order } = drawn && isRefusal(first.exchange) ? await create() : first;
  if (!order) {
    const excuses = [madeUpPartyExcuse(t, exchange), openLimitExcuse(t, exchange)];
    const why = [describeExchange(exchange), ...excuses.flatMap((one) => one ?? [])].join('; ');
    t.notExercised(`no order could be created: ${why}`, [exchange]);
  }
  if (options.proposal !== 'leave') await openForQuotes(t, order);
  return order;
}

/** Accepts the proposal if quoting the order, or accepting a quote on it, waits for that (gap `proposal.effect`). */
export async function openForQuotes(t: ActionContext, { intentId, sent }: PlacedOrder) {
  if (!tradeAwaitsProposal(t.target.answers.get('proposal.effect'))) return;
  const custodian = declaredParty(t, sent['sender_custodian_party_id']);
  if (!custodian) return;
  const params = { intent_id: intentId };
  await retryWhileRefused(t, () => t.party(custodian).call('proposal.accept', { params }));
}

/**
 * Creates an order that the target's control pushes off its path: by fields of its body, or by a call once it
 * exists. The check must need the control.
 * @param meanwhile runs once the order exists, and before the call if there is one
 */
export async function disturbedOrder(
  t: CheckContext,
  name: ControlName,
  changes: Fields = {},
  meanwhile: (order: PlacedOrder) => Promise<unknown> = async () => {},
): Promise<PlacedOrder> {
  const control = t.target.controls[name];
  if (!control) t.outOfScope(`control ${name} is not offered`);
  const order = await createOrder(t, { ...changes, ...control.order });
  t.markDisturbed(order.intentId);
  await meanwhile(order);
  if (control.call) {
    const called = await control.call(order.intentId);
    if (!succeeded(called))
      t.notExercised(`control ${name} did not work: ${describeExchange(called)}`, [called]);
  }
  return order;
}

export type OrderRef = Pick<PlacedOrder, 'intentId'>;
export const paramsOf = (order: OrderRef) => ({ intent_id: order.intentId });

/** Reads an order as a party, and waits while its backend may not know it yet; gives up if that does not succeed. */
export async function readOrder(
  t: ActionContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<{ readonly data: Fields; readonly exchange: Exchange }> {
  const exchange = await retryWhileRefused(t, () =>
    t.party(by).call('order.read', { params: paramsOf(order) }),
  );
  if (!succeeded(exchange))
    t.notExercised(`the order could not be read: ${describeExchange(exchange)}`, [exchange]);
  return { data: fieldsOf(exchange), exchange };
}

/** Call options of a cancel: with an empty object if this target is known to want one (gap `cancel.request`). */
export const cancelOptions = (
  { target }: Pick<ActionContext, 'target'>,
  order: OrderRef,
): { readonly params: ReturnType<typeof paramsOf>; readonly body?: Fields } => ({
  params: paramsOf(order),
  ...(target.answers.get('cancel.request') === 'an empty object' && { body: {} }),
});

/** Cancels an order as its sender; gives up if that is refused. The state that it ends in is gap `cancel.state`. */
export async function cancel(t: ActionContext, order: PlacedOrder): Promise<Exchange> {
  const exchange = await t.party(order.by).call('order.cancel', cancelOptions(t, order));
  if (!succeeded(exchange))
    t.notExercised(`the order could not be cancelled: ${describeExchange(exchange)}`, [exchange]);
  return exchange;
}

/** Target milliseconds that an order certainly has left; undefined if it shows no deadline. */
export function remainingMs(t: ActionContext, order: PlacedOrder): number | undefined {
  return order.expiresAt === undefined ? undefined : order.expiresAt - targetNow(t).latest;
}

/** Waits past an order's own deadline; out of scope if that is longer than the target's `max_wait`. */
export async function untilExpired(t: CheckContext, order: PlacedOrder, extraMs = 0) {
  const { expiresAt } = order;
  if (expiresAt === undefined) t.notExercised('the order carries no deadline', [order.exchange]);
  const { timeline, clock } = t.target;
  const moment = expiresAt - clock.offset.least + 1 + extraMs;
  t.allowWait(moment - timeline.now(), "this target's orders' life");
  await timeline.until(moment);
}
