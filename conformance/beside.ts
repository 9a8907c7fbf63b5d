import type { Trial } from '../src/conformance/check.ts';
import {
  type Fields,
  fieldsOf,
  isOfStranger,
  isRefusal,
  itemsOf,
  lookUntil,
  type PlacedOrder,
  refused,
  said,
  succeeded,
  textOf,
} from '../src/conformance/moves/index.ts';
import type { Exchange } from '../src/history/records.ts';
import { sameValue } from '../src/rules/same.ts';
import { parseTimestamp } from '../src/spec/forms.ts';
import type { CastName, GuardedEndpoint, RequirementId } from '../src/spec/requirements/index.ts';
import { Order } from '../src/spec/resources.ts';
import {
  acts,
  ask,
  type Ground,
  type Manner,
  type Positive,
  positive,
  wasInTime,
} from './deeds.ts';

export interface Negative {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  readonly requirement: RequirementId;
  /** Who or what it is that must be refused. */
  readonly what: string;
  readonly ground?: Ground;
  readonly manner?: Manner;
  /** A list that is empty serves as a refusal: it comes from a backend that is the caller's own. */
  readonly emptyWill?: 'do';
}

/** An empty list shows nothing of somebody else's order, and is as good as a refusal where one is at home. */
const showsNothing = ({ emptyWill }: Negative, exchange: Exchange): boolean =>
  emptyWill !== undefined && succeeded(exchange) && itemsOf(exchange).length === 0;

/**
 * Requests that must be refused beside some that differ from them in who makes them, on the same ground. A refusal
 * counts where those succeed. Of what acts on an order the refusals come first, and must have changed nothing.
 */
export async function beside(
  trial: Trial,
  ground: Ground,
  negatives: readonly Negative[],
  twins: readonly Positive[],
): Promise<void> {
  const { order } = ground;
  const acting = negatives.some(({ endpoint }) => acts(endpoint));
  const answers: Exchange[] = [];
  let twinsServed = true;
  const tryAll = async (): Promise<void> => {
    for (const { by, endpoint, manner, ground: other } of negatives) {
      answers.push(await ask(trial, by, endpoint, other ?? ground, manner));
    }
  };
  const serve = async (): Promise<void> => {
    for (const one of twins) {
      // What was served to somebody else may be used up.
      const wronged = acting && answers.some(succeeded);
      const requirements = wronged ? [] : one.requirements;
      twinsServed =
        succeeded(await positive(trial, ground, { ...one, requirements })) && twinsServed;
    }
  };
  if (!acting) await serve();
  if (acting && order) await untouched(trial, { ...ground, order }, tryAll);
  else await tryAll();
  if (acting) await serve();
  for (const [index, negative] of negatives.entries()) {
    const { requirement, what } = negative;
    const answer = answers[index];
    if (!answer) continue;
    if (showsNothing(negative, answer)) trial.judge(requirement, true, { message: '' });
    else if (!isRefusal(answer) || twinsServed) refused(trial, requirement, answer, what);
    else trial.undecided(requirement, `${said(answer)}, but so was its twin`);
  }
}

const shown = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.keys(Order.properties).flatMap((name) => {
      const value = fields[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );

/** Whether two showings say the same, however they write it: trailing zeros are open (gap `money.format`). */
export const sameShown = (one: Fields, other: Fields): boolean => {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => sameValue(name, one[name], other[name]));
};

const quotesShown = (trial: Trial, exchange: Exchange): Fields =>
  Object.fromEntries(
    itemsOf(exchange)
      .filter((item) => !isOfStranger(trial, item))
      .map((item) => [textOf(item, 'quote_id')?.toLowerCase() ?? '', item['status']] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Quotes that the target took on an order, whoever's. */
function takenOn({ target }: Trial, { intentId, exchange }: PlacedOrder): readonly string[] {
  const { records } = target.history;
  const since = records.slice(records.lastIndexOf(exchange) + 1);
  const taken = since.filter(
    (record) =>
      record.kind === 'exchange' &&
      record.endpoint === 'quote.submit' &&
      record.params.intent_id === intentId &&
      succeeded(record),
  ) as readonly Exchange[];
  return taken.flatMap((one) => textOf(fieldsOf(one), 'quote_id')?.toLowerCase() ?? []);
}

/**
 * Judges that what was refused left an order and its quotes as they were. Nothing is said where time may have moved
 * them, nor where something was served: that is judged elsewhere.
 */
async function untouched(
  trial: Trial,
  ground: Ground & { readonly order: PlacedOrder },
  act: () => Promise<void>,
): Promise<void> {
  const { order } = ground;
  const look = async () => {
    const read = await ask(trial, order.by, 'order.read', ground);
    const quotes = await ask(trial, order.by, 'order.quotes', ground);
    const { data } = (read.response?.body ?? {}) as { readonly data?: Fields };
    const rfq = trial.target.parties.maker_a && (await ask(trial, 'maker_a', 'rfq.read', ground));
    const seen = { order: shown(data ?? {}), quotes: quotesShown(trial, quotes) };
    return { read, quotes, rfq, seen };
  };
  const taken = takenOn(trial, order);
  const before = await lookUntil(trial, look, ({ seen }) => taken.every((id) => id in seen.quotes));
  await act();
  const after = await look();
  const readable = [before.read, before.quotes, after.read, after.quotes].every(succeeded);
  const last = after.rfq ?? after.quotes;
  const latest = last.received + trial.target.clock.offset.most;
  const lapses = itemsOf(before.quotes).some((item) => {
    if (textOf(item, 'status') !== 'PENDING' || isOfStranger(trial, item)) return false;
    return latest >= (parseTimestamp(item['valid_until']) ?? Number.POSITIVE_INFINITY);
  });
  const quiet =
    before.seen.order['status'] === 'PENDING' && wasInTime(trial, ground, last) && !lapses;
  if (!readable || !quiet) return;
  const gone =
    before.rfq && after.rfq && succeeded(before.rfq) && isRefusal(after.rfq)
      ? after.rfq
      : undefined;
  const same =
    !gone &&
    sameShown(before.seen.order, after.seen.order) &&
    sameShown(before.seen.quotes, after.seen.quotes);
  trial.judge('error.refusal-changes-nothing', same, {
    message: gone
      ? 'A request for quote went by requests that must be refused.'
      : 'An order or its quotes changed by requests that must be refused.',
    expected: before.seen,
    actual: after.seen,
    seen: [before.read, before.quotes, after.read, after.quotes, ...(gone ? [gone] : [])],
  });
}
