import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  awaitStatus,
  createOrder,
  isRefusal,
  modestValidityMs,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  readOrder,
  refused,
  said,
  targetNow,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { acceptAndSettle, judgeAcceptance, lifeRequirementsOf } from './flow.ts';
import { judgeQuote, ownQuotesOf, quoteIn } from './quotes-seen.ts';
import { judgeTerms } from './terms.ts';
import { acceptCall, each, lagMs, settlementPatienceMs, sweepMs, waits } from './words.ts';

const lapses = 'quote.state.pending-to-expired';
const notEarly = 'quote.state.pending-to-expired.not-early';
const lapsedRefused = 'order.accept.expired-quote-refused';

const once = 'a maker has one quote at a time here (gap quote.twice)';
const briefMs = 1_500;

function mayQuoteTwice(trial: Trial): void {
  const known = trial.target.answers.get('quote.twice');
  if (known !== undefined && known !== 'allow') trial.outOfScope(once);
}

/** A second quote of a maker, for so long; ends the check where it is refused or takes the place of the first. */
async function second(
  trial: Trial,
  order: PlacedOrder,
  first: PlacedQuote,
  validForMs: number,
): Promise<PlacedQuote> {
  const { maker } = first;
  const submit = (ms: number) => {
    const body = quoteBody(trial, order, { validForMs: ms });
    return trial.party(maker).call('quote.submit', { params: paramsOf(order), body });
  };
  let exchange = await submit(validForMs);
  // It may also be too brief to be taken.
  if (isRefusal(exchange) && validForMs < modestValidityMs) {
    exchange = await submit(modestValidityMs);
  }
  if (isRefusal(exchange)) trial.outOfScope(once);
  const placed = placedQuote(maker, exchange);
  if (!placed) return trial.giveUp(`no second quote was taken: ${said(exchange)}`, [exchange]);
  const { items } = await ownQuotesOf(trial, order, maker);
  const stands = textOf(quoteIn(items, first), 'status') === 'PENDING';
  if (placed.quoteId === first.quoteId || !stands) trial.outOfScope(once);
  return placed;
}

/** A long quote and a brief one of the same maker, in either order; gives up where the one does not outlast the other. */
async function pairOf(
  trial: Trial,
  order: PlacedOrder,
  maker: CastName,
  older: 'brief' | 'long',
): Promise<{ readonly brief: PlacedQuote; readonly long: PlacedQuote }> {
  mayQuoteTwice(trial);
  // What is taken as a long one tells how long a quote may be valid here (gap `quote.max_validity`).
  const tried = await quote(trial, maker, await createOrder(trial));
  const longMs = tried.validUntil - targetNow(trial).latest;
  const [firstMs, secondMs] = older === 'brief' ? [briefMs, longMs] : [longMs, briefMs];
  const first = await quote(trial, maker, order, { validForMs: firstMs });
  const other = await second(trial, order, first, secondMs);
  const [brief, long] = older === 'brief' ? [first, other] : [other, first];
  const room = sweepMs + lagMs;
  if (Math.min(long.validUntil, order.expiresAt ?? 0) < brief.validUntil + room)
    trial.giveUp('no quote outlasted another of its maker by enough');
  return { brief, long };
}

/** Whether a maker may have two quotes on one request is open (gap `quote.twice`); that each has its own deadline is not. */
const deadlines = each(
  [
    { older: 'brief', maker: 'maker_a', by: 'sender' },
    { older: 'long', maker: 'maker_b', by: 'sender_custodian' },
  ] as const,
  ({ older, maker, by }) =>
    defineCheck({
      id: `quote.expiry.two-of-one-maker.${older}-first`,
      title: `Of two quotes of ${maker}, the ${older} one first, the brief one lapses at its deadline and the long one stands on, and ${by} can accept that one alone.`,
      requirements: [lapses, notEarly, lapsedRefused, ...lifeRequirementsOf(by)],
      needs: {
        parties: [...new Set<CastName>(['sender', maker, by])],
        waitMs: waits.quoteExpiry + waits.settlement,
      },
      async run(trial) {
        const order = await createOrder(trial);
        const { brief, long } = await pairOf(trial, order, maker, older);
        const { timeline, clock } = trial.target;
        await timeline.until(brief.validUntil - clock.offset.least + sweepMs);
        const when = `after the deadline of the brief one of ${maker}'s two`;
        for (const observer of ['sender', 'its maker'] as const) {
          await judgeQuote(trial, lapses, order, brief, ['EXPIRED'], when, observer);
          await judgeQuote(trial, notEarly, order, long, ['PENDING'], when, observer);
        }
        const no = await acceptCall(trial, order, brief, by);
        refused(trial, lapsedRefused, no, "the quote of a maker's two that has lapsed");
        if (!isRefusal(no)) return;
        await acceptAndSettle(trial, { order, quote: long, acceptedBy: by });
      },
    }),
);

/** To have been selected with one quote opens nothing to another: it is a second acceptance all the same. */
const afterSelection = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `order.accept.second-quote.of-the-winner.${by}`,
    title: `Once one of two quotes of maker_a was accepted, ${by} cannot accept the other.`,
    requirements: ['order.accept.second-quote-refused', ...lifeRequirementsOf('sender')],
    needs: {
      parties: [...new Set<CastName>(['sender', 'maker_a', by])],
      waitMs: waits.settlement,
    },
    async run(trial) {
      mayQuoteTwice(trial);
      const order = await createOrder(trial);
      const chosen = await quote(trial, 'maker_a', order);
      const left = chosen.validUntil - targetNow(trial).latest;
      const other = await second(trial, order, chosen, left);
      const deal = { order, quote: chosen, acceptedBy: 'sender' } as const;
      if (!(await judgeAcceptance(trial, deal))) return;
      const no = await acceptCall(trial, order, other, by);
      refused(trial, 'order.accept.second-quote-refused', no, "the other of the winner's quotes");
      const settled = await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
      judgeTerms(trial, deal, settled ?? (await readOrder(trial, order)));
    },
  }),
);

export const twoOfOneMakerChecks: readonly Check[] = [...deadlines, ...afterSelection];
