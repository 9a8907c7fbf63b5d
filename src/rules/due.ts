import { tradeWaits } from '../spec/gaps/proposals.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { grouped } from '../history/grouped.ts';
import { relationOf } from './audience.ts';
import { compare, exact, sameNumber } from './exact.ts';
import { isObject } from './json.ts';
import { during, watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import type { Call } from './view/calls.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';

/** Refused again and again for so long, something was not refused for what a moment brought. */
const lastingMs = 1_500;

/** Refused for what was asked: not for the pace of asking, nor for the token. */
const isRefused = ({ status = 0, own }: Call): boolean =>
  own && status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);

/** The last of some refusals that went on for a while, nothing else having been answered. */
function lastRefusal(calls: readonly Call[]): Call | undefined {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last || !calls.every(isRefused)) return undefined;
  return last.exchange.sent - first.exchange.received >= lastingMs ? last : undefined;
}

/** A quote at the rate one for its order's own amount: right under every reading of rates and amounts (gaps). */
const isPlain = (story: OrderStory, { sent }: Call): boolean => {
  const [amount, most] = [
    exact(story.sent?.['target_amount']),
    exact(story.sent?.['source_amount_max']),
  ];
  return (
    sameNumber(sent?.['fx_rate'], '1') === true &&
    sameNumber(sent?.['target_amount'], story.sent?.['target_amount']) === true &&
    amount !== undefined &&
    most !== undefined &&
    compare(amount, most) <= 0
  );
};

const deadlineOf = (story: OrderStory): number =>
  story.sightings
    .map(({ value }) => parseTimestamp(value['expires_at']))
    .find((moment) => moment !== undefined) ?? Number.NEGATIVE_INFINITY;

/** Read as PENDING after a call was answered: so it was when the call was made. */
const wasPending = (story: OrderStory, { close }: Call): boolean =>
  story.sightings.some((seen) => !seen.frame && seen.open > close && stateOf(seen) === 'PENDING');

/**
 * What must be granted where nothing stands in its way. Checks that only lay their ground give up on a refusal; this
 * looks whether there was any reason for it.
 */
