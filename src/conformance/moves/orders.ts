import type { Exchange } from '../../history/records.ts';
import { sameValue } from '../../rules/same.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { tradeWaits } from '../../spec/gaps/proposals.ts';
import { type CastName, castNames, type ControlName } from '../../spec/requirements/index.ts';
import type { Trial } from '../check.ts';
import { type Fields, fieldsOf, isRefusal, said, succeeded, textOf } from './answers.ts';
import { insist } from './insist.ts';
import { crowdedOut } from './room.ts';
import { targetNow } from './moments.ts';

/** An order that the target took. */
export interface PlacedOrder {
  readonly intentId: string;
  /** Who created it. */
  readonly by: CastName;
  /** The body that was sent. */
  readonly sent: Fields;
  /** `data` of the answer. */
  readonly data: Fields;
  readonly exchange: Exchange;
  /** On the target's clock; undefined where the answer has no such moment. */
  readonly expiresAt: number | undefined;
}

export interface CreateOptions {
  readonly by?: CastName;
  /** `leave`: the proposal is not accepted, even where this target's quoting waits for it. */
  readonly proposal?: 'leave';
}

/**
 * A body that every reading of the document admits: the cast's own custodians, identifiers used once, amounts under
 * which rate "1" is affordable, and whatever the target's file insists on.
 */
export function orderBody(trial: Trial, changes: Fields = {}, by: CastName = 'sender'): Fields {
  const { random, target } = trial;
  const custodian = (name: CastName): string =>
    target.parties[name] ? trial.party(name).partyId : `Custodian::${random.hex(40)}`;
  return {
    sender_custodian_party_id: custodian('sender_custodian'),
    intent_signature: random.hex(128),
    receiver_party_id: receiver(trial, by),
    receiver_custodian_party_id: custodian('receiver_custodian'),
    source_contract_id: `${random.hex(64)}#0`,
    source_currency: 'USD',
    target_amount: '1000.00',
    target_currency: 'EUR',
    source_amount_max: '2000.00',
    memo: `assay ${random.hex(12)}`,
    ...target.orderDefaults,
    ...changes,
  };
}

/** Somebody whom no backend knows; another institution where a target takes only such (gap `order.party_check`). */
function receiver(trial: Trial, by: CastName): string {
  const { random, target } = trial;
  const unknown = `Receiver::${random.hex(40)}`;
  const other = by === 'outsider' ? 'sender' : 'outsider';
  const wantsKnown = target.answers.get('order.party_check') === 'known-parties';
  return wantsKnown && target.parties[other] ? trial.party(other).partyId : unknown;
}

const custodianFields = ['sender_custodian_party_id', 'receiver_custodian_party_id'] as const;

const marks = ['source_contract_id', 'intent_signature', 'memo'] as const;

/**
 * Whether what is shown is of an order that was sent, by a field that is drawn for it alone. False where the target
 * file gives all of them for every order: then nothing tells one from another.
 */
export function cameOf({ target }: Trial, sent: Fields, shown: Fields): boolean {
  const mark = marks.find((name) => !(name in target.orderDefaults));
  if (mark === undefined || sent[mark] === undefined) return false;
  return sameValue(mark, sent[mark], shown[mark]);
}

/** Statuses that speak of who asks, and not of whom an order names. */
const aboutTheAsker: readonly (number | undefined)[] = [401, 403, 405];

/**
 * Why a creation may rightly have been refused: a target without custodians, or without another institution, is sent
 * made-up ones, and may know no such party (gap `order.party_check`). Undefined where nothing speaks for that.
 */
export function madeUpParties(trial: Trial, exchange: Exchange): string | undefined {
  const { answers, orderDefaults, parties } = trial.target;
  if (exchange.endpoint !== 'order.create' || !isRefusal(exchange)) return undefined;
  if (aboutTheAsker.includes(exchange.response?.status)) return undefined;
  if (answers.get('order.party_check') === 'form-only') return undefined;
  const sent = (exchange.request.body ?? {}) as Fields;
  const known = castNames.flatMap((name) => (parties[name] ? trial.party(name).partyId : []));
  const fields = [...custodianFields, ...(parties.outsider ? [] : ['receiver_party_id'])];
  const madeUp = fields.filter(
    (field) =>
      sent[field] !== undefined &&
      sent[field] !== orderDefaults[field] &&
      !known.some((id) => id === sent[field]),
  );
  if (madeUp.length === 0) return undefined;
  return `${madeUp.join(' and ')} had to be made up: give real ones under orders.defaults`;
}

/** The order that an answer shows, with what was sent for it; undefined where the answer shows none. */
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

