import { compare, type Exact, exact, productNear, significantScale } from './exact.ts';
import { isSet, type JsonObject, textAt } from './json.ts';
import { sameUpToLastPlace, sameValue } from './same.ts';
import { isOne, winnerOf } from './echo.ts';
import { defineRule } from './tally.ts';
import { takenAs } from './terms.ts';
import type { OrderStory, QuoteStory } from './view/stories.ts';

/** `target-per-source`: target is source times rate. Which one a target uses is open (gap `quote.rate_orientation`). */
type Orientation = 'target-per-source' | 'source-per-target';

type Side = 'source' | 'target';

interface Deal {
  readonly amounts: Readonly<Record<Side, Exact>>;
  readonly currencies: Readonly<Record<Side, string>>;
  readonly rate: Exact;
  /** Which of the amounts the backend worked out; both where that is unknown. */
  readonly computed: readonly Side[];
}

/** By currency, the decimals down to which a target works amounts out, as far as the history shows. */
type Precision = ReadonlyMap<string, number>;

function precisionOf(some: Iterable<Deal>): Precision {
  const precision = new Map<string, number>();
  for (const { amounts, currencies, computed } of some) {
    for (const side of computed) {
      const scale = significantScale(amounts[side]);
      const currency = currencies[side];
      precision.set(currency, Math.max(scale, precision.get(currency) ?? 0));
    }
  }
  return precision;
}

/** Decimals that a currency has at least, where the target has shown an order in it with as many; two will do. */
function minorUnits(stories: Iterable<OrderStory>): Precision {
  const places = new Map<string, number>();
  const take = (currency: string, shown: unknown): void => {
    const amount = exact(shown);
    if (!amount || currency === '') return;
    const scale = Math.min(2, significantScale(amount));
    places.set(currency, Math.max(scale, places.get(currency) ?? 0));
  };
  for (const story of stories) {
    for (const { value, whole } of story.sightings) {
      if (!whole) continue;
      take(currencyOf(story, 'source_currency'), value['source_amount_max']);
      take(currencyOf(story, 'target_currency'), value['target_amount']);
      break;
    }
  }
  return places;
}

/** What is known of how finely a target works amounts out. */
interface Fineness {
  readonly computed: Precision;
  readonly minor: Precision;
}

/**
 * One unit of the last place that was worked out. Neither zeros that only pad count as places, nor, where a
 * target has shown finer amounts of the currency, zeros that were cut; nor is a currency that has cents rounded
 * to whole units.
 */
function unitOf(deal: Deal, side: Side, { computed, minor }: Fineness): Exact {
  const { scale } = deal.amounts[side];
  const currency = deal.currencies[side];
  const shown = Math.min(scale, computed.get(currency) ?? scale);
  return { digits: 1n, scale: Math.max(shown, minor.get(currency) ?? 0) };
}

/**
 * Whether the amounts agree under an orientation, up to one unit of the last place of whichever was worked out.
 * Without division: s = t / r up to u means s * r = t up to u * r.
 */
function agrees(deal: Deal, orientation: Orientation, fineness: Fineness): boolean {
  const { amounts, rate, computed } = deal;
  const [from, to]: readonly [Side, Side] =
    orientation === 'target-per-source' ? ['source', 'target'] : ['target', 'source'];
  return computed.some((side) => {
    const unit = unitOf(deal, side, fineness);
    const bound =
      side === to ? unit : { digits: unit.digits * rate.digits, scale: unit.scale + rate.scale };
    return productNear(amounts[from], rate, amounts[to], bound);
  });
}

const orientations = ['target-per-source', 'source-per-target'] as const;

/** The orientations under which a deal holds together. A rate of one fits both. */
const fitting = (deal: Deal, fineness: Fineness): readonly Orientation[] =>
  orientations.filter((orientation) => agrees(deal, orientation, fineness));

type DealOf = (
  shown: readonly [source: unknown, target: unknown, rate: unknown],
  currencies: Deal['currencies'],
  computed: Deal['computed'],
) => Deal | undefined;

const dealOf: DealOf = ([source, target, rate], currencies, computed) => {
  const [s, t, r] = [exact(source), exact(target), exact(rate)];
  if (!s || !t || !r || r.digits <= 0n || s.digits <= 0n || t.digits <= 0n) return undefined;
  return { amounts: { source: s, target: t }, currencies, rate: r, computed };
};

/** The same deal for the same texts: one is seen many times. */
function deals(): DealOf {
  const known = new Map<string, Deal | undefined>();
  return (shown, currencies, computed) => {
    const key = JSON.stringify([shown, currencies.source, currencies.target, computed]);
    if (!known.has(key)) known.set(key, dealOf(shown, currencies, computed));
    return known.get(key);
  };
}

