import { groupBy } from '../../history/group-by.ts';
import type { Decimal as Base } from 'decimal.js';
import { hasForm } from '../../spec/forms.ts';
import type { Exchange } from '../../history/records.ts';
import {
  callsAbout,
  amount,
  bodyOf,
  dataOf,
  Decimal,
  follows,
  isObject,
  itemsOf,
  ordersIn,
  refused,
  isWholeList,
  succeeded,
  text,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

interface Submission {
  readonly exchange: Exchange;
  readonly intentId: string;
  readonly quoteId: string | undefined;
}

export function observeQuotes(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const submissions = callsTo(exchanges, 'quote.submit').flatMap((exchange): Submission[] => {
    const intentId = exchange.params.intent_id;
    const answered = succeeded(exchange) || refused(exchange);
    if (intentId === undefined || !answered || exchange.auth !== 'own') return [];
    const data = dataOf(exchange);
    return [{ exchange, intentId, quoteId: text(isObject(data) ? data['quote_id'] : undefined) }];
  });
  return [
    ...observeAmount(exchanges, submissions),
    ...observeCounter(exchanges, submissions),
    ...observeSubmission(exchanges, submissions),
    ...observeRepeatedQuote(exchanges, submissions),
    ...observeValidity(exchanges, submissions),
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
function observeValidity(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly GapObservation[] {
  const terms = ({ exchange, intentId }: Submission): string => {
    const { fx_rate, target_amount } = bodyOf(exchange);
    return JSON.stringify([exchange.by, exchange.party, intentId, fx_rate, target_amount]);
  };
  return [...groupBy(submissions, terms).values()].flatMap((tried): GapObservation[] => {
    const taken = tried.find(({ exchange }) => succeeded(exchange));
    const before = taken ? tried.slice(0, tried.indexOf(taken)) : [];
    if (!taken || before.length === 0) return [];
    // Its own clock tells when it took the quote; ours may stand hours apart.
    const data = dataOf(taken.exchange);
    const at = Date.parse(text(isObject(data) ? data['submitted_at'] : undefined) ?? '');
    const aheadMs = Number.isNaN(at) ? 0 : at - taken.exchange.sent;
    const lasting = ({ exchange }: Submission): number =>
      validUntil(exchange) - exchange.sent - aheadMs;
    // One that outlives its order may be refused for that (gap `quote.beyond_expiry`).
    const expires = expiryOf(exchanges, taken.intentId);
    if (before.some(({ exchange }) => validUntil(exchange) > expires)) return [];
    // One as short that was refused, was refused for another reason that has passed since.
    if (!before.every((one) => lasting(one) > 1.2 * lasting(taken))) return [];
    const bound = bounds.find(({ mostMs }) => lasting(taken) > 0 && lasting(taken) <= mostMs);
    const evidence = [...before, taken].map(({ exchange }) => exchange.id);
    return bound ? [{ gap: 'quote.max_validity', answer: bound.answer, evidence }] : [];
  });
}

const validUntil = (submission: Exchange): number =>
  Date.parse(text(bodyOf(submission)['valid_until']) ?? '');

const expiryOf = (exchanges: readonly Exchange[], intentId: string): number =>
  Date.parse(text(ordersIn(exchanges).get(intentId)?.[0]?.order['expires_at']) ?? '');

/** Orientation, meaning and number format, from quotes as the order's side lists them. */
function observeAmount(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly GapObservation[] {
  const sent = new Map(submissions.map((one) => [one.quoteId, bodyOf(one.exchange)] as const));
  const orders = ordersIn(exchanges);
  return callsTo(exchanges, 'order.quotes').flatMap((exchange) =>
    itemsOf(exchange).flatMap((quote): GapObservation[] => {
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
      const order = orders.get(text(quote['intent_id']) ?? '')?.[0]?.order;
      const asOrdered = meaning === 'source' && amount(order?.['target_amount'])?.eq(target);
      const format = meaning && !asOrdered ? formatOf(String(computed), exact) : undefined;
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
function observeCounter(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly GapObservation[] {
  const orders = ordersIn(exchanges);
  const byOrder = groupBy(submissions, (one) => one.intentId);
  return submissions.flatMap(({ exchange, intentId }): GapObservation[] => {
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

function observeSubmission(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly GapObservation[] {
  const orders = ordersIn(exchanges);
  const accepted = new Map(
    callsTo(exchanges, 'quote.accept').flatMap((one) =>
      succeeded(one) ? [[one.params.intent_id ?? '', one] as const] : [],
    ),
  );
  const quoted = new Set<string>();
  const lasting = (one: Exchange): number => validUntil(one) - one.sent;
  const longest = Math.max(
    0,
    ...submissions.map(({ exchange }) => (succeeded(exchange) ? lasting(exchange) : 0)),
  );
  return submissions.flatMap(({ exchange, intentId }): GapObservation[] => {
    // A second quote of one maker may be refused for being the second.
    const key = `${exchange.party} ${intentId}`;
    if (quoted.has(key)) return [];
    if (succeeded(exchange)) quoted.add(key);
    const body = bodyOf(exchange);
    const born = orders.get(intentId)?.[0];
    const until = validUntil(exchange);
    const evidence = [exchange.id];
    const answer = (yes: string, no: string) => (succeeded(exchange) ? yes : no);
    if (born?.exchange.endpoint !== 'order.create' || !hasForm('timestamp', body['valid_until']))
      return [];
    const { order } = born;
    if (order['status'] !== 'PENDING') return [];
    // Its own clock tells when it created the order; ours may stand hours apart.
    const aheadMs = Date.parse(String(order['created_at'])) - born.exchange.sent;
    const sent = exchange.sent + aheadMs;
    const received = exchange.received + aheadMs;
    const expires = Date.parse(String(order['expires_at']));
    // Each question only where nothing else about the quote could have been refused.
    const wholeAmount = amount(body['target_amount'])?.eq(amount(order['target_amount']) ?? -1);
    if (refused(exchange) && received >= expires) return [];
    const taken = accepted.get(intentId);
    if (taken && follows(exchange, taken) && wholeAmount && exchange.party !== taken.party) {
      return [{ gap: 'quote.late', answer: answer('taken', 'refuse'), evidence }];
    }
    if (until < sent - 60_000 && wholeAmount) {
      return [{ gap: 'quote.past_validity', answer: answer('expired', 'refuse'), evidence }];
    }
    const most = amount(order['source_amount_max']);
    const atPar = amount(body['fx_rate'])?.eq(1) ?? false;
    if (atPar && wholeAmount && most?.lt(amount(body['target_amount']) ?? 0) && refused(exchange)) {
      return [{ gap: 'quote.above_max', answer: 'refuse-submit', evidence }];
    }
    if (atPar && wholeAmount === false && until <= expires && until > received) {
      return [{ gap: 'quote.amount_match', answer: answer('any', 'equal'), evidence }];
    }
    // One that lasts far longer than any that was taken may be refused for that (gap `quote.max_validity`).
    const tooLong = refused(exchange) && lasting(exchange) > 2 * longest + 60_000;
    if (until > expires + 1_000 && wholeAmount && atPar && !tooLong) {
      const data = dataOf(exchange);
      const kept = isObject(data) && Date.parse(String(data['valid_until'])) === until;
      const allowed = kept ? 'allow' : "shortened to the order's";
      return [{ gap: 'quote.beyond_expiry', answer: answer(allowed, 'refuse'), evidence }];
    }
    return [];
  });
}

/** Whether an order was open to quotes until this one was answered, for all that anybody did. */
function mayQuote(exchanges: readonly Exchange[], intentId: string, quote: Exchange): boolean {
  const ends = (['quote.accept', 'order.cancel'] as const).flatMap((name) =>
    callsAbout(exchanges, name, intentId),
  );
  return ends.every((one) => refused(one) || follows(one, quote));
}

function observeRepeatedQuote(
  exchanges: readonly Exchange[],
  submissions: readonly Submission[],
): readonly GapObservation[] {
  const pairs = groupBy(submissions, (one) => `${one.exchange.party} ${one.intentId}`);
  return [...pairs.values()].flatMap((own): GapObservation[] => {
    const first = own.find((one) => succeeded(one.exchange));
    const second = own.find(
      (one) =>
        first !== undefined &&
        follows(one.exchange, first.exchange) &&
        JSON.stringify(one.exchange.request.body) === JSON.stringify(first.exchange.request.body),
    );
    if (!first || !second) return [];
    const evidence = [first.exchange.id, second.exchange.id];
    if (refused(second.exchange)) {
      const alone = mayQuote(exchanges, first.intentId, second.exchange);
      return alone ? [{ gap: 'quote.twice', answer: 'refuse', evidence }] : [];
    }
    const list = callsAbout(exchanges, 'rfq.quotes', first.intentId).find(
      (one) =>
        one.party === first.exchange.party && follows(one, second.exchange) && isWholeList(one),
    );
    if (!list) return [];
    const open = itemsOf(list).filter((quote) => quote['status'] === 'PENDING');
    const isOpen = ({ quoteId }: Submission): boolean =>
      open.some((quote) => quote['quote_id'] === quoteId);
    // A list that does not hold the second yet says nothing of the first.
    if (!isOpen(second)) return [];
    const answer = isOpen(first) ? 'allow' : 'replace';
    return [{ gap: 'quote.twice', answer, evidence: [...evidence, list.id] }];
  });
}
