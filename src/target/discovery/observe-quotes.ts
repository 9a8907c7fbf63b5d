import { grouped } from '../../history/grouped.ts';
import { Decimal as Base } from 'decimal.js';
import { fieldsOf } from '../../spec/fields.ts';
import { hasForm } from '../../spec/forms.ts';
import { resources } from '../../spec/resources.ts';
import { isTerminal } from '../../spec/states.ts';
import type { OrderState } from '../../spec/words.ts';
import type { Exchange } from '../../history/records.ts';
import {
  about,
  bodyOf,
  dataOf,
  type Fields,
  follows,
  isObject,
  itemsOf,
  ordersIn,
  refused,
  succeeded,
  text,
  to,
} from './look.ts';
import type { Sight } from './sights.ts';

const Decimal = Base.clone({ precision: 40 });

const amount = (value: unknown): Base | undefined =>
  hasForm('decimal', value) && value.length <= 40 ? new Decimal(value) : undefined;

interface Submission {
  readonly exchange: Exchange;
  readonly intentId: string;
  readonly quoteId: string | undefined;
}

export function observeQuotes(exchanges: readonly Exchange[]): readonly Sight[] {
  const submissions = to(exchanges, 'quote.submit').flatMap((exchange): Submission[] => {
    const intentId = exchange.params.intent_id;
    const answered = succeeded(exchange) || refused(exchange);
    if (intentId === undefined || !answered || exchange.auth !== 'own') return [];
    const data = dataOf(exchange);
    return [{ exchange, intentId, quoteId: text(isObject(data) ? data['quote_id'] : undefined) }];
  });
  return [
    ...amountSights(exchanges, submissions),
    ...counterSights(exchanges, submissions),
    ...submissionSights(exchanges, submissions),
    ...twiceSights(exchanges, submissions),
    ...acceptSights(exchanges),
    ...orphanSights(exchanges),
    ...winnerSights(exchanges, submissions),
    ...requestSights(exchanges),
    ...validitySights(submissions),
  ];
}

/** Bounds that are told apart, in milliseconds of validity. */
const bounds = [
  { answer: '2s', mostMs: 2_500 },
  { answer: '5.5s', mostMs: 6_000 },
  { answer: '7.5s', mostMs: 8_000 },
  { answer: '10s', mostMs: 12_000 },
  { answer: '25s', mostMs: 30_000 },
] as const;

/** A quote that was refused, and taken with nothing but a shorter validity. */
function validitySights(submissions: readonly Submission[]): readonly Sight[] {
  const terms = ({ exchange, intentId }: Submission): string => {
    const { fx_rate, target_amount } = bodyOf(exchange);
    return JSON.stringify([exchange.by, exchange.party, intentId, fx_rate, target_amount]);
  };
  return [...grouped(submissions, terms).values()].flatMap((tried): Sight[] => {
    const taken = tried.find(({ exchange }) => succeeded(exchange));
    const before = taken ? tried.slice(0, tried.indexOf(taken)) : [];
    if (!taken || before.length === 0) return [];
    // Its own clock tells when it took the quote; ours may stand hours apart.
    const data = dataOf(taken.exchange);
    const at = Date.parse(text(isObject(data) ? data['submitted_at'] : undefined) ?? '');
    const aheadMs = Number.isNaN(at) ? 0 : at - taken.exchange.sent;
    const lasting = ({ exchange }: Submission): number =>
      Date.parse(text(bodyOf(exchange)['valid_until']) ?? '') - exchange.sent - aheadMs;
    // One as short that was refused, was refused for another reason that has passed since.
    if (!before.every((one) => lasting(one) > 1.2 * lasting(taken))) return [];
    const bound = bounds.find(({ mostMs }) => lasting(taken) > 0 && lasting(taken) <= mostMs);
    const evidence = [...before, taken].map(({ exchange }) => exchange.id);
    return bound ? [{ gap: 'quote.max_validity', answer: bound.answer, evidence }] : [];
  });
}