export const due = defineRule({
  id: 'requests.due',
  title:
    'A proper quote on an open request is taken, one that is valid can be accepted, and an order is found by its side',
  requirements: [
    'access.quote.submit.market-maker-allowed',
    'quote.state.usable-until-deadline',
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'access.order.quotes.institution-allowed',
    'access.order.quotes.custodian-allowed',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    const taken = view.calls.filter((call) => call.endpoint === 'quote.submit' && call.ok);
    for (const story of view.orders.values()) {
      if (!story.creation || view.disturbed(story.id)) continue;
      for (const [maker, calls] of grouped(story.submissions, ({ party }) => party)) {
        judgeQuote(story, maker, calls);
      }
      for (const quote of story.quotes) judgeAcceptances(story, quote);
    }
    for (const call of view.calls) judgeLook(call);

    /** Whatever became of an order, its side finds it, and its quotes. */
    function judgeLook(call: Call): void {
      const { endpoint, exchange, party } = call;
      if (endpoint !== 'order.read' && endpoint !== 'order.quotes') return;
      const story = view.orders.get(exchange.params.intent_id ?? '');
      // What is asked for besides, or in another form, may be refused.
      const asked = Object.keys(exchange.query).length > 0 || !takesJson(call);
      if (!story?.creation || asked || !isRefused(call)) return;
      const { received } = story.creation.exchange;
      if (exchange.sent <= received + patience.betweenParties) return;
      const relation = relationOf(view, story, party);
      if (relation !== 'sender' && relation !== 'sender-custodian') return;
      const role = relation === 'sender' ? 'institution' : 'custodian';
      tally.fail(`access.${endpoint}.${role}-allowed`, {
        message: `${party} was refused ${endpoint} of an order of its own side`,
        expected: 'a success (2xx)',
        actual: call.status,
        evidence: [story.creation.id, call.id],
      });
    }

    /** What a proposal's acceptance may open (gap `proposal.effect`) is open. */
    function isOpened(story: OrderStory, another: readonly Call[]): boolean {
      const effect = view.context.answers('proposal.effect');
      const waits = effect === undefined || tradeWaits(effect);
      return !waits || story.proposals.some(({ ok }) => ok) || another.some(({ ok }) => ok);
    }

    function judgeQuote(story: OrderStory, maker: string, calls: readonly Call[]): void {
      const last = lastRefusal(calls);
      if (!last || !calls.every((call) => isPlain(story, call))) return;
      const until = parseTimestamp(last.sent?.['valid_until']) ?? Number.NEGATIVE_INFINITY;
      const deadline = Math.min(until, deadlineOf(story));
      const others = story.submissions.filter(({ party }) => party !== maker);
      if (!watch.before(during(last), deadline) || !wasPending(story, last)) return;
      if (!isOpened(story, others) || mayBeFull(maker, calls)) return;
      const [first] = calls;
      tally.fail('access.quote.submit.market-maker-allowed', {
        message: `a proper quote of ${maker} on an open request was refused again and again`,
        expected: 'a success (2xx)',
        actual: last.status,
        evidence: [story.creation?.id ?? '', first?.id ?? '', last.id],
      });
    }

    /**
     * Whether a maker may have had as many quotes open as it may, or asked for too long a validity (gaps): not where as
     * long a one was taken from it while it had as many.
     */
    function mayBeFull(maker: string, refused: readonly Call[]): boolean {
      const own = taken.filter(({ party }) => party === maker);
      const most = Math.max(...refused.map((call) => openQuotes(own, call, 'at most')));
      const longest = Math.max(...refused.map(validityOf));
      return !own.some(
        (call) => validityOf(call) >= longest && openQuotes(own, call, 'at least') >= most,
      );
    }

    function openQuotes(own: readonly Call[], at: Call, how: 'at least' | 'at most'): number {
      return own.filter((call) => {
        if (how === 'at most')
          return call.open < at.close && untilOf(call) > at.exchange.sent - 5_000;
        const story = view.orders.get(call.exchange.params.intent_id ?? '');
        const isOpen = story !== undefined && wasPending(story, at);
        return call.close < at.open && isOpen && untilOf(call) > at.exchange.received + 1_000;
      }).length;
    }

    function judgeAcceptances(story: OrderStory, quote: QuoteStory): void {
      const { submission, acceptances } = quote;
      if (!submission?.ok || !isPlain(story, submission)) return;
      // Whatever else was done to the order, or a later quote of the maker (gap `quote.twice`), may be the reason.
      const later = story.submissions.some(
        ({ party, open }) => party === quote.maker && open > submission.open,
      );
      if (later || happened([...story.acceptances, ...story.cancels]).length > 0) return;
      for (const [party, calls] of grouped(acceptances, (call) => call.party)) {
        const relation = relationOf(view, story, party);
        const last = lastRefusal(calls);
        if (!last || (relation !== 'sender' && relation !== 'sender-custodian')) continue;
        const deadline = Math.min(untilOf(submission), deadlineOf(story));
        if (!watch.before(during(last), deadline) || !wasPending(story, last)) continue;
        if (!isOpened(story, [])) continue;
        tally.fail('quote.state.usable-until-deadline', {
          message: `${party} could not accept a valid quote of an open order, again and again`,
          expected: 'a success (2xx)',
          actual: last.status,
          evidence: [submission.id, calls[0]?.id ?? '', last.id],
        });
      }
    }
  },
});

const takesJson = ({ exchange }: Call): boolean =>
  ['application/json', undefined].includes(exchange.request.headers['accept']);

/** As granted, or else as asked for. */
const untilOf = ({ data, sent }: Call): number =>
  parseTimestamp(isObject(data) ? data['valid_until'] : undefined) ??
  parseTimestamp(sent?.['valid_until']) ??
  Number.NEGATIVE_INFINITY;

const validityOf = (call: Call): number =>
  (parseTimestamp(call.sent?.['valid_until']) ?? Number.NEGATIVE_INFINITY) - call.exchange.sent;
