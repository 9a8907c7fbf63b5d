import { type Call, isDenied, precedes } from '../../oracle/trace/calls.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import { timestampIn } from '../../oracle/trace/snapshots.ts';
import { effectiveCancels, type OrderTrace, type QuoteTrace } from '../../oracle/trace/traces.ts';
import { nearness, type PartOfLife } from '../factors.ts';

type AcceptanceFactors = Pick<
  PartOfLife,
  'accepter' | 'rivals' | 'lapsed' | 'valid-until' | 'expires-at'
>;

/** A span of the target's clock in which something happened. */
interface When {
  readonly earliest: number;
  readonly latest: number;
}

/** The accepting party, the rivals of the quote, and the time to the deadlines. */
export function acceptanceIn(view: HistoryView, trace: OrderTrace): AcceptanceFactors {
  const tried = trace.acceptances.filter((call) => accepterOf(view, trace, call) !== undefined);
  const call = tried.find(({ ok }) => ok) ?? tried.find(isDenied);
  if (!call) return tried.length > 0 ? {} : unaccepted(view, trace);
  const when = whenOf(view, call);
  const chosen = view.quotes.get(call.exchange.params.quote_id ?? '');
  const others = trace.quotes.filter(
    (quote) => quote !== chosen && quote.submission && precedes(quote.submission, call),
  );
  return {
    accepter: accepterOf(view, trace, call),
    ...(chosen?.maker !== undefined && { rivals: rivalsOf(others, chosen.maker) }),
    lapsed: lapsedIn(others, when),
    'valid-until': nearTo(when, chosen && timestampIn(chosen.snapshots, 'valid_until')),
    'expires-at': nearTo(when, timestampIn(trace.snapshots, 'expires_at')),
  };
}

/** For an order that nobody of its side tried to accept: the rivals of its last quote, until the order ended. */
function unaccepted(view: HistoryView, trace: OrderTrace): AcceptanceFactors {
  const submitted = trace.quotes.filter(({ submission }) => submission);
  const last = submitted.at(-1);
  const others = submitted.slice(0, -1);
  const [cancel] = effectiveCancels(trace);
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  const until = cancel
    ? whenOf(view, cancel)
    : expiry === undefined
      ? undefined
      : { earliest: expiry, latest: expiry };
  return {
    accepter: 'nobody',
    rivals: last?.maker === undefined ? 'none' : rivalsOf(others, last.maker),
    lapsed: lapsedIn(others, until),
    'valid-until': 'none',
    'expires-at': 'none',
  };
}

/** Undefined for any other party than the two who may accept: such a party is always refused. */
function accepterOf(
  view: HistoryView,
  { creation, senderCustodianId }: OrderTrace,
  { party, own }: Call,
): PartOfLife['accepter'] {
  if (!own) return undefined;
  if (party === creation?.party) return 'sender';
  const id = view.partyIdOf(party);
  return id !== undefined && id === senderCustodianId ? 'custodian' : undefined;
}

function rivalsOf(others: readonly QuoteTrace[], maker: string): PartOfLife['rivals'] {
  const makers = new Set(others.map((quote) => quote.maker));
  makers.delete(maker);
  if (makers.size > 0) return makers.size > 1 ? 'several' : 'one';
  return others.length > 0 ? 'own' : 'none';
}

function lapsedIn(others: readonly QuoteTrace[], when: When | undefined): PartOfLife['lapsed'] {
  if (others.length === 0) return 'no';
  const ends = others.map(({ snapshots }) => timestampIn(snapshots, 'valid_until'));
  if (!when) return undefined;
  if (ends.some((end) => end !== undefined && end < when.earliest)) return 'yes';
  return ends.every((end) => end !== undefined && end > when.latest) ? 'no' : undefined;
}

const whenOf = ({ context: { offset } }: HistoryView, { exchange }: Call): When => ({
  earliest: exchange.sent + offset.least,
  latest: exchange.received + offset.most,
});

/** Time left to a deadline; undefined if the event may have been on either side of it. */
function nearTo({ earliest, latest }: When, deadline: number | undefined) {
  if (deadline === undefined) return undefined;
  if (earliest > deadline) return 'after';
  if (latest >= deadline) return undefined;
  const leftMs = deadline - latest;
  if (leftMs > nearness.farFromMs) return 'far';
  return leftMs > nearness.lastFromMs ? 'seconds' : 'last';
}
