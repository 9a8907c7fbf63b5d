import { parseTimestamp } from '../spec/forms.ts';
import { chosenFields, fieldRequirement, type RequirementId } from '../spec/requirements/index.ts';
import { exact, compare as compareNumbers, productNear } from './exact.ts';
import { isObject, isSet } from './json.ts';
import { patience } from './patience.ts';
import { sameUpToLastPlace, sameValue } from './same.ts';
import { defineRule, type Tally } from './tally.ts';
import { isReplacedInPlace } from './terms.ts';
import type { Call } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import type { OrderStory, QuoteStory } from './view/stories.ts';
import type { HistoryView } from './view.ts';

const echoes = chosenFields.map((field) => ({
  field,
  requirement: fieldRequirement('order', field, 'echo'),
}));

/** By the memo that was sent, the creation that sent it. */
const memosSent = (view: HistoryView): ReadonlyMap<unknown, string> =>
  new Map(
    [...view.orders.values()].flatMap(({ creation, sent }) =>
      creation && sent && isSet(sent['memo']) ? [[sent['memo'], creation.id] as const] : [],
    ),
  );

const amountsSent = new Set<string>(['target_amount', 'source_amount_max']);

/** Judges that a field shows what is known of it; silent where either side has nothing to show. */
function expectSame<Id extends RequirementId>(
  tally: Tally<Id>,
  requirement: Id,
  field: string,
  wanted: { readonly value: unknown; readonly source: string },
  { value, source, via }: Sighting,
): void {
  const found = value[field];
  if (!isSet(found) || !isSet(wanted.value)) return;
  const isSame = sameValue(field, wanted.value, found);
  const isRounded = !isSame && roundedAlike(field, wanted.value, found);
  const blame = () => ({
    message: `${field} in ${via} was not what it should be`,
    expected: wanted.value,
    actual: found,
    evidence: [wanted.source, source],
  });
  // How far amounts are rounded is open (gap `money.format`), but cents that went are worth a word.
  if (isRounded && sameUpToLastPlace(wanted.value, found, 2) === false) {
    const message = `${field} in ${via} was right but for its cents`;
    tally.warn(requirement, { ...blame(), message });
  } else tally.judge(requirement, isSame || isRounded, source, blame);
}

/** Amounts that a backend works out, which two of its resources may show with different numbers of decimals. */
const computed = new Set([
  'source_amount_actual',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
]);
const roundedAlike = (field: string, a: unknown, b: unknown): boolean =>
  computed.has(field) && sameUpToLastPlace(a, b) === true;

export const orderEcho = defineRule({
  id: 'order.echo',
  title: 'An order shows what its sender sent',
  requirements: echoes.map(({ requirement }) => requirement),
  judge(view, tally) {
    for (const { creation, sent, sightings } of view.orders.values()) {
      if (!creation || !sent) continue;
      for (const sighting of sightings) {
        if (sighting.resource !== 'order') continue;
        for (const { field, requirement } of echoes) {
          const value = sent[field];
          // What becomes of a value that has another type than the document gives it is judged by its form alone.
          if (isSet(value) && typeof value !== 'string') continue;
          // Which texts beside plain decimals are numbers, and what becomes of them, is open (gap `money.input`).
          if (amountsSent.has(field) && isSet(value) && !exact(value)) continue;
          // Only a memo that was sent and has gone is judged here: of the others that is a missing field.
          if (field === 'memo' && isSet(value) && sighting.whole && !isSet(sighting.value[field])) {
            if (value === '') continue;
            tally.fail(requirement, {
              message: `the memo that was sent did not show (${sighting.via})`,
              expected: value,
              evidence: [creation.id, sighting.source],
            });
          } else if (field === 'memo' && !isSet(value)) judgeUnsent(creation.id, sighting);
          else expectSame(tally, requirement, field, { value, source: creation.id }, sighting);
        }
      }
    }

    /** What shows where no memo was sent is open; that of another order it is not. */
    function judgeUnsent(created: string, { value, source, via }: Sighting): void {
      const memo = value['memo'];
      if (!isSet(memo) || memo === '') return;
      const of = view.once(memosSent).get(memo);
      if (of !== undefined) {
        tally.fail('order.memo.echo', {
          message: `an order that was sent without a memo showed that of another (${via})`,
          expected: 'no memo',
          actual: memo,
          evidence: [of, created, source],
        });
      } else {
        tally.warn('order.memo.echo', {
          message: `an order that was sent without a memo showed one (${via})`,
          expected: 'no memo',
          actual: memo,
          evidence: [created, source],
        });
      }
    }
  },
});

