import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import {
  dataOf,
  type Fields,
  isDenied,
  isObject,
  sentBody,
  shownText,
  succeeded,
} from '../../protocol/answers.ts';
import { failureReasonIn, failureReasonPath } from '../../protocol/failure-reason.ts';
import { acceptanceFields } from '../../spec/requirements/index.ts';
import { OrderRequest } from '../../spec/resources.ts';
import { isMadeUp } from '../../protocol/order-body.ts';
import {
  callsTo,
  endOf,
  follows,
  isWholeOrder,
  type OrderSnapshot,
  ordersIn,
  ownCallsTo,
  type Observations,
  observed,
  outcomeOf,
  callsAbout,
} from './exchange-index.ts';
import { discoveryActor } from '../probe/probe-context.ts';

export const requestFields = Object.keys(OrderRequest.properties);

type Exchanges = readonly Exchange[];

/** Required fields of creations, fields of orders, and ends of orders. */
export function* observeOrders(exchanges: Exchanges): Observations {
  const orders = [...ordersIn(exchanges).values()];
  for (const shown of orders) {
    for (const snapshot of distinct(shown)) yield* observeShape(snapshot);
    for (const snapshot of shown) yield* observeLifetime(snapshot);
  }
  const creations = ownCallsTo(exchanges, 'order.create');
  // If none succeeded, no refusal shows its reason.
  if (creations.some(succeeded)) {
    for (const creation of creations) yield* observeCreation(creation);
    yield* observeReceiver(creations);
    yield* observeReuse(creations);
    yield* observeRequired(creations);
  }
  yield* observeCancel(exchanges);
  for (const shown of orders) yield* observeEnd(shown);
}

/** Drops repeated objects: lists show the same object again and again (decision 16). */
function distinct(shown: readonly OrderSnapshot[]): readonly OrderSnapshot[] {
  const before = new Set<Fields>();
  return shown.filter(({ order }) => before.size < before.add(order).size);
}

function* observeShape(snapshot: OrderSnapshot): Observations {
  const { order, exchange } = snapshot;
  const failed = endOf([snapshot]) && order['status'] !== 'SETTLED';
  const path = failed ? failureReasonPath(order)?.join('.') : undefined;
  if (path !== undefined) yield observed('order.failure_reason_field', path, [exchange]);
  if (order['status'] !== 'PENDING') return;
  if (acceptanceFields.some((field) => order[field] === null))
    yield observed('order.unset_fields', 'null', [exchange]);
  else if (acceptanceFields.every((field) => order[field] === undefined))
    yield observed('order.unset_fields', 'absent', [exchange]);
}

const timeOf = (order: Fields, field: string): number => Date.parse(shownText(order[field]));

/** A span as the register writes it: whole seconds stay seconds, to a tenth of one otherwise. */
const spanOf = (ms: number): string => `${Math.round(ms / 100) / 10}s`;

function* observeLifetime({ order, exchange }: OrderSnapshot): Observations {
  const lifetime = timeOf(order, 'expires_at') - timeOf(order, 'created_at');
  // Two clocks may have been read a few milliseconds apart.
  if (exchange.endpoint === 'order.create' && lifetime > 0)
    yield observed('order.lifetime', spanOf(lifetime), [exchange]);
}

/** Outcome of a creation that is unusual in one way. */
function* observeCreation(exchange: Exchange): Observations {
  const body = sentBody(exchange);
  const whole = requestFields.every((field) => field === 'memo' || body[field] !== undefined);
  const isTaken = succeeded(exchange);
  if (!whole || !(isTaken || isDenied(exchange))) return;
  const answer = (taken: string): string => (isTaken ? taken : 'refuse');
  if ('assay_probe' in body) yield observed('order.unknown_fields', answer('ignore'), [exchange]);
  if (body['target_amount'] === '0') yield observed('money.zero', answer('take'), [exchange]);
  else if (typeof body['target_amount'] === 'number')
    yield observed('money.input', isTaken ? 'numbers too' : 'strict', [exchange]);
  else {
    // A made-up value was accepted, so the target checks only its form.
    const formOnly = [
      'order.signature_check',
      'order.contract_check',
      'order.party_check',
    ] as const;
    for (const gap of isTaken && isMadeUp(body['receiver_party_id']) ? formOnly : [])
      yield observed(gap, 'form-only', [exchange]);
    if (body['source_currency'] === body['target_currency'])
      yield observed('order.same_currency', answer('allow'), [exchange]);
  }
}

