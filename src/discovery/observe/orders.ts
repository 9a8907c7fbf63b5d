import { groupBy } from '../../history/group-by.ts';
import type { OrderState } from '../../spec/vocabulary.ts';
import { isTerminal } from '../../spec/states.ts';
import { OrderRequest } from '../../spec/resources.ts';
import type { Exchange } from '../../history/records.ts';
import { discoveryActor } from '../probe/probe-context.ts';
import {
  bodyOf,
  dataOf,
  type Fields,
  follows,
  isObject,
  ordersIn,
  refused,
  type OrderSnapshot,
  spanOf,
  succeeded,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import { failureReasonIn, failureReasonPath } from '../../protocol/failure-reason.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

export const requestFields = Object.keys(OrderRequest.properties);
const laterFields = ['quote_id', 'fx_rate', 'source_amount_actual', 'quote_accepted_at'];

type Seen = ReadonlyMap<string, readonly OrderSnapshot[]>;

export function observeOrders(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const seen = ordersIn(exchanges);
  const creations = callsTo(exchanges, 'order.create').filter((one) => one.auth === 'own');
  return [
    ...[...seen.values()].flatMap((shown) => [
      ...differentOf(shown).flatMap(observeShape),
      ...shown.flatMap(observeLifetime),
    ]),
    // Where none succeeded, no refusal shows what it was for.
    ...(creations.some(succeeded)
      ? [
          ...creations.flatMap(observeCreation),
          ...observeReceiver(creations),
          ...observeReuse(creations),
          ...observeRequired(creations),
        ]
      : []),
    ...observeCancel(exchanges, seen),
    ...observeProposal(exchanges),
    ...observeOrderEnd(seen),
  ];
}

/** Without what was seen before: lists show the same object again and again (decision 16). */
function differentOf(shown: readonly OrderSnapshot[]): readonly OrderSnapshot[] {
  const before = new Set<Fields>();
  return shown.filter(({ order }) => before.size < before.add(order).size);
}

function observeShape({ order, exchange }: OrderSnapshot): readonly GapObservation[] {
  const evidence = [exchange.id];
  const observations: GapObservation[] = [];
  const end = isTerminal(order['status'] as OrderState) && order['status'] !== 'SETTLED';
  const path = end ? failureReasonPath(order)?.join('.') : undefined;
  if (path !== undefined)
    observations.push({ gap: 'order.failure_reason_field', answer: path, evidence });
  if (order['status'] === 'PENDING') {
    const nulls = laterFields.some((field) => order[field] === null);
    const unset = laterFields.every((field) => order[field] === undefined);
    if (nulls) observations.push({ gap: 'order.unset_fields', answer: 'null', evidence });
    else if (unset) observations.push({ gap: 'order.unset_fields', answer: 'absent', evidence });
  }
  return observations;
}

function observeLifetime({ order, exchange }: OrderSnapshot): readonly GapObservation[] {
  if (exchange.endpoint !== 'order.create') return [];
  const created = Date.parse(String(order['created_at']));
  const lifetime = Date.parse(String(order['expires_at'])) - created;
  // Two clocks may have been read a few milliseconds apart.
  if (!(lifetime > 0)) return [];
  return [{ gap: 'order.lifetime', answer: spanOf(lifetime), evidence: [exchange.id] }];
}

function observeCreation(exchange: Exchange): readonly GapObservation[] {
  const body = bodyOf(exchange);
  const answered = succeeded(exchange) || refused(exchange);
  if (!answered) return [];
  const evidence = [exchange.id];
  const observations: GapObservation[] = [];
  const whole = requestFields.every((field) => field === 'memo' || body[field] !== undefined);
  if ('assay_probe' in body && whole) {
    const answer = succeeded(exchange) ? 'ignore' : 'refuse';
    observations.push({ gap: 'order.unknown_fields', answer, evidence });
  }
  if (!whole) return observations;
  const verdict = succeeded(exchange);
  if (body['target_amount'] === '0') {
    return [...observations, { gap: 'money.zero', answer: verdict ? 'take' : 'refuse', evidence }];
  }
  if (typeof body['target_amount'] === 'number') {
    return [
      ...observations,
      { gap: 'money.input', answer: verdict ? 'numbers too' : 'strict', evidence },
    ];
  }
  if (verdict) observations.push(...observeFormOnly(body, evidence));
  if (body['source_currency'] === body['target_currency']) {
    const answer = succeeded(exchange) ? 'allow' : 'refuse';
    observations.push({ gap: 'order.same_currency', answer, evidence });
  }
  return observations;
}

/** A creation with what only fits its form, that succeeded, was not looked into any deeper. */
function observeFormOnly(body: Fields, evidence: readonly string[]): readonly GapObservation[] {
  const made = (gap: GapObservation['gap']): GapObservation => ({
    gap,
    answer: 'form-only',
    evidence,
  });
  return isMadeUp(body['receiver_party_id'])
    ? [made('order.signature_check'), made('order.contract_check'), made('order.party_check')]
    : [];
}

const isMadeUp = (receiver: unknown): boolean => String(receiver).startsWith('Receiver::');

/** Refused to a receiver that nobody knows, and taken to one that is known. */
function observeReceiver(creations: readonly Exchange[]): readonly GapObservation[] {
  const twins = groupBy(creations, (one) => {
    const { receiver_party_id: _, ...rest } = bodyOf(one);
    return `${one.party} ${JSON.stringify(rest)}`;
  });
  const receiver = (one: Exchange): unknown => bodyOf(one)['receiver_party_id'];
  return [...twins.values()].flatMap((own): GapObservation[] => {
    const no = own.find((one) => refused(one) && isMadeUp(receiver(one)));
    const yes = own.find((one) => succeeded(one) && !isMadeUp(receiver(one)));
    if (!no || !yes) return [];
    return [{ gap: 'order.party_check', answer: 'known-parties', evidence: [no.id, yes.id] }];
  });
}

/** The same body sent twice by one party is the same contract serving twice. */
function observeReuse(creations: readonly Exchange[]): readonly GapObservation[] {
  const twins = groupBy(creations, (one) =>
    bodyOf(one)['source_contract_id'] === undefined
      ? undefined
      : `${one.party} ${JSON.stringify(one.request.body)}`,
  );
  return [...twins.values()].flatMap((own): GapObservation[] => {
    const first = own.findIndex(succeeded);
    const [one, two] = first < 0 ? [] : own.slice(first);
    if (!one || !two || !(succeeded(two) || refused(two))) return [];
    const answer = succeeded(two) ? 'allow' : 'refuse';
    return [{ gap: 'order.contract_reuse', answer, evidence: [one.id, two.id] }];
  });
}

/** Which fields are insisted on: from creations that lack exactly one, all drawn together into one answer. */
function observeRequired(creations: readonly Exchange[]): readonly GapObservation[] {
  const required = new Map<string, boolean>();
  const evidence: string[] = [];
  for (const exchange of creations) {
    const body = bodyOf(exchange);
    const lacking = requestFields.filter((field) => body[field] === undefined);
    const [only] = lacking.length === 1 ? lacking : lacking.filter((field) => field !== 'memo');
    const alone = lacking.length === 1 || (lacking.length === 2 && lacking.includes('memo'));
    if (!alone || only === undefined || !(succeeded(exchange) || refused(exchange))) continue;
    required.set(only, refused(exchange));
    evidence.push(exchange.id);
  }
  if (requestFields.some((field) => field !== 'memo' && !required.has(field))) return [];
  const names = requestFields.filter((field) => required.get(field) === true);
  return [{ gap: 'order.required_fields', answer: requiredAnswer(names), evidence }];
}

function requiredAnswer(names: readonly string[]): string {
  const known = {
    all: requestFields,
    'all-but-memo': requestFields.filter((field) => field !== 'memo'),
    'amounts-and-currencies': requestFields.filter((field) => /amount|currency/.test(field)),
  };
  const same = Object.entries(known).find(([, fields]) => fields.join() === names.join());
  return same?.[0] ?? (names.length === 0 ? 'none' : names.join(' '));
}

const looksWhole = (data: unknown): boolean =>
  isObject(data) && typeof data['created_at'] === 'string' && typeof data['intent_id'] === 'string';

function observeCancel(exchanges: readonly Exchange[], seen: Seen): readonly GapObservation[] {
  const cancels = callsTo(exchanges, 'order.cancel').filter((one) => one.auth === 'own');
  const byOrder = groupBy(cancels, (one) => one.params.intent_id);
  // Where every change is answered with 202, it says nothing of this one (gap `http.success_status`).
  const always = callsTo(exchanges, 'quote.accept').some(
    ({ response }) => response?.status === 202,
  );
  return [...byOrder].flatMap(([id, tries]): GapObservation[] => {
    const done = tries.findIndex(succeeded);
    const first = tries[done];
    if (!first) return [];
    const later = first.response?.status === 202 && !always;
    const requiredBody = requiredBodyOf(tries, done);
    const observations: GapObservation[] = [
      ...(requiredBody
        ? [{ gap: 'cancel.request', answer: requiredBody, evidence: [first.id] } as const]
        : []),
      {
        gap: 'cancel.response',
        answer: later ? 'accepted' : responseKind(first),
        evidence: [first.id],
      },
    ];
    const again = tries.slice(done + 1).find(({ party }) => party === first.party);
    if (again && follows(again, first) && (succeeded(again) || refused(again))) {
      const answer = succeeded(again) ? 'repeat' : 'refuse';
      observations.push({ gap: 'cancel.again', answer, evidence: [first.id, again.id] });
    }
    const ended = (seen.get(id) ?? []).find(
      (one) =>
        (one.exchange === first || follows(one.exchange, first)) &&
        isTerminal(one.order['status'] as OrderState),
    );
    if (ended && ended.order['status'] !== 'SETTLED') {
      const answer = String(ended.order['status']);
      observations.push({ gap: 'cancel.state', answer, evidence: [first.id, ended.exchange.id] });
    }
    return observations;
  });
}

/** Which body an operation took whose body is not shown: none, or one only after it was refused without. */
function requiredBodyOf(tries: readonly Exchange[], done: number): string | undefined {
  const body = tries[done]?.request.body;
  if (body === undefined) return 'none';
  const before = tries[done - 1];
  if (!before || !refused(before) || before.request.body !== undefined) return undefined;
  return isObject(body) && Object.keys(body).length === 0
    ? 'an empty object'
    : `an object with ${Object.keys(bodyOf(tries[done] as Exchange)).join(' ')}`;
}

/** What kind of answer an operation gave whose response is not shown. */
function responseKind(exchange: Exchange): string {
  const { response } = exchange;
  const data = dataOf(exchange);
  if (response?.status === 204 || (response?.body === undefined && !response?.text))
    return 'no-content';
  return looksWhole(data) ? 'order' : 'minimal';
}

function observeProposal(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const accepts = callsTo(exchanges, 'proposal.accept').filter((one) => one.auth === 'own');
  const byOrder = groupBy(accepts, (one) => one.params.intent_id);
  const waiting = selectionsOpened(exchanges, accepts);
  return [...byOrder].flatMap(([id, tries]): GapObservation[] => {
    const done = tries.findIndex(succeeded);
    const first = tries[done];
    if (!first || first.party !== 'sender_custodian') return [];
    const requiredBody = requiredBodyOf(tries, done);
    const observations: GapObservation[] = [
      ...(requiredBody
        ? [{ gap: 'proposal.request', answer: requiredBody, evidence: [first.id] } as const]
        : []),
      { gap: 'proposal.response', answer: responseKind(first), evidence: [first.id] },
    ];
    const quotes = callsTo(exchanges, 'quote.submit').filter((one) => one.params.intent_id === id);
    const opened = openedBy(first, quotes);
    const again = tries[done + 1];
    if (opened) {
      observations.push({ gap: 'proposal.effect', answer: 'opens-quoting', evidence: opened });
    } else if (waiting.size > 0) {
      // What the other orders show of it is less: that they were quoted before.
      const evidence = waiting.get(id);
      if (evidence)
        observations.push({ gap: 'proposal.effect', answer: 'opens-acceptance', evidence });
    } else if (again && quotes.some((one) => follows(first, one) && succeeded(one))) {
      const effect = succeeded(again) ? 'none' : refused(again) ? 'once' : undefined;
      if (effect)
        observations.push({
          gap: 'proposal.effect',
          answer: effect,
          evidence: [first.id, again.id],
        });
    }
    return observations;
  });
}

/**
 * By order, a quote that could not be accepted before the proposal of its order was, and could be after it. Only what
 * discovery sends shows this: elsewhere a deadline, a race or a price may have been in the way of the first.
 */
function selectionsOpened(
  exchanges: readonly Exchange[],
  proposals: readonly Exchange[],
): ReadonlyMap<string | undefined, readonly string[]> {
  const tries = callsTo(exchanges, 'quote.accept').filter(({ by }) => by === discoveryActor);
  const byQuote = groupBy(tries, (one) => one.params.quote_id);
  const shown = [...byQuote.values()].flatMap((ofOne) => {
    const late = ofOne.find(succeeded);
    const early = ofOne.find(refused);
    if (!late || !early) return [];
    const { intent_id } = late.params;
    const between = proposals.find(
      (one) =>
        succeeded(one) &&
        one.params.intent_id === intent_id &&
        follows(one, early) &&
        follows(late, one),
    );
    return between ? [[intent_id, [early.id, between.id, late.id]] as const] : [];
  });
  return new Map(shown);
}

/**
 * A quote that was refused before an acceptance and taken after it, nothing else having changed: the same body, or the
 * same step of those that discovery goes down, each shorter in its validity (gap `quote.max_validity`).
 */
function openedBy(
  acceptance: Exchange,
  quotes: readonly Exchange[],
): readonly string[] | undefined {
  const before = quotes.filter((one) => follows(acceptance, one));
  const after = quotes.filter((one) => follows(one, acceptance));
  const step = after.findIndex(succeeded);
  const late = after[step];
  if (!late) return undefined;
  const same = (one: Exchange): boolean =>
    JSON.stringify(one.request.body) === JSON.stringify(late.request.body);
  const ours = [...before, ...after].every(({ by }) => by === discoveryActor);
  const early =
    before.find((one) => refused(one) && same(one)) ??
    (ours && before.every(refused) ? before[step] : undefined);
  return early && [early.id, late.id];
}

/** What falls out of orders that were withdrawn, timed out or settled. */
function observeOrderEnd(seen: Seen): readonly GapObservation[] {
  return [...seen].flatMap(([id, shown]): GapObservation[] => {
    const ended = shown.find(({ order }) => isTerminal(order['status'] as OrderState));
    if (!ended) return [];
    const { order, exchange } = ended;
    const evidence = [exchange.id];
    if (order['status'] === 'SETTLED') return observeSettlementTime(order, evidence, id);
    const reason = failureReasonIn(order);
    const state = String(order['status']);
    if (reason === 'OPERATOR_WITHDRAWN')
      return [{ gap: 'withdrawn.state', answer: state, evidence }];
    if (reason === 'TIMEOUT') return [{ gap: 'settlement.timeout_state', answer: state, evidence }];
    return [];
  });
}

function observeSettlementTime(order: Fields, evidence: string[], id: string): GapObservation[] {
  const accepted = Date.parse(String(order['quote_accepted_at']));
  const took = Date.parse(String(order['settled_at'])) - accepted;
  if (!(took >= 0)) return [];
  // A vague figure may differ from order to order.
  const answer = `settled after ${spanOf(took)}`;
  return [{ gap: 'settlement.steps', answer, subject: id, evidence }];
}