/** Whether a deadline may have been shortened to the order's (gap `quote.beyond_expiry`). */
function withinOrder(order: OrderStory | undefined, deadline: unknown): boolean {
  const expiry = order?.sightings.map(({ value }) => value['expires_at']).find(isSet);
  if (typeof deadline !== 'string' || typeof expiry !== 'string') return false;
  return Date.parse(deadline) <= Date.parse(expiry);
}

/** For how long a quote was asked to be valid, and how long it was granted; in milliseconds. */
function lengthsOf({
  sent,
  data,
}: Call): { readonly asked: number; readonly granted: number } | undefined {
  if (!isObject(data)) return undefined;
  const [asked, granted, since] = [
    parseTimestamp(sent?.['valid_until']),
    parseTimestamp(data['valid_until']),
    parseTimestamp(data['submitted_at']),
  ];
  if (asked === undefined || granted === undefined || since === undefined) return undefined;
  return { asked: asked - since, granted: granted - since };
}

/**
 * What a target cuts validities to that are longer (gap `quote.max_validity`), where it does: to the same length each
 * time, and never one that is shorter. Undefined where deadlines differ from what was sent in any other way.
 */
function longestGranted(view: HistoryView): number | undefined {
  const all = [...view.quotes.values()].flatMap(({ submission, intentId }) => {
    const lengths = submission?.ok ? lengthsOf(submission) : undefined;
    const isWithin = withinOrder(
      view.orders.get(intentId ?? ''),
      submission?.sent?.['valid_until'],
    );
    return lengths && isWithin ? [lengths] : [];
  });
  const cut = all.filter(({ asked, granted }) => granted !== asked);
  const [first] = cut;
  if (!first || cut.length < 2) return undefined;
  const isBound = all.every(({ asked, granted }) =>
    asked > first.granted + patience.stamp
      ? Math.abs(granted - first.granted) <= patience.stamp
      : granted === asked || asked > first.granted - patience.stamp,
  );
  return isBound ? first.granted : undefined;
}

export const isOne = (value: unknown): boolean => {
  const rate = exact(value);
  return rate !== undefined && compareNumbers(rate, { digits: 1n, scale: 0 }) === 0;
};

/** Whether a number is another one cut or rounded to fewer decimals. */
function isRounded(fine: unknown, coarse: unknown): boolean {
  const [from, to] = [exact(fine), exact(coarse)];
  if (!from || !to || to.scale >= from.scale) return false;
  return productNear(from, { digits: 1n, scale: 0 }, to, { digits: 1n, scale: to.scale });
}

