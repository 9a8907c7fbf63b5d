import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import { isDenied, succeeded } from '../../protocol/answers.ts';
import { discoveryActor } from '../probe/probe-context.ts';
import { callsAbout, callsTo, follows, ownCallsTo } from './exchange-index.ts';
import { type Observations, observed, outcomeOf } from './observation.ts';
import { requiredBodyOf, responseKind } from './orders.ts';

type Exchanges = readonly Exchange[];

/** Request body, response and effect of accepting an order's proposal. */
export function* observeProposal(exchanges: Exchanges): Observations {
  const accepts = ownCallsTo(exchanges, 'proposal.accept');
  const waiting = acceptancesOpened(exchanges, accepts);
  for (const [id, tries] of groupBy(accepts, ({ params }) => params.intent_id)) {
    const done = tries.findIndex(succeeded);
    const first = tries[done];
    if (first?.party !== 'sender_custodian') continue;
    const body = requiredBodyOf(tries, done);
    if (body) yield observed('proposal.request', body, [first]);
    yield observed('proposal.response', responseKind(first), [first]);
    const quotes = callsAbout(exchanges, 'quote.submit', id);
    const again = tries[done + 1];
    const opened = quotingOpened(first, quotes);
    const openedAcceptance = waiting.get(id);
    if (opened) yield observed('proposal.effect', 'opens-quoting', opened);
    else if (openedAcceptance)
      yield observed('proposal.effect', 'opens-acceptance', openedAcceptance);
    else if (
      waiting.size === 0 &&
      again &&
      quotes.some((one) => follows(first, one) && succeeded(one))
    ) {
      // An earlier quote on this order shows something only if no other order showed a stronger effect.
      const effect = outcomeOf(again, 'none', 'once');
      if (effect) yield observed('proposal.effect', effect, [first, again]);
    }
  }
}

/**
 * By order, a quote that could be accepted only after its order's proposal was accepted. Only requests of discovery
 * show this: elsewhere the first acceptance may have failed for a deadline, a race or a price.
 */
function acceptancesOpened(exchanges: Exchanges, proposals: Exchanges) {
  const tries = callsTo(exchanges, 'quote.accept').filter(({ by }) => by === discoveryActor);
  const opened = new Map<string | undefined, Exchanges>();
  for (const ofOne of groupBy(tries, ({ params }) => params.quote_id).values()) {
    const [late, early] = [ofOne.find(succeeded), ofOne.find(isDenied)];
    if (!late || !early) continue;
    const { intent_id } = late.params;
    const between = proposals.find(
      (one) =>
        succeeded(one) &&
        one.params.intent_id === intent_id &&
        follows(one, early) &&
        follows(late, one),
    );
    if (between) opened.set(intent_id, [early, between, late]);
  }
  return opened;
}

/**
 * A quote that was refused before the proposal's acceptance and taken after it, with nothing else changed: the same
 * body, or the same step of discovery's series of shorter validities (gap `quote.max_validity`).
 */
function quotingOpened(acceptance: Exchange, quotes: Exchanges): Exchanges | undefined {
  const before = quotes.filter((one) => follows(acceptance, one));
  const after = quotes.filter((one) => follows(one, acceptance));
  const step = after.findIndex(succeeded);
  const late = after[step];
  if (!late) return undefined;
  const bodyOf = ({ request }: Exchange): string => JSON.stringify(request.body);
  const ours = [...before, ...after].every(({ by }) => by === discoveryActor);
  const early =
    before.find((one) => isDenied(one) && bodyOf(one) === bodyOf(late)) ??
    (ours && before.every(isDenied) ? before[step] : undefined);
  return early && [early, late];
}
