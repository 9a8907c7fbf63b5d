import { type Secrets, secretsOf, type Sides } from './secrets.ts';
import { precedes } from './view/calls.ts';
import { happened, type OrderStory } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** Those of the cast whose identifiers are among some, or are not. */
function sidesOf(view: HistoryView, ids: readonly string[], areThey: boolean): Sides {
  const chosen = Object.entries(view.context.cast).flatMap(([name, { baseUrl }]) => {
    const id = view.partyIdOf(name);
    return id !== undefined && ids.includes(id) === areThey ? [{ id, baseUrl }] : [];
  });
  return {
    ids: areThey ? ids : chosen.map(({ id }) => id),
    addresses: chosen.flatMap(({ baseUrl }) => baseUrl?.replace(/\/+$/, '') ?? []),
  };
}

export const idsOf = (story: OrderStory): readonly string[] =>
  [story.senderId, story.senderCustodianId].filter(
    (id): id is string => id !== undefined && id.includes('::'),
  );

/** What gives the sides of some orders away, made once for each set of parties: texts recur throughout a history. */
export function secretsIn(view: HistoryView): (ids: readonly string[]) => Secrets | undefined {
  const made = new Map<string, Secrets>();
  return (ids) => {
    if (ids.length === 0) return undefined;
    const key = ids.join(' ');
    const secrets = made.get(key) ?? secretsOf(sidesOf(view, ids, true), sidesOf(view, ids, false));
    made.set(key, secrets);
    return secrets;
  };
}

/** A maker that won a trade may rightly learn with whom; any other never does, nor does a winner before it won. */
export const mayHaveWon = (
  view: HistoryView,
  story: OrderStory,
  party: string,
  before?: { readonly close: number },
): boolean =>
  happened(story.acceptances).some((acceptance) => {
    if (before && precedes(before, acceptance)) return false;
    const maker = view.quotes.get(acceptance.exchange.params.quote_id ?? '')?.maker;
    return maker === undefined || maker === party;
  });

/** Whoever stood on the sending side of an order by a place in the history, and of none that a maker may have won. */
export function idsNotTradedWith(
  view: HistoryView,
  maker: string,
  place: number,
): readonly string[] {
  const stories = [...view.orders.values()].filter(
    ({ creation }) => creation !== undefined && creation.open < place,
  );
  const traded = stories.filter((story) => mayHaveWon(view, story, maker, { close: place }));
  const known = new Set(traded.flatMap(idsOf));
  return [...new Set(stories.flatMap(idsOf))].filter((id) => !known.has(id));
}