export const quoteEcho = defineRule({
  id: 'quote.echo',
  title: 'A quote shows what its market maker submitted, to its maker and to the order side',
  requirements: [
    'own-quote.intent-id.echo',
    'own-quote.fx-rate.echo',
    'own-quote.target-amount.echo',
    'own-quote.valid-until.echo',
    'quote.fx-rate.as-submitted',
    'quote.target-amount.as-submitted',
    'quote.valid-until.as-submitted',
    'quote.intent-id.names-order',
    'quote.market-maker-party-id.is-submitter',
  ],
  judge(view, tally) {
    const meaning = view.context.answers('quote.target_amount');
    for (const quote of view.quotes.values()) {
      const { sent, submission, intentId } = quote;
      if (!sent || !submission || intentId === undefined) continue;
      const order = view.orders.get(intentId);
      if (isReplacedInPlace(quote, order)) {
        for (const sighting of quote.sightings) judgeAnswer(order, sighting);
        continue;
      }
      const source = submission.id;
      const deadline = dueDeadline(order, submission);
      const target = order?.sent?.['target_amount'];
      const plain =
        isOne(sent['fx_rate']) && sameValue('target_amount', sent['target_amount'], target);
      const wanted = (value: unknown) => ({ value, source });
      for (const sighting of quote.sightings) {
        if (sighting.frame) continue;
        if (sighting.resource === 'own-quote') {
          expectSame(tally, 'own-quote.intent-id.echo', 'intent_id', wanted(intentId), sighting);
          expectSame(tally, 'own-quote.fx-rate.echo', 'fx_rate', wanted(sent['fx_rate']), sighting);
          // Past the answer itself, a list may show what the amount came to in the target currency.
          if (sighting.via === 'quote.submit' || meaning === 'target' || isOne(sent['fx_rate'])) {
            const amount = wanted(sent['target_amount']);
            expectSame(tally, 'own-quote.target-amount.echo', 'target_amount', amount, sighting);
          }
          const requirement = 'own-quote.valid-until.echo';
          expectSame(tally, requirement, 'valid_until', wanted(deadline), sighting);
          continue;
        }
        expectSame(tally, 'quote.intent-id.names-order', 'intent_id', wanted(intentId), sighting);
        expectSame(
          tally,
          'quote.fx-rate.as-submitted',
          'fx_rate',
          wanted(sent['fx_rate']),
          sighting,
        );
        // Worked out from a source amount, it may have been rounded (gaps `quote.target_amount`, `money.format`).
        const found = sighting.value['target_amount'];
        if (plain && !(meaning === 'source' && isRounded(target, found))) {
          const amount = wanted(target);
          expectSame(tally, 'quote.target-amount.as-submitted', 'target_amount', amount, sighting);
        }
        const requirement = 'quote.valid-until.as-submitted';
        expectSame(tally, requirement, 'valid_until', wanted(deadline), sighting);
        if (quote.maker === undefined) continue;
        expectSame(
          tally,
          'quote.market-maker-party-id.is-submitter',
          'market_maker_party_id',
          wanted(view.partyIdOf(quote.maker)),
          sighting,
        );
      }
    }

    /** Whatever becomes of an earlier quote, each submission is answered with its own terms. */
    function judgeAnswer(order: OrderStory | undefined, sighting: Sighting): void {
      const { via, call } = sighting;
      const { sent } = call ?? {};
      if (via !== 'quote.submit' || !call || !sent) return;
      const source = call.id;
      const wanted = (field: string) => ({ value: sent[field], source });
      expectSame(tally, 'own-quote.fx-rate.echo', 'fx_rate', wanted('fx_rate'), sighting);
      const deadline = { value: dueDeadline(order, call), source };
      expectSame(tally, 'own-quote.valid-until.echo', 'valid_until', deadline, sighting);
    }

    /** The deadline that a quote must show: as sent, or as granted where that is beyond what is ever granted. */
    function dueDeadline(order: OrderStory | undefined, call: Call): unknown {
      const asked = call.sent?.['valid_until'];
      if (!withinOrder(order, asked)) return undefined;
      const longest = view.once(longestGranted);
      const lengths = longest === undefined ? undefined : lengthsOf(call);
      const isCut = longest !== undefined && lengths && lengths.asked > longest;
      return isCut && isObject(call.data) ? call.data['valid_until'] : asked;
    }
  },
});

const rfqFields = [
  ['source_currency', 'rfq.source-currency.as-order'],
  ['target_currency', 'rfq.target-currency.as-order'],
  ['target_amount', 'rfq.target-amount.as-order'],
  ['created_at', 'rfq.created-at.as-order'],
  ['expires_at', 'rfq.expires-at.as-order'],
] as const;

/** The first value that any whole sighting of an order set, with where it stood. */
const shownByOrder = (story: OrderStory, field: string): { value: unknown; source: string } => {
  const found = story.sightings.find(({ value, whole }) => whole && isSet(value[field]));
  return { value: found?.value[field], source: found?.source ?? '' };
};