/** Which amount a backend works out is told by which one the maker gave it (gap `quote.target_amount`). */
function computedFrom(sent: JsonObject | undefined, value: JsonObject): Deal['computed'] {
  const given = sent?.['target_amount'];
  if (given === undefined) return ['source', 'target'];
  const isTarget = sameValue('target_amount', given, value['target_amount']);
  const isSource = sameValue('source_amount', given, value['source_amount']);
  if (isTarget === isSource) return ['source', 'target'];
  return isTarget ? ['source'] : ['target'];
}

interface Seen {
  readonly deal: Deal;
  readonly requirement:
    | 'quote.source-amount.agrees-with-rate'
    | 'order.source-amount-actual.agrees-with-rate';
  readonly source: string;
  readonly value: JsonObject;
}

/**
 * Whether the order's own amounts must agree with the rate: its quote was made for the whole of it, and the amount
 * that was submitted surely meant the target currency.
 */
function isForOrder(
  quote: QuoteStory | undefined,
  target: unknown,
  declared: string | undefined,
): boolean {
  const given = quote?.sent?.['target_amount'];
  if (given === undefined || !sameValue('target_amount', given, target)) return false;
  const listed = quote?.sightings.find(({ resource }) => resource === 'quote')?.value;
  if (!listed || !isSet(listed['source_amount'])) return declared === 'target';
  return (
    sameValue('target_amount', listed['target_amount'], given) &&
    (isOne(quote?.sent?.['fx_rate']) || !sameValue('source_amount', listed['source_amount'], given))
  );
}

/** Both amounts are what was submitted, at a rate other than one: what the submitted amount meant is open. */
const isAmbiguous = (quote: QuoteStory, value: JsonObject): boolean => {
  const given = quote.sent?.['target_amount'];
  return (
    sameValue('target_amount', given, value['target_amount']) &&
    sameValue('source_amount', given, value['source_amount']) &&
    !isOne(value['fx_rate'])
  );
};

const currencyOf = (story: OrderStory, field: 'source_currency' | 'target_currency'): string =>
  textAt(story.sent, field) ??
  story.sightings.map(({ value }) => textAt(value, field)).find(isSet) ??
  '';

function* dealsIn(
  story: OrderStory,
  declared: string | undefined,
  dealOnce: DealOf,
): Generator<Seen> {
  const currencies = {
    source: currencyOf(story, 'source_currency'),
    target: currencyOf(story, 'target_currency'),
  };
  for (const quote of story.quotes) {
    for (const { resource, value, source } of quote.sightings) {
      if (resource !== 'quote' || isAmbiguous(quote, value)) continue;
      const computed = computedFrom(quote.sent, value);
      const deal = dealOnce(
        [value['source_amount'], value['target_amount'], value['fx_rate']],
        currencies,
        computed,
      );
      if (deal) yield { deal, requirement: 'quote.source-amount.agrees-with-rate', source, value };
    }
  }
  const winner = winnerOf(story);
  for (const { value, source, resource } of story.sightings) {
    if (resource !== 'order' || !isSet(value['source_amount_actual'])) continue;
    if (!isForOrder(winner, value['target_amount'], declared)) continue;
    const deal = dealOnce(
      [value['source_amount_actual'], value['target_amount'], value['fx_rate']],
      currencies,
      ['source'],
    );
    const requirement = 'order.source-amount-actual.agrees-with-rate';
    if (deal) yield { deal, requirement, source, value };
  }
}

export const rates = defineRule({
  id: 'money.rates',
  title: 'Amounts and rate agree, in one orientation throughout',
  requirements: [
    'quote.source-amount.agrees-with-rate',
    'order.source-amount-actual.agrees-with-rate',
  ],
  judge(view, tally) {
    const meaning = view.context.answers('quote.target_amount');
    const dealOnce = deals();
    const seen = [...view.orders.values()].flatMap((story) => [
      ...dealsIn(story, meaning, dealOnce),
    ]);
    const fineness = {
      computed: precisionOf(new Set(seen.map(({ deal }) => deal))),
      minor: minorUnits(view.orders.values()),
    };
    /** No place of any currency is the least that counts: the document names none (gap `money.format`). */
    const coarse = { ...fineness, minor: new Map() };
    const known = new Map<Deal, readonly Orientation[]>();
    const fittingOnce = (deal: Deal): readonly Orientation[] => {
      const before = known.get(deal) ?? fitting(deal, fineness);
      known.set(deal, before);
      return before;
    };
    const telling = new Map<Orientation, Seen[]>(orientations.map((name) => [name, []]));
    for (const each of seen) {
      const { requirement, deal, source, value } = each;
      const fits = fittingOnce(deal);
      const actual = {
        source: value['source_amount'] ?? value['source_amount_actual'],
        target: value['target_amount'],
        fx_rate: value['fx_rate'],
      };
      if (fits.length === 0 && fitting(deal, coarse).length > 0) {
        tally.warn(requirement, {
          message:
            'the amounts and the rate agreed in whole units alone, of a currency that has cents',
          expected: 'an amount in cents, most likely',
          actual,
          evidence: [source],
        });
        continue;
      }
      tally.judge(requirement, fits.length > 0, source, () => ({
        message: 'the amounts and the rate agreed in neither orientation',
        expected: 'target = source * rate, or source = target * rate, up to the last place shown',
        actual,
        evidence: [source],
      }));
      const [only] = fits;
      if (only && fits.length === 1) telling.get(only)?.push(each);
    }
    const [one, other] = [...telling.values()].sort((a, b) => b.length - a.length);
    for (const stray of other ?? []) {
      tally.warn(stray.requirement, {
        message: 'a rate was the other way round than the rest of them',
        actual: stray.value['fx_rate'],
        evidence: [one?.[0]?.source ?? '', stray.source],
      });
    }
  },
});