/** Creates an order, open for quotes; gives up where the target takes none. */
export async function createOrder(
  trial: Trial,
  changes: Fields = {},
  options: CreateOptions = {},
): Promise<PlacedOrder> {
  const by = options.by ?? 'sender';
  const body = orderBody(trial, changes, by);
  const exchange = await trial.party(by).call('order.create', { body });
  const order = placedOrder(by, body, exchange);
  if (!order) {
    const excuses = [madeUpParties(trial, exchange), crowdedOut(trial, exchange)];
    const why = [said(exchange), ...excuses.flatMap((one) => one ?? [])].join('; ');
    trial.giveUp(`no order could be created: ${why}`, [exchange]);
  }
  if (options.proposal !== 'leave') await openForQuotes(trial, order);
  return order;
}

/** Where quoting an order, or accepting a quote on it, waits for its proposal's acceptance, that is done (a gap). */
export async function openForQuotes(trial: Trial, { intentId, sent }: PlacedOrder): Promise<void> {
  const { answers, parties } = trial.target;
  if (!tradeWaits(answers.get('proposal.effect'))) return;
  const custodianId = sent['sender_custodian_party_id'];
  const keeper = castNames.find(
    (name) => parties[name] && trial.party(name).partyId === custodianId,
  );
  if (!keeper) return;
  const custodian = trial.party(keeper);
  const params = { intent_id: intentId };
  await insist(trial, () => custodian.call('proposal.accept', { params }));
}

/**
 * Creates an order that the target's control pushes off its path: by fields of its body, or by a call once it
 * exists. The check must need the control.
 * @param meanwhile done once it exists, and before the call where there is one
 */
export async function disturbedOrder(
  trial: Trial,
  name: ControlName,
  changes: Fields = {},
  meanwhile: (order: PlacedOrder) => Promise<unknown> = async () => {},
): Promise<PlacedOrder> {
  const control = trial.target.controls[name];
  if (!control) trial.outOfScope(`control ${name} is not offered`);
  const order = await createOrder(trial, { ...changes, ...control.order });
  trial.disturbs(order.intentId);
  await meanwhile(order);
  if (control.call) {
    const called = await control.call(order.intentId);
    if (!succeeded(called)) trial.giveUp(`control ${name} did not work: ${said(called)}`, [called]);
  }
  return order;
}

export type OrderRef = Pick<PlacedOrder, 'intentId'>;
export const paramsOf = (order: OrderRef) => ({ intent_id: order.intentId });

/** Reads an order as a party, once its backend has had its time to know of it; gives up where that does not succeed. */
export async function readOrder(
  trial: Trial,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<{ readonly data: Fields; readonly exchange: Exchange }> {
  const exchange = await insist(trial, () =>
    trial.party(by).call('order.read', { params: paramsOf(order) }),
  );
  if (!succeeded(exchange))
    trial.giveUp(`the order could not be read: ${said(exchange)}`, [exchange]);
  return { data: fieldsOf(exchange), exchange };
}

/** What a cancel is sent with: an object where this target is known to want one (gap `cancel.request`). */
export const cancelOptions = (
  { target }: Pick<Trial, 'target'>,
  order: OrderRef,
): { readonly params: ReturnType<typeof paramsOf>; readonly body?: Fields } => ({
  params: paramsOf(order),
  ...(target.answers.get('cancel.request') === 'an empty object' && { body: {} }),
});

/** Cancels an order as its sender; gives up where that is refused. Where it ends is gap `cancel.state`. */
export async function cancel(trial: Trial, order: PlacedOrder): Promise<Exchange> {
  const exchange = await trial.party(order.by).call('order.cancel', cancelOptions(trial, order));
  if (!succeeded(exchange))
    trial.giveUp(`the order could not be cancelled: ${said(exchange)}`, [exchange]);
  return exchange;
}

/** Target milliseconds that an order has left for certain; undefined where it does not say. */
export function remainingMs(trial: Trial, order: PlacedOrder): number | undefined {
  return order.expiresAt === undefined ? undefined : order.expiresAt - targetNow(trial).latest;
}

/** Waits past an order's own deadline; out of scope where that is longer than the target's `max_wait`. */
export async function untilExpired(trial: Trial, order: PlacedOrder, extraMs = 0): Promise<void> {
  const { expiresAt } = order;
  if (expiresAt === undefined) trial.giveUp('the order carries no deadline', [order.exchange]);
  const { timeline, clock } = trial.target;
  const moment = expiresAt - clock.offset.least + 1 + extraMs;
  trial.mayWait(moment - timeline.now(), "this target's orders' life");
  await timeline.until(moment);
}