/** Creations of one party that differ in nothing but one field. */
const alikeBut = (creations: Exchanges, field: string): Iterable<Exchanges> =>
  groupBy(creations, (one) => {
    const { [field]: _, ...rest } = sentBody(one);
    return `${one.party} ${JSON.stringify(rest)}`;
  }).values();

/** Refused to a receiver that nobody knows, and taken to one that is known. */
function* observeReceiver(creations: Exchanges): Observations {
  const isUnknown = (one: Exchange): boolean => isMadeUp(sentBody(one)['receiver_party_id']);
  for (const alike of alikeBut(creations, 'receiver_party_id')) {
    const no = alike.find((one) => isDenied(one) && isUnknown(one));
    const yes = alike.find((one) => succeeded(one) && !isUnknown(one));
    if (no && yes) yield observed('order.party_check', 'known-parties', [no, yes]);
  }
}

/** A body that one party sends twice uses its contract twice. */
function* observeReuse(creations: Exchanges): Observations {
  const withContract = creations.filter((one) => sentBody(one)['source_contract_id'] !== undefined);
  for (const alike of alikeBut(withContract, '')) {
    const [one, two] = alike.slice(Math.max(0, alike.findIndex(succeeded)));
    const answer = two && outcomeOf(two, 'allow');
    if (one && succeeded(one) && answer) yield observed('order.contract_reuse', answer, [one, two]);
  }
}

/** Required fields, as one answer from all creations that lack exactly one field. */
function* observeRequired(creations: Exchanges): Observations {
  const required = new Map<string, boolean>();
  const shownBy: Exchange[] = [];
  for (const exchange of creations) {
    const body = sentBody(exchange);
    const lacking = requestFields.filter((field) => body[field] === undefined);
    const [only, more] = lacking.length === 1 ? lacking : lacking.filter((one) => one !== 'memo');
    if (only === undefined || more !== undefined || !outcomeOf(exchange, 'taken')) continue;
    required.set(only, isDenied(exchange));
    shownBy.push(exchange);
  }
  if (requestFields.some((field) => field !== 'memo' && !required.has(field))) return;
  const names = requestFields.filter((field) => required.get(field));
  yield observed('order.required_fields', requiredAnswer(names), shownBy);
}

function requiredAnswer(names: readonly string[]): string {
  const known = {
    none: [],
    all: requestFields,
    'all-but-memo': requestFields.filter((field) => field !== 'memo'),
    'amounts-and-currencies': requestFields.filter((field) => /amount|currency/.test(field)),
  };
  const found = Object.entries(known).find(([, fields]) => fields.join() === names.join());
  return found?.[0] ?? names.join(' ');
}

function* observeCancel(exchanges: Exchanges): Observations {
  const orders = ordersIn(exchanges);
  const byOrder = groupBy(ownCallsTo(exchanges, 'order.cancel'), ({ params }) => params.intent_id);
  const isLater = ({ response }: Exchange): boolean => response?.status === 202;
  // If every change is answered with 202, the status shows nothing about cancel (gap `http.success_status`).
  const always = callsTo(exchanges, 'quote.accept').some(isLater);
  for (const [id, tries] of byOrder) {
    const done = tries.findIndex(succeeded);
    const first = tries[done];
    if (!first) continue;
    const body = requiredBodyOf(tries, done);
    if (body) yield observed('cancel.request', body, [first]);
    const response = isLater(first) && !always ? 'accepted' : responseKind(first);
    yield observed('cancel.response', response, [first]);
    const again = tries.slice(done + 1).find(({ party }) => party === first.party);
    const answer = again && follows(again, first) ? outcomeOf(again, 'repeat') : undefined;
    if (again && answer) yield observed('cancel.again', answer, [first, again]);
    const after = orders
      .get(id)
      ?.filter(({ exchange }) => exchange === first || follows(exchange, first));
    const end = endOf(after);
    if (end && end.order['status'] !== 'SETTLED')
      yield observed('cancel.state', shownText(end.order['status']), [first, end.exchange]);
  }
}

/** Request body of an operation for which the document shows none: no body, or a body after a refusal without one. */
function requiredBodyOf(tries: Exchanges, done: number): string | undefined {
  const [before, taken] = [tries[done - 1], tries[done]];
  const body = taken?.request.body;
  if (body === undefined) return 'none';
  if (!before || !isDenied(before) || before.request.body !== undefined) return undefined;
  const names = taken && isObject(body) ? Object.keys(body) : [];
  return names.length === 0 ? 'an empty object' : `an object with ${names.join(' ')}`;
}

