import { equalNumbers, parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { equalUpToRounding, equalValues } from '../../../protocol/equality.ts';
import { isSet } from '../../../protocol/json.ts';
import {
  chosenFields,
  fieldRequirement,
  type RequirementId,
} from '../../../spec/requirements/index.ts';
import { defineRule, type Findings } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import {
  isReplacedInPlace,
  priceShown,
  submittedBodies,
  winnerOf,
} from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { type OrderTrace, possiblyEffective, type QuoteTrace } from '../../trace/traces.ts';

/** Amounts that a backend works out, which two of its resources may show with different numbers of decimals. */
const computed = new Set([
  'source_amount_actual',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
]);

/** Amounts that a target shows with their cents answer for those of which it shows none. */
const withCents = 'with cents';
const showsCents = (field: string, value: unknown): boolean => {
  const amount = computed.has(field) ? parseDecimal(value) : undefined;
  return amount !== undefined && significantScale(amount) > 0;
};

/** Judges that a field shows its known value. Judges nothing if either side has no value. */
export function expectEqual<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  field: string,
  required: { readonly value: unknown; readonly source: string },
  { value, source, via }: Snapshot,
): void {
  const found = value[field];
  if (!isSet(found) || !isSet(required.value)) return;
  const isSame = equalValues(field, required.value, found);
  const isRounded =
    !isSame && computed.has(field) && equalUpToRounding(required.value, found) === true;
  const violation = () => ({
    message: `${field} in ${via} was not what it should be`,
    fields: [field],
    expected: required.value,
    actual: found,
    evidence: [required.source, source],
  });
  // Rounding of amounts is open (gap `money.format`), but lost cents deserve a warning.
  if (isRounded && equalUpToRounding(required.value, found, 2) === false) {
    const message = `${field} in ${via} was right but for its cents`;
    findings.warn(requirement, {
      ...violation(),
      message,
      departure: 'cents-cut',
      circumstances: withCents,
    });
  } else if (isSame && showsCents(field, found)) {
    findings.pass(requirement, source, 1, withCents);
  } else findings.assert(requirement, isSame || isRounded, source, violation);
}

/** The first value that any whole snapshot of an order set, with its source. */
const shownByOrder = (trace: OrderTrace, field: string): { value: unknown; source: string } => {
  const found = trace.snapshots.find(({ value, whole }) => whole && isSet(value[field]));
  return { value: found?.value[field], source: found?.source ?? '' };
};

const echoes = chosenFields.map((field) => ({
  field,
  requirement: fieldRequirement('order', field, 'echo'),
}));

/** For each memo that was sent, the id of the creation that sent it. */
const memosSent = (view: HistoryView): ReadonlyMap<unknown, string> =>
  new Map(
    [...view.orders.values()].flatMap(({ creation, sent }) =>
      creation && sent && isSet(sent['memo']) ? [[sent['memo'], creation.id] as const] : [],
    ),
  );

const amountsSent = new Set<string>(['target_amount', 'source_amount_max']);

const orderEcho = defineRule({
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
          // A value of another type than the document gives is judged by its form alone.
          if (isSet(value) && typeof value !== 'string') continue;
          // It is open which texts besides plain decimals are numbers, and what happens to them (gap `money.input`).
          if (amountsSent.has(field) && isSet(value) && !parseDecimal(value)) continue;
          if (field === 'memo' && !isSet(value)) judgeUnsent(creation.id, snapshot);
          else expectEqual(findings, requirement, field, { value, source: creation.id }, snapshot);
        }
        if (snapshot.whole) judgeLost(creation.id, sent['memo'], snapshot);
      }
    }

    /** Judges only a memo that was sent and is gone; for the other fields that is a missing field. */
    function judgeLost(created: string, memo: unknown, { value, source, via }: Snapshot): void {
      if (typeof memo !== 'string' || memo === '' || isSet(value['memo'])) return;
      findings.fail('order.memo.echo', {
        message: `the memo that was sent did not show (${via})`,
        deviation: 'missing',
        expected: memo,
        evidence: [created, source],
      });
    }

    /** If no memo was sent, the shown memo is open, except that it must not be the memo of another order. */
    function judgeUnsent(created: string, { value, source, via }: Snapshot): void {
      const memo = value['memo'];
      if (!isSet(memo) || memo === '') return;
      const other = view.once(memosSent).get(memo);
      findings[other === undefined ? 'warn' : 'fail']('order.memo.echo', {
        departure: 'memo-of-its-own',
        message: `an order that was sent without a memo showed ${other === undefined ? 'one' : 'that of another'} (${via})`,
        must: { absent: true },
        actual: memo,
        evidence: [...(other === undefined ? [] : [other]), created, source],
      });
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

const rfqEcho = defineRule({
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
        const asRead = { value: read?.value[field], source: read?.source ?? '' };
        for (const snapshot of trace.rfqs) {
          const agrees = 'event.quote-request-new.agrees-with-read';
          if (snapshot.frame) expectEqual(findings, agrees, field, asRead, snapshot);
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

const settlementEcho = defineRule({
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
          const judged = snapshot.frame
            ? 'event.settlement-completed.agrees-with-read'
            : requirement;
          expectEqual(findings, judged, field, shown, snapshot);
        }
      }
      // If there are several terms under one id, only the order itself shows which were accepted.
      if (!winner || isReplacedInPlace(winner, trace)) continue;
      const quoted = priceShown(winner);
      const price = { value: quoted?.value['source_amount'], source: quoted?.source ?? '' };
      const delivered = isForWholeOrder(trace, winner) && shownByOrder(trace, 'target_amount');
      for (const snapshot of trace.settlements) {
        const asQuoted = 'settlement.mm-quoted-source-amount.as-quote';
        expectEqual(findings, asQuoted, 'mm_quoted_source_amount', price, snapshot);
        const asOrdered = 'settlement.mm-delivered-target-amount.as-order';
        if (delivered)
          expectEqual(findings, asOrdered, 'mm_delivered_target_amount', delivered, snapshot);
      }
    }
  },
});