export const rfqEcho = defineRule({
  id: 'rfq.echo',
  title: 'A request for quote shows the currencies, the amount and the times of its order',
  requirements: [
    ...rfqFields.map(([, requirement]) => requirement),
    'event.quote-request-new.agrees-with-read',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      if (story.rfqs.length === 0) continue;
      for (const [field, requirement] of rfqFields) {
        const shown = shownByOrder(story, field);
        const read = story.rfqs.find(({ whole, value }) => whole && isSet(value[field]));
        for (const sighting of story.rfqs) {
          if (sighting.frame && read) {
            const wanted = { value: read.value[field], source: read.source };
            expectSame(tally, 'event.quote-request-new.agrees-with-read', field, wanted, sighting);
          }
          expectSame(tally, requirement, field, shown, sighting);
        }
      }
    }
  },
});

const settlementFields = [
  ['source_currency', 'settlement.source-currency.as-order'],
  ['target_currency', 'settlement.target-currency.as-order'],
  ['target_amount', 'settlement.target-amount.as-order'],
  ['source_amount_actual', 'settlement.source-amount-actual.as-order'],
  ['fx_rate', 'settlement.fx-rate.as-order'],
  ['quote_id', 'settlement.quote-id.as-order'],
  ['transaction_hash', 'settlement.transaction-hash.as-order'],
  ['settled_at', 'settlement.settled-at.as-order'],
] as const;

export const settlementEcho = defineRule({
  id: 'settlement.echo',
  title: 'A settlement shows what its order and its quote show',
  requirements: [
    ...settlementFields.map(([, requirement]) => requirement),
    'settlement.mm-quoted-source-amount.as-quote',
    'settlement.mm-delivered-target-amount.as-order',
    'event.settlement-completed.agrees-with-read',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      if (story.settlements.length === 0) continue;
      const winner = winnerOf(story);
      for (const [field, requirement] of settlementFields) {
        const shown = shownByOrder(story, field);
        for (const sighting of story.settlements) {
          const told = sighting.frame ? 'event.settlement-completed.agrees-with-read' : requirement;
          expectSame(tally, told, field, shown, sighting);
        }
      }
      // Which of several terms under one id were accepted is told by the order itself.
      if (!winner || isReplacedInPlace(winner, story)) continue;
      for (const sighting of story.settlements) {
        const quoted = winner.sightings.find(
          ({ resource, value }) => resource === 'quote' && isSet(value['source_amount']),
        );
        if (quoted) {
          judgeAmount(
            'settlement.mm-quoted-source-amount.as-quote',
            { field: 'mm_quoted_source_amount', of: sighting },
            { value: quoted.value['source_amount'], source: quoted.source },
          );
        }
        if (winner.sent && isForWholeOrder(story, winner)) {
          judgeAmount(
            'settlement.mm-delivered-target-amount.as-order',
            { field: 'mm_delivered_target_amount', of: sighting },
            shownByOrder(story, 'target_amount'),
          );
        }
      }
    }

    function judgeAmount(
      requirement:
        | 'settlement.mm-quoted-source-amount.as-quote'
        | 'settlement.mm-delivered-target-amount.as-order',
      { field, of }: { field: string; of: Sighting },
      wanted: { readonly value: unknown; readonly source: string },
    ): void {
      expectSame(tally, requirement, field, wanted, of);
    }
  },
});

/** The quote that an order names as accepted. */
export function winnerOf(story: OrderStory): QuoteStory | undefined {
  const id = story.sightings.map(({ value }) => value['quote_id']).find(isSet);
  return story.quotes.find((quote) => quote.id === id);
}

/** By what was sent, and by what the order side lists: the amount that was sent may have meant the source currency. */
const isForWholeOrder = (story: OrderStory, winner: QuoteStory): boolean => {
  const target = shownByOrder(story, 'target_amount').value;
  const sent = winner.sent?.['target_amount'];
  if (!isSet(target) || !sameValue('target_amount', sent, target)) return false;
  const listed = winner.sightings.find(({ resource, frame }) => resource === 'quote' && !frame);
  return listed
    ? sameValue('target_amount', listed.value['target_amount'], target)
    : isOne(winner.sent?.['fx_rate']);
};
