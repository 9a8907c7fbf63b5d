import { parseTimestamp } from '../../../spec/forms.ts';
import {
  chosenFields,
  fieldRequirement,
  type RequirementId,
} from '../../../spec/requirements/index.ts';
import {
  parseDecimal,
  compare as compareNumbers,
  isProductWithin,
} from '../../../protocol/decimal.ts';
import { isObject, isSet } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { equalUpToRounding, equalValues } from '../../../protocol/equality.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { isReplacedInPlace } from '../../trace/submitted-quotes.ts';
import type { Call } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

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
function expectEqual<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  field: string,
  required: { readonly value: unknown; readonly source: string },
  { value, source, via }: Snapshot,
): void {
  const found = value[field];
  if (!isSet(found) || !isSet(required.value)) return;
  const isSame = equalValues(field, required.value, found);
  const isRounded = !isSame && roundedAlike(field, required.value, found);
  const violation = () => ({
    message: `${field} in ${via} was not what it should be`,
    expected: required.value,
    actual: found,
    evidence: [required.source, source],
  });
  // How far amounts are rounded is open (gap `money.format`), but cents that went are worth a word.
  if (isRounded && equalUpToRounding(required.value, found, 2) === false) {
    const message = `${field} in ${via} was right but for its cents`;
    findings.warn(requirement, { ...violation(), message });
  } else findings.assert(requirement, isSame || isRounded, source, violation);
}

/** Amounts that a backend works out, which two of its resources may show with different numbers of decimals. */
const computed = new Set([
  'source_amount_actual',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
]);
const roundedAlike = (field: string, a: unknown, b: unknown): boolean =>
  computed.has(field) && equalUpToRounding(a, b) === true;