export const maximum = defineRule({
  id: 'money.maximum',
  title: 'Nobody pays more than the maximum',
  requirements: ['order.source-amount-actual.at-most-max'],
  judge(view, tally) {
    for (const { sightings, sent } of view.orders.values()) {
      for (const { value, source } of sightings) {
        const actual = exact(value['source_amount_actual']);
        const max = exact(value['source_amount_max'] ?? sent?.['source_amount_max']);
        if (!actual || !max) continue;
        const holds = compare(actual, max) <= 0;
        tally.judge('order.source-amount-actual.at-most-max', holds, source, () => ({
          message: 'source_amount_actual was above source_amount_max',
          expected: `at most ${String(value['source_amount_max'] ?? sent?.['source_amount_max'])}`,
          actual: value['source_amount_actual'],
          evidence: [source],
        }));
      }
    }
  },
});

/** The quote that the one successful acceptance named; undefined where several may have had effect. */
function acceptedBy(story: OrderStory): { quoteId: string; source: string } | undefined {
  const took = story.acceptances.filter((call) => call.ok);
  const doubtful = story.acceptances.some(
    (call) => call.status === undefined || call.status >= 500,
  );
  const ids = new Set(took.map((call) => call.exchange.params.quote_id));
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  return doubtful || ids.size !== 1 || !call || quoteId === undefined
    ? undefined
    : { quoteId, source: call.id };
}

export const acceptedQuote = defineRule({
  id: 'order.accepted-quote',
  title: 'An order shows the quote that was accepted: its id, its maker, its rate and its amount',
  requirements: [
    'order.quote-id.names-accepted-quote',
    'order.market-maker-party-id.is-winner',
    'order.fx-rate.of-accepted-quote',
    'order.source-amount-actual.of-accepted-quote',
    'quote.accept.selects-named-quote',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const accepted = acceptedBy(story);
      if (!accepted) continue;
      const quote = view.quotes.get(accepted.quoteId);
      const maker = quote?.maker === undefined ? undefined : view.partyIdOf(quote.maker);
      const listed = quote?.sightings.find(
        ({ resource, value }) => resource === 'quote' && isSet(value['source_amount']),
      );
      const rates = quote ? takenAs(quote, story).map((sent) => sent['fx_rate']) : [];
      const rival = story.quotes.length > 1;
      for (const { value, source, via } of story.sightings) {
        const blame = (field: string, wanted: unknown) => () => ({
          message: `${field} of an order was not that of the accepted quote (${via})`,
          expected: wanted,
          actual: value[field],
          evidence: [accepted.source, source],
        });
        const same = (field: string, wanted: unknown, of = field): boolean | undefined =>
          isSet(value[field]) && isSet(wanted) ? sameValue(of, value[field], wanted) : undefined;

        const id = same('quote_id', accepted.quoteId);
        if (id !== undefined) {
          const told = blame('quote_id', accepted.quoteId);
          tally.judge('order.quote-id.names-accepted-quote', id, source, told);
          if (rival) tally.judge('quote.accept.selects-named-quote', id, source, told);
        }
        const party = same('market_maker_party_id', maker);
        if (party !== undefined) {
          const told = blame('market_maker_party_id', maker);
          tally.judge('order.market-maker-party-id.is-winner', party, source, told);
        }
        const fits = rates.flatMap((submitted) => same('fx_rate', submitted) ?? []);
        if (fits.length > 0) {
          const told = blame('fx_rate', rates[0]);
          tally.judge('order.fx-rate.of-accepted-quote', fits.includes(true), source, told);
        }
        if (rates.length > 1) continue;
        // What is paid on a quote for another amount than the order's is open (gap `quote.amount_match`).
        const target = story.sent?.['target_amount'];
        const whole = sameValue('target_amount', listed?.value['target_amount'], target);
        if (target !== undefined && !whole) continue;
        const quoted = listed?.value['source_amount'];
        if (!isSet(value['source_amount_actual']) || !isSet(quoted)) continue;
        const near = sameUpToLastPlace(value['source_amount_actual'], quoted);
        if (near === undefined) continue;
        const told = blame('source_amount_actual', quoted);
        tally.judge('order.source-amount-actual.of-accepted-quote', near, source, told);
      }
    }
  },
});