/** Kind of answer of an operation for which the document shows no response. */
function responseKind(exchange: Exchange): string {
  const { response } = exchange;
  if (response?.status === 204 || (response?.body === undefined && !response?.text))
    return 'no-content';
  return isWholeOrder(dataOf(exchange)) ? 'order' : 'minimal';
}

/** States of orders that were withdrawn or timed out, and the settlement time of settled orders. */
function* observeEnd(shown: readonly OrderSnapshot[]): Observations {
  const end = endOf(shown);
  if (!end) return;
  const { id, order, exchange } = end;
  const status = shownText(order['status']);
  const reason = failureReasonIn(order);
  const took = timeOf(order, 'settled_at') - timeOf(order, 'quote_accepted_at');
  // A vague figure may differ from order to order.
  if (status === 'SETTLED' && took >= 0)
    yield observed('settlement.steps', `settled after ${spanOf(took)}`, [exchange], id);
  if (status === 'SETTLED') return;
  if (reason === 'OPERATOR_WITHDRAWN') yield observed('withdrawn.state', status, [exchange]);
  if (reason === 'TIMEOUT') yield observed('settlement.timeout_state', status, [exchange]);
}

/** Request body, response and effect of accepting an order's proposal. */
export function* observeProposal(exchanges: Exchanges): Observations {
  const accepts = ownCallsTo(exchanges, 'proposal.accept');
  const waiting = acceptancesOpened(exchanges, accepts);
  for (const [id, tries] of groupBy(accepts, ({ params }) => params.intent_id)) {
    const done = tries.findIndex(succeeded);
    const first = tries[done];
    if (first?.party !== 'sender_custodian') continue;
    const body = requiredBodyOf(tries, done);
    if (body) yield observed('proposal.request', body, [first]);
    yield observed('proposal.response', responseKind(first), [first]);
    const quotes = callsAbout(exchanges, 'quote.submit', id);
    const again = tries[done + 1];
    const opened = quotingOpened(first, quotes);
    const openedAcceptance = waiting.get(id);
    if (opened) yield observed('proposal.effect', 'opens-quoting', opened);
    else if (openedAcceptance)
      yield observed('proposal.effect', 'opens-acceptance', openedAcceptance);
    else if (
      waiting.size === 0 &&
      again &&
      quotes.some((one) => follows(first, one) && succeeded(one))
    ) {
      // An earlier quote on this order shows something only if no other order showed a stronger effect.
      const effect = outcomeOf(again, 'none', 'once');
      if (effect) yield observed('proposal.effect', effect, [first, again]);
    }
  }
}

/**
 * By order, a quote that could be accepted only after its order's proposal was accepted. Only requests of discovery
 * show this: elsewhere the first acceptance may have failed for a deadline, a race or a price.
 */
function acceptancesOpened(exchanges: Exchanges, proposals: Exchanges) {
  const tries = callsTo(exchanges, 'quote.accept').filter(({ by }) => by === discoveryActor);
  const opened = new Map<string | undefined, Exchanges>();
  for (const ofOne of groupBy(tries, ({ params }) => params.quote_id).values()) {
    const [late, early] = [ofOne.find(succeeded), ofOne.find(isDenied)];
    if (!late || !early) continue;
    const { intent_id } = late.params;
    const between = proposals.find(
      (one) =>
        succeeded(one) &&
        one.params.intent_id === intent_id &&
        follows(one, early) &&
        follows(late, one),
    );
    if (between) opened.set(intent_id, [early, between, late]);
  }
  return opened;
}

/**
 * A quote that was refused before the proposal's acceptance and taken after it, with nothing else changed: the same
 * body, or the same step of discovery's series of shorter validities (gap `quote.max_validity`).
 */
function quotingOpened(acceptance: Exchange, quotes: Exchanges): Exchanges | undefined {
  const before = quotes.filter((one) => follows(acceptance, one));
  const after = quotes.filter((one) => follows(one, acceptance));
  const step = after.findIndex(succeeded);
  const late = after[step];
  if (!late) return undefined;
  const bodyOf = ({ request }: Exchange): string => JSON.stringify(request.body);
  const ours = [...before, ...after].every(({ by }) => by === discoveryActor);
  const early =
    before.find((one) => isDenied(one) && bodyOf(one) === bodyOf(late)) ??
    (ours && before.every(isDenied) ? before[step] : undefined);
  return early && [early, late];
}