export const orderEcho = defineRule({
  id: 'order.echo',
  title: 'An order shows what its sender sent',
  requirements: echoes.map(({ requirement }) => requirement),
  judge(view, findings) {
    for (const { creation, sent, snapshots } of view.orders.values()) {
      if (!creation || !sent) continue;
      for (const snapshot of snapshots) {
        if (snapshot.resource !== 'order') continue;
        for (const { field, requirement } of echoes) {
          const value = sent[field];
          // What becomes of a value that has another type than the document gives it is judged by its form alone.
          if (isSet(value) && typeof value !== 'string') continue;
          // Which texts beside plain decimals are numbers, and what becomes of them, is open (gap `money.input`).
          if (amountsSent.has(field) && isSet(value) && !parseDecimal(value)) continue;
          // Only a memo that was sent and has gone is judged here: of the others that is a missing field.
          if (field === 'memo' && isSet(value) && snapshot.whole && !isSet(snapshot.value[field])) {
            if (value === '') continue;
            findings.fail(requirement, {
              message: `the memo that was sent did not show (${snapshot.via})`,
              expected: value,
              evidence: [creation.id, snapshot.source],
            });
          } else if (field === 'memo' && !isSet(value)) judgeUnsent(creation.id, snapshot);
          else expectEqual(findings, requirement, field, { value, source: creation.id }, snapshot);
        }
      }
    }

    /** What shows where no memo was sent is open; that of another order it is not. */
    function judgeUnsent(created: string, { value, source, via }: Snapshot): void {
      const memo = value['memo'];
      if (!isSet(memo) || memo === '') return;
      const of = view.once(memosSent).get(memo);
      if (of !== undefined) {
        findings.fail('order.memo.echo', {
          message: `an order that was sent without a memo showed that of another (${via})`,
          expected: 'no memo',
          actual: memo,
          evidence: [of, created, source],
        });
      } else {
        findings.warn('order.memo.echo', {
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
function withinOrder(order: OrderTrace | undefined, deadline: unknown): boolean {
  const expiry = order?.snapshots.map(({ value }) => value['expires_at']).find(isSet);
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
    asked > first.granted + tolerance.stamp
      ? Math.abs(granted - first.granted) <= tolerance.stamp
      : granted === asked || asked > first.granted - tolerance.stamp,
  );
  return isBound ? first.granted : undefined;
}

export const isRateOne = (value: unknown): boolean => {
  const rate = parseDecimal(value);
  return rate !== undefined && compareNumbers(rate, { digits: 1n, scale: 0 }) === 0;
};

/** Whether a number is another one cut or rounded to fewer decimals. */
function isRounded(fine: unknown, coarse: unknown): boolean {
  const [from, to] = [parseDecimal(fine), parseDecimal(coarse)];
  if (!from || !to || to.scale >= from.scale) return false;
  return isProductWithin(from, { digits: 1n, scale: 0 }, to, { digits: 1n, scale: to.scale });
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
  judge(view, findings) {
    const meaning = view.context.answers('quote.target_amount');
    for (const quote of view.quotes.values()) {
      const { sent, submission, intentId } = quote;
      if (!sent || !submission || intentId === undefined) continue;
      const order = view.orders.get(intentId);
      if (isReplacedInPlace(quote, order)) {
        for (const snapshot of quote.snapshots) judgeAnswer(order, snapshot);
        continue;
      }
      const source = submission.id;
      const deadline = dueDeadline(order, submission);
      const target = order?.sent?.['target_amount'];
      const plain =
        isRateOne(sent['fx_rate']) && equalValues('target_amount', sent['target_amount'], target);
      const required = (value: unknown) => ({ value, source });
      for (const snapshot of quote.snapshots) {
        if (snapshot.frame) continue;
        if (snapshot.resource === 'own-quote') {
          expectEqual(
            findings,
            'own-quote.intent-id.echo',
            'intent_id',
            required(intentId),
            snapshot,
          );
          expectEqual(
            findings,
            'own-quote.fx-rate.echo',
            'fx_rate',
            required(sent['fx_rate']),
            snapshot,
          );
          // Past the answer itself, a list may show what the amount came to in the target currency.
          if (
            snapshot.via === 'quote.submit' ||
            meaning === 'target' ||
            isRateOne(sent['fx_rate'])
          ) {
            const amount = required(sent['target_amount']);
            expectEqual(
              findings,
              'own-quote.target-amount.echo',
              'target_amount',
              amount,
              snapshot,
            );
          }
          const requirement = 'own-quote.valid-until.echo';
          expectEqual(findings, requirement, 'valid_until', required(deadline), snapshot);
          continue;
        }
        expectEqual(
          findings,
          'quote.intent-id.names-order',
          'intent_id',
          required(intentId),
          snapshot,
        );
        expectEqual(
          findings,
          'quote.fx-rate.as-submitted',
          'fx_rate',
          required(sent['fx_rate']),
          snapshot,
        );
        // Worked out from a source amount, it may have been rounded (gaps `quote.target_amount`, `money.format`).
        const found = snapshot.value['target_amount'];
        if (plain && !(meaning === 'source' && isRounded(target, found))) {
          const amount = required(target);
          expectEqual(
            findings,
            'quote.target-amount.as-submitted',
            'target_amount',
            amount,
            snapshot,
          );
        }
        const requirement = 'quote.valid-until.as-submitted';
        expectEqual(findings, requirement, 'valid_until', required(deadline), snapshot);
        if (quote.maker === undefined) continue;
        expectEqual(
          findings,
          'quote.market-maker-party-id.is-submitter',
          'market_maker_party_id',
          required(view.partyIdOf(quote.maker)),
          snapshot,
        );
      }
    }

    /** Whatever becomes of an earlier quote, each submission is answered with its own terms. */
    function judgeAnswer(order: OrderTrace | undefined, snapshot: Snapshot): void {
      const { via, call } = snapshot;
      const { sent } = call ?? {};
      if (via !== 'quote.submit' || !call || !sent) return;
      const source = call.id;
      const required = (field: string) => ({ value: sent[field], source });
      expectEqual(findings, 'own-quote.fx-rate.echo', 'fx_rate', required('fx_rate'), snapshot);
      const deadline = { value: dueDeadline(order, call), source };
      expectEqual(findings, 'own-quote.valid-until.echo', 'valid_until', deadline, snapshot);
    }

    /** The deadline that a quote must show: as sent, or as granted where that is beyond what is ever granted. */
    function dueDeadline(order: OrderTrace | undefined, call: Call): unknown {
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
const shownByOrder = (trace: OrderTrace, field: string): { value: unknown; source: string } => {
  const found = trace.snapshots.find(({ value, whole }) => whole && isSet(value[field]));
  return { value: found?.value[field], source: found?.source ?? '' };
};

export const rfqEcho = defineRule({
  id: 'rfq.echo',
  title: 'A request for quote shows the currencies, the amount and the times of its order',
  requirements: [
    ...rfqFields.map(([, requirement]) => requirement),
    'event.quote-request-new.agrees-with-read',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (trace.rfqs.length === 0) continue;
      for (const [field, requirement] of rfqFields) {
        const shown = shownByOrder(trace, field);
        const read = trace.rfqs.find(({ whole, value }) => whole && isSet(value[field]));
        for (const snapshot of trace.rfqs) {
          if (snapshot.frame && read) {
            const required = { value: read.value[field], source: read.source };
            expectEqual(
              findings,
              'event.quote-request-new.agrees-with-read',
              field,
              required,
              snapshot,
            );
          }
          expectEqual(findings, requirement, field, shown, snapshot);
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
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (trace.settlements.length === 0) continue;
      const winner = winnerOf(trace);
      for (const [field, requirement] of settlementFields) {
        const shown = shownByOrder(trace, field);
        for (const snapshot of trace.settlements) {
          const told = snapshot.frame ? 'event.settlement-completed.agrees-with-read' : requirement;
          expectEqual(findings, told, field, shown, snapshot);
        }
      }
      // Which of several terms under one id were accepted is told by the order itself.
      if (!winner || isReplacedInPlace(winner, trace)) continue;
      for (const snapshot of trace.settlements) {
        const quoted = winner.snapshots.find(
          ({ resource, value }) => resource === 'quote' && isSet(value['source_amount']),
        );
        if (quoted) {
          judgeAmount(
            'settlement.mm-quoted-source-amount.as-quote',
            { field: 'mm_quoted_source_amount', of: snapshot },
            { value: quoted.value['source_amount'], source: quoted.source },
          );
        }
        if (winner.sent && isForWholeOrder(trace, winner)) {
          judgeAmount(
            'settlement.mm-delivered-target-amount.as-order',
            { field: 'mm_delivered_target_amount', of: snapshot },
            shownByOrder(trace, 'target_amount'),
          );
        }
      }
    }

    function judgeAmount(
      requirement:
        | 'settlement.mm-quoted-source-amount.as-quote'
        | 'settlement.mm-delivered-target-amount.as-order',
      { field, of }: { field: string; of: Snapshot },
      required: { readonly value: unknown; readonly source: string },
    ): void {
      expectEqual(findings, requirement, field, required, of);
    }
  },
});

/** The quote that an order names as accepted. */
export function winnerOf(trace: OrderTrace): QuoteTrace | undefined {
  const id = trace.snapshots.map(({ value }) => value['quote_id']).find(isSet);
  return trace.quotes.find((quote) => quote.id === id);
}

/** By what was sent, and by what the order side lists: the amount that was sent may have meant the source currency. */
const isForWholeOrder = (trace: OrderTrace, winner: QuoteTrace): boolean => {
  const target = shownByOrder(trace, 'target_amount').value;
  const sent = winner.sent?.['target_amount'];
  if (!isSet(target) || !equalValues('target_amount', sent, target)) return false;
  const listed = winner.snapshots.find(({ resource, frame }) => resource === 'quote' && !frame);
  return listed
    ? equalValues('target_amount', listed.value['target_amount'], target)
    : isRateOne(winner.sent?.['fx_rate']);
};
