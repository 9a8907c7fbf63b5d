import { parseTimestamp } from '../../../spec/forms.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { equalNumbers, isProductWithin, parseDecimal } from '../../../protocol/decimal.ts';
import { isObject, isSet, type JsonObject } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { expectEqual } from '../orders/echoed-fields.ts';
import { isReplacedInPlace } from '../../trace/selections.ts';
import type { Call } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

const isRateOne = (value: unknown): boolean => equalNumbers(value, '1') === true;

/** A deadline beyond the order's may have been shortened to it (gap `quote.beyond_expiry`). */
function withinOrder(order: OrderTrace | undefined, deadline: unknown): boolean {
  const expiry = order?.snapshots.map(({ value }) => value['expires_at']).find(isSet);
  if (typeof deadline !== 'string' || typeof expiry !== 'string') return false;
  return Date.parse(deadline) <= Date.parse(expiry);
}

/** The validity that a quote asked for and the one that it was granted, in milliseconds. */
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
 * Length in milliseconds to which a target cuts longer validities (gap `quote.max_validity`): the same each time, and
 * no shorter one is cut. Undefined if it cuts none, or if deadlines differ from the sent ones in any other way.
 */
function longestGranted(view: HistoryView): number | undefined {
  const all = [...view.quotes.values()].flatMap(({ submission, intentId }) => {
    const lengths = submission?.ok ? lengthsOf(submission) : undefined;
    const isWithin = withinOrder(view.order(intentId), submission?.sent?.['valid_until']);
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

/** True if `coarse` is `fine`, cut or rounded to fewer decimals. */
function isRounded(fine: unknown, coarse: unknown): boolean {
  const [from, to] = [parseDecimal(fine), parseDecimal(coarse)];
  if (!from || !to || to.scale >= from.scale) return false;
  return isProductWithin(from, { digits: 1n, scale: 0 }, to, { digits: 1n, scale: to.scale });
}

const echoes = [
  'own-quote.intent-id.echo',
  'own-quote.fx-rate.echo',
  'own-quote.target-amount.echo',
  'own-quote.valid-until.echo',
  'quote.fx-rate.as-submitted',
  'quote.target-amount.as-submitted',
  'quote.valid-until.as-submitted',
  'quote.intent-id.names-order',
  'quote.market-maker-party-id.is-submitter',
] as const satisfies readonly RequirementId[];
type Echo = (typeof echoes)[number];

interface Submitted {
  readonly sent: JsonObject;
  readonly submission: Call;
  readonly order: OrderTrace | undefined;
  readonly intentId: string;
}

export const quoteEcho = defineRule({
  id: 'quote.echo',
  title: 'A quote shows what its market maker submitted, to its maker and to the order side',
  requirements: echoes,
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
      for (const snapshot of quote.snapshots) {
        if (snapshot.frame) continue;
        const judge = snapshot.resource === 'own-quote' ? judgeOwn : judgeListed;
        judge({ sent, submission, order, intentId }, snapshot);
      }
    }

    /** As its maker sees it. */
    function judgeOwn({ sent, submission, order, intentId }: Submitted, snapshot: Snapshot): void {
      const equal = comparing(submission.id, snapshot);
      equal('own-quote.intent-id.echo', 'intent_id', intentId);
      equal('own-quote.fx-rate.echo', 'fx_rate', sent['fx_rate']);
      equal('own-quote.valid-until.echo', 'valid_until', dueDeadline(order, submission));
      // Past the answer itself, a list may show what the amount came to in the target currency.
      if (snapshot.via === 'quote.submit' || meaning === 'target' || isRateOne(sent['fx_rate']))
        equal('own-quote.target-amount.echo', 'target_amount', sent['target_amount']);
    }

    /** As the order side sees it. */
    function judgeListed(
      { sent, submission, order, intentId }: Submitted,
      snapshot: Snapshot,
    ): void {
      const equal = comparing(submission.id, snapshot);
      equal('quote.intent-id.names-order', 'intent_id', intentId);
      equal('quote.fx-rate.as-submitted', 'fx_rate', sent['fx_rate']);
      equal('quote.valid-until.as-submitted', 'valid_until', dueDeadline(order, submission));
      const maker = view.partyIdOf(submission.party);
      equal('quote.market-maker-party-id.is-submitter', 'market_maker_party_id', maker);
      const target = order?.sent?.['target_amount'];
      const isWhole = equalValues('target_amount', sent['target_amount'], target);
      // Worked out from a source amount, it may have been rounded (gaps `quote.target_amount`, `money.format`).
      const mayBeRounded =
        meaning === 'source' && isRounded(target, snapshot.value['target_amount']);
      if (isRateOne(sent['fx_rate']) && isWhole && !mayBeRounded)
        equal('quote.target-amount.as-submitted', 'target_amount', target);
    }

    function comparing(source: string, snapshot: Snapshot) {
      return (requirement: Echo, field: string, value: unknown): void =>
        expectEqual(findings, requirement, field, { value, source }, snapshot);
    }

    /** Each submission is answered with its own terms, no matter what happens to an earlier quote. */
    function judgeAnswer(order: OrderTrace | undefined, snapshot: Snapshot): void {
      const { via, call } = snapshot;
      if (via !== 'quote.submit' || !call?.sent) return;
      const equal = comparing(call.id, snapshot);
      equal('own-quote.fx-rate.echo', 'fx_rate', call.sent['fx_rate']);
      equal('own-quote.valid-until.echo', 'valid_until', dueDeadline(order, call));
    }

    /** The deadline that a quote must show: as sent, or as granted if it is beyond the longest ever granted. */
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