/** Judged by the sent amount and by the listed one: the sent amount may have meant the source currency. */
const isForWholeOrder = (trace: OrderTrace, winner: QuoteTrace): boolean => {
  const target = shownByOrder(trace, 'target_amount').value;
  const sent = winner.sent?.['target_amount'];
  if (!isSet(target) || !equalValues('target_amount', sent, target)) return false;
  const listed = winner.snapshots.find(({ resource, frame }) => resource === 'quote' && !frame);
  return listed
    ? equalValues('target_amount', listed.value['target_amount'], target)
    : equalNumbers(winner.sent?.['fx_rate'], '1') === true;
};

/** The quote that the one successful acceptance named; undefined if several may have taken effect. */
function acceptedBy(trace: OrderTrace): { quoteId: string; source: string } | undefined {
  const took = possiblyEffective(trace.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  const isCertain = took.every(({ ok, exchange }) => ok && exchange.params.quote_id === quoteId);
  return call && isCertain && quoteId !== undefined ? { quoteId, source: call.id } : undefined;
}

const acceptedQuoteShown = defineRule({
  id: 'order.accepted-quote',
  title: 'An order shows the quote that was accepted: its id, its maker, its rate and its amount',
  requirements: [
    'order.quote-id.names-accepted-quote',
    'order.market-maker-party-id.is-winner',
    'order.fx-rate.of-accepted-quote',
    'order.source-amount-actual.of-accepted-quote',
    'quote.accept.selects-named-quote',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const accepted = acceptedBy(trace);
      if (!accepted) continue;
      const quote = view.quotes.get(accepted.quoteId);
      const maker = quote?.maker === undefined ? undefined : view.partyIdOf(quote.maker);
      const rates = quote ? submittedBodies(quote, trace).map((sent) => sent['fx_rate']) : [];
      const quoted = rates.length > 1 ? undefined : priceOf(trace, accepted.quoteId);
      const several = trace.quotes.length > 1;
      for (const snapshot of trace.snapshots) {
        const { value, source, via } = snapshot;
        const violation = (field: string, expected: unknown) => () => ({
          message: `${field} of an order was not that of the accepted quote (${via})`,
          fields: [field],
          expected,
          actual: value[field],
          evidence: [accepted.source, source],
        });
        for (const [requirements, field, admissible] of [
          [
            ['order.quote-id.names-accepted-quote', several && 'quote.accept.selects-named-quote'],
            'quote_id',
            [accepted.quoteId],
          ],
          [['order.market-maker-party-id.is-winner'], 'market_maker_party_id', [maker]],
          [['order.fx-rate.of-accepted-quote'], 'fx_rate', rates],
        ] as const) {
          const known = admissible.filter(isSet);
          if (!isSet(value[field]) || known.length === 0) continue;
          const holds = known.some((one) => equalValues(field, value[field], one));
          findings.assert(requirements, holds, source, violation(field, known[0]));
        }
        const field = 'source_amount_actual';
        const near = equalUpToRounding(value[field], quoted);
        if (near === undefined || !isSet(quoted)) continue;
        const isPrice = 'order.source-amount-actual.of-accepted-quote';
        findings.assert(isPrice, near, source, violation(field, quoted));
      }
    }

    /** Price at which the order side lists the quote. For another amount than the order's, the price paid is open. */
    function priceOf(trace: OrderTrace, quoteId: string): unknown {
      const quote = view.quotes.get(quoteId);
      const listed = quote && priceShown(quote)?.value;
      const target = trace.sent?.['target_amount'];
      const isWhole =
        target === undefined || equalValues('target_amount', listed?.['target_amount'], target);
      return isWhole ? listed?.['source_amount'] : undefined;
    }
  },
});

export const echoRules = [orderEcho, rfqEcho, settlementEcho, acceptedQuoteShown];