/** Orientation, meaning and number format, from quotes as the order's side lists them. */
function amountSights(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly Sight[] {
  const sent = new Map(submissions.map((one) => [one.quoteId, bodyOf(one.exchange)] as const));
  return to(exchanges, 'order.quotes').flatMap((exchange) =>
    itemsOf(exchange).flatMap((quote): Sight[] => {
      const evidence = [exchange.id];
      const rate = amount(quote['fx_rate']);
      const source = amount(quote['source_amount']);
      const target = amount(quote['target_amount']);
      if (!rate || !source || !target || rate.lte(0) || rate.eq(1) || source.lte(0)) return [];
      const byDividing = target.div(rate);
      const byMultiplying = target.mul(rate);
      const step = new Decimal(10).pow(-source.decimalPlaces());
      const divides = byDividing.sub(source).abs().lte(step);
      if (divides === byMultiplying.sub(source).abs().lte(step)) return [];
      const orientation = divides ? 'target-per-source' : 'source-per-target';
      const asked = amount(sent.get(text(quote['quote_id']))?.['target_amount']);
      const meaning = asked?.eq(target) ? 'target' : asked?.eq(source) ? 'source' : undefined;
      // The other amount is the one that was computed.
      const exact =
        meaning === 'source'
          ? divides
            ? source.mul(rate)
            : source.div(rate)
          : divides
            ? byDividing
            : byMultiplying;
      const computed = meaning === 'source' ? quote['target_amount'] : quote['source_amount'];
      const format = formatOf(String(computed), exact);
      return [
        { gap: 'quote.rate_orientation', answer: orientation, evidence },
        ...(format ? [{ gap: 'money.format', answer: format, evidence } as const] : []),
        ...(meaning ? [{ gap: 'quote.target_amount', answer: meaning, evidence } as const] : []),
      ];
    }),
  );
}

/**
 * The counter amount of an order, taken where the order's own was refused at the same rate: what is submitted means the
 * source currency. Lists need not show it, since they may give back both amounts as they came.
 */
function counterSights(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly Sight[] {
  const orders = ordersIn(exchanges);
  const byOrder = grouped(submissions, (one) => one.intentId);
  return submissions.flatMap(({ exchange, intentId }): Sight[] => {
    const { fx_rate, target_amount } = bodyOf(exchange);
    const rate = amount(fx_rate);
    const given = amount(target_amount);
    const whole = amount(orders.get(intentId)?.[0]?.order['target_amount']);
    if (!succeeded(exchange) || !rate || !given || !whole || rate.lte(0) || rate.eq(1)) return [];
    const wholeRefused = byOrder.get(intentId)?.find(({ exchange: other }) => {
      const body = bodyOf(other);
      const alike = other.party === exchange.party && body['fx_rate'] === fx_rate;
      return alike && refused(other) && amount(body['target_amount'])?.eq(whole);
    });
    const orientation = given.mul(rate).eq(whole)
      ? 'target-per-source'
      : whole.mul(rate).eq(given)
        ? 'source-per-target'
        : undefined;
    if (!wholeRefused || !orientation) return [];
    const evidence = [wholeRefused.exchange.id, exchange.id];
    return [
      { gap: 'quote.target_amount', answer: 'source', evidence },
      { gap: 'quote.rate_orientation', answer: orientation, evidence },
    ];
  });
}

/** How an amount was rounded and written, where its exact value tells. */
function formatOf(written: string, exact: Base): string | undefined {
  const digits = written.split('.')[1]?.length ?? 0;
  const needed = exact.decimalPlaces();
  if (digits === 8 && needed !== 8) return '8-decimals-zeros';
  if (digits > 3 && needed < digits) return `${digits} decimals`;
  if (needed <= digits) return undefined;
  const value = new Decimal(written);
  const up = exact.toDecimalPlaces(digits, Decimal.ROUND_UP).eq(value);
  const even = exact.toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN).eq(value);
  if (digits > 3)
    return digits === 9 || digits === 10 ? '10-decimals-trimmed' : `${digits} decimals`;
  if (up === even) return undefined;
  return up ? 'minor-unit-up' : 'minor-unit-half-even';
}

function submissionSights(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly Sight[] {
  const orders = ordersIn(exchanges);
  const accepted = new Map(
    to(exchanges, 'quote.accept').flatMap((one) =>
      succeeded(one) ? [[one.params.intent_id ?? '', one] as const] : [],
    ),
  );
  const quoted = new Set<string>();
  return submissions.flatMap(({ exchange, intentId }): Sight[] => {
    // A second quote of one maker may be refused for being the second.
    const key = `${exchange.party} ${intentId}`;
    if (quoted.has(key)) return [];
    if (succeeded(exchange)) quoted.add(key);
    const body = bodyOf(exchange);
    // As it was first shown: PENDING, where its creation was seen.
    const order = orders.get(intentId)?.[0]?.order;
    const until = Date.parse(String(body['valid_until']));
    const evidence = [exchange.id];
    const answer = (yes: string, no: string) => (succeeded(exchange) ? yes : no);
    // Each question only where nothing else about the quote could have been refused.
    const wholeAmount = amount(body['target_amount'])?.eq(amount(order?.['target_amount']) ?? -1);
    if (!order || !hasForm('timestamp', body['valid_until']) || order['status'] !== 'PENDING')
      return [];
    const expires = Date.parse(String(order['expires_at']));
    const taken = accepted.get(intentId);
    if (taken && follows(exchange, taken) && wholeAmount && exchange.party !== taken.party) {
      return [{ gap: 'quote.late', answer: answer('taken', 'refuse'), evidence }];
    }
    if (until < exchange.sent - 60_000 && wholeAmount) {
      return [{ gap: 'quote.past_validity', answer: answer('expired', 'refuse'), evidence }];
    }
    const most = amount(order['source_amount_max']);
    const atPar = amount(body['fx_rate'])?.eq(1) ?? false;
    if (atPar && wholeAmount && most?.lt(amount(body['target_amount']) ?? 0) && refused(exchange)) {
      return [{ gap: 'quote.above_max', answer: 'refuse-submit', evidence }];
    }
    if (atPar && wholeAmount === false && until <= expires && until > exchange.received) {
      return [{ gap: 'quote.amount_match', answer: answer('any', 'equal'), evidence }];
    }
    if (until > expires + 1_000 && wholeAmount && atPar) {
      const data = dataOf(exchange);
      const kept = isObject(data) && Date.parse(String(data['valid_until'])) === until;
      const allowed = kept ? 'allow' : "shortened to the order's";
      return [{ gap: 'quote.beyond_expiry', answer: answer(allowed, 'refuse'), evidence }];
    }
    return [];
  });
}

function twiceSights(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly Sight[] {
  const pairs = grouped(submissions, (one) => `${one.exchange.party} ${one.intentId}`);
  return [...pairs.values()].flatMap((own): Sight[] => {
    const first = own.find((one) => succeeded(one.exchange));
    const second = own.find(
      (one) =>
        first !== undefined &&
        follows(one.exchange, first.exchange) &&
        JSON.stringify(one.exchange.request.body) === JSON.stringify(first.exchange.request.body),
    );
    if (!first || !second) return [];
    const evidence = [first.exchange.id, second.exchange.id];
    if (refused(second.exchange)) return [{ gap: 'quote.twice', answer: 'refuse', evidence }];
    const list = about(exchanges, 'rfq.quotes', first.intentId).find(
      (one) => one.party === first.exchange.party && follows(one, second.exchange),
    );
    if (!list || !succeeded(list)) return [];
    const open = itemsOf(list).filter((quote) => quote['status'] === 'PENDING').length;
    const answer = open >= 2 ? 'allow' : open === 1 ? 'replace' : undefined;
    return answer ? [{ gap: 'quote.twice', answer, evidence: [...evidence, list.id] }] : [];
  });
}

/** Second acceptances, and acceptances of quotes above the maximum. */
function acceptSights(exchanges: readonly Exchange[]): readonly Sight[] {
  const accepts = to(exchanges, 'quote.accept').filter((one) => one.auth === 'own');
  const byQuote = grouped(accepts, (one) => one.params.quote_id);
  const orders = ordersIn(exchanges);
  const listed = new Map<string, Fields>();
  for (const list of to(exchanges, 'order.quotes')) {
    for (const quote of itemsOf(list)) listed.set(String(quote['quote_id']), quote);
  }
  return [...byQuote].flatMap(([quoteId, tries]): Sight[] => {
    const first = tries[0];
    const quote = listed.get(quoteId);
    if (!first) return [];
    const seen = orders.get(first.params.intent_id ?? '') ?? [];
    const order = seen.at(-1)?.order;
    const source = amount(quote?.['source_amount']);
    const most = amount(order?.['source_amount_max']);
    if (source && most && source.gt(most) && (refused(first) || succeeded(first))) {
      // Read before anything else could end it.
      const after = seen.find((one) => follows(one.exchange, first));
      const failed = after?.order['status'] === 'FAILED';
      const answer = succeeded(first) || failed ? 'fail-order' : 'refuse-accept';
      return [{ gap: 'quote.above_max', answer, evidence: [first.id] }];
    }
    const again = tries.find((one) => succeeded(first) && follows(one, first));
    if (!again || again.party !== first.party || !(succeeded(again) || refused(again))) return [];
    const answer = succeeded(again) ? 'repeat' : 'refuse';
    return [{ gap: 'accept.again', answer, evidence: [first.id, again.id] }];
  });
}

/** What became of the other quotes of the maker that was selected. */
function winnerSights(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly Sight[] {
  const makerOf = new Map(submissions.map((one) => [one.quoteId, one.exchange.party] as const));
  return to(exchanges, 'quote.accept')
    .filter(succeeded)
    .flatMap((accept): Sight[] => {
      const list = about(exchanges, 'order.quotes', accept.params.intent_id).find((one) =>
        follows(one, accept),
      );
      const winner = makerOf.get(accept.params.quote_id);
      if (!list || winner === undefined) return [];
      return itemsOf(list).flatMap((quote): Sight[] => {
        const id = text(quote['quote_id']);
        const live = Date.parse(String(quote['valid_until'])) > list.received;
        if (id === accept.params.quote_id || makerOf.get(id) !== winner || !live) return [];
        const answer = String(quote['status']);
        return [{ gap: 'quote.winner_others', answer, evidence: [accept.id, list.id] }];
      });
    });
}

/** What became of quotes whose order was cancelled: the accepted one, and those left pending. */
function orphanSights(exchanges: readonly Exchange[]): readonly Sight[] {
  const cancels = to(exchanges, 'order.cancel').filter(succeeded);
  return cancels.flatMap((cancel): Sight[] => {
    const id = cancel.params.intent_id;
    const list = about(exchanges, 'order.quotes', id).find(
      (one) => follows(one, cancel) && succeeded(one),
    );
    const over = ordersIn(exchanges)
      .get(id ?? '')
      ?.find((one) => isTerminal(one.order['status'] as OrderState));
    if (!list || !over || over.order['status'] === 'SETTLED') return [];
    const accepted = about(exchanges, 'quote.accept', id).find(
      (one) => succeeded(one) && follows(cancel, one),
    );
    const evidence = [cancel.id, list.id];
    return itemsOf(list).flatMap((quote): Sight[] => {
      const status = String(quote['status']);
      if (quote['quote_id'] === accepted?.params.quote_id) {
        return [{ gap: 'cancel.accepted_quote', answer: status, evidence }];
      }
      const live = Date.parse(String(quote['valid_until'])) > list.received;
      if (accepted || !live) return [];
      const answer = status === 'PENDING' ? 'lapse' : status;
      return [{ gap: 'quote.orphans', answer, evidence }];
    });
  });
}

const requestFields = fieldsOf(resources.rfq).map(({ name }) => name);

function requestSights(exchanges: readonly Exchange[]): readonly Sight[] {
  const closed = new Map<string, Exchange>();
  for (const one of to(exchanges, 'order.cancel', 'quote.accept')) {
    const id = one.params.intent_id;
    if (id !== undefined && succeeded(one) && !closed.has(id)) closed.set(id, one);
  }
  return to(exchanges, 'rfq.read').flatMap((exchange): Sight[] => {
    const data = dataOf(exchange);
    const evidence = [exchange.id];
    const end = closed.get(exchange.params.intent_id ?? '');
    if (end && follows(exchange, end) && exchange.auth === 'own') {
      const answer = succeeded(exchange) ? 'read' : refused(exchange) ? 'refuse' : undefined;
      return answer ? [{ gap: 'rfq.closed', answer, subject: exchange.party, evidence }] : [];
    }
    if (!isObject(data)) return [];
    const extra = Object.entries(data).filter(([key]) => !requestFields.includes(key));
    const names = extra.map(([key, value]) => (Array.isArray(value) ? `own-${key}` : key)).sort();
    return [
      { gap: 'rfq.detail', answer: names.join(' ') || 'none', subject: exchange.id, evidence },
    ];
  });
}
