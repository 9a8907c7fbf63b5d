import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  fieldsOf,
  isByUndeclaredMaker,
  isRefusal,
  itemsOf,
  pollUntil,
  type PlacedOrder,
  assertRefused,
  describeExchange,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { equalValues } from '../../src/protocol/equality.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../src/spec/requirements/index.ts';
import { Order } from '../../src/spec/resources.ts';
import {
  changesState,
  sendRequest,
  type Fixture,
  type RequestOverrides,
  type PermittedRequest,
  assertPermitted,
  wasBeforeDeadlines,
} from './endpoint-operations.ts';

export interface ForbiddenRequest {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  readonly requirement: RequirementId;
  /** Who or what it is that must be refused. */
  readonly what: string;
  readonly fixture?: Fixture;
  readonly overrides?: RequestOverrides;
  /** A list that is empty serves as a refusal: it comes from a backend that is the caller's own. */
  readonly emptyListCounts?: 'do';
}

/** An empty list shows nothing of somebody else's order, and is as good as a refusal where one is at home. */
const showsNothing = ({ emptyListCounts }: ForbiddenRequest, exchange: Exchange): boolean =>
  emptyListCounts !== undefined && succeeded(exchange) && itemsOf(exchange).length === 0;

/**
 * Requests that must be refused beside some that differ from them in who makes them, on the same ground. A refusal
 * counts where those succeed. Of what acts on an order the refusals come first, and must have changed nothing.
 */
export async function assertForbidden(
  t: CheckContext,
  fixture: Fixture,
  negatives: readonly ForbiddenRequest[],
  twins: readonly PermittedRequest[],
): Promise<void> {
  const { order } = fixture;
  const acting = negatives.some(({ endpoint }) => changesState(endpoint));
  const answers: Exchange[] = [];
  let twinsServed = true;
  const tryAll = async (): Promise<void> => {
    for (const { by, endpoint, overrides, fixture: other } of negatives) {
      answers.push(await sendRequest(t, by, endpoint, other ?? fixture, overrides));
    }
  };
  const serve = async (): Promise<void> => {
    for (const one of twins) {
      // What was served to somebody else may be used up.
      const wronged = acting && answers.some(succeeded);
      const requirements = wronged ? [] : one.requirements;
      twinsServed =
        succeeded(await assertPermitted(t, fixture, { ...one, requirements })) && twinsServed;
    }
  };
  if (!acting) await serve();
  if (acting && order) await untouched(t, { ...fixture, order }, tryAll);
  else await tryAll();
  if (acting) await serve();
  for (const [index, negative] of negatives.entries()) {
    const { requirement, what } = negative;
    const answer = answers[index];
    if (!answer) continue;
    if (showsNothing(negative, answer)) t.assert(requirement, true, { message: '' });
    else if (!isRefusal(answer) || twinsServed) assertRefused(t, requirement, answer, what);
    else t.inconclusive(requirement, `${describeExchange(answer)}, but so was its twin`);
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
export const sameFields = (one: Fields, other: Fields): boolean => {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => equalValues(name, one[name], other[name]));
};

const quotesShown = (t: CheckContext, exchange: Exchange): Fields =>
  Object.fromEntries(
    itemsOf(exchange)
      .filter((item) => !isByUndeclaredMaker(t, item))
      .map((item) => [textOf(item, 'quote_id')?.toLowerCase() ?? '', item['status']] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Quotes that the target took on an order, whoever's. */
function takenOn({ target }: CheckContext, { intentId, exchange }: PlacedOrder): readonly string[] {
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
  t: CheckContext,
  fixture: Fixture & { readonly order: PlacedOrder },
  act: () => Promise<void>,
): Promise<void> {
  const { order } = fixture;
  const look = async () => {
    const read = await sendRequest(t, order.by, 'order.read', fixture);
    const quotes = await sendRequest(t, order.by, 'order.quotes', fixture);
    const { data } = (read.response?.body ?? {}) as { readonly data?: Fields };
    const rfq = t.target.parties.maker_a && (await sendRequest(t, 'maker_a', 'rfq.read', fixture));
    const seen = { order: shown(data ?? {}), quotes: quotesShown(t, quotes) };
    return { read, quotes, rfq, seen };
  };
  const taken = takenOn(t, order);
  const before = await pollUntil(t, look, ({ seen }) => taken.every((id) => id in seen.quotes));
  await act();
  const after = await look();
  const readable = [before.read, before.quotes, after.read, after.quotes].every(succeeded);
  const last = after.rfq ?? after.quotes;
  const latest = last.received + t.target.clock.offset.most;
  const lapses = itemsOf(before.quotes).some((item) => {
    if (textOf(item, 'status') !== 'PENDING' || isByUndeclaredMaker(t, item)) return false;
    return latest >= (parseTimestamp(item['valid_until']) ?? Number.POSITIVE_INFINITY);
  });
  const quiet =
    before.seen.order['status'] === 'PENDING' && wasBeforeDeadlines(t, fixture, last) && !lapses;
  if (!readable || !quiet) return;
  const gone =
    before.rfq && after.rfq && succeeded(before.rfq) && isRefusal(after.rfq)
      ? after.rfq
      : undefined;
  const same =
    !gone &&
    sameFields(before.seen.order, after.seen.order) &&
    sameFields(before.seen.quotes, after.seen.quotes);
  t.assert('error.refusal-changes-nothing', same, {
    message: gone
      ? 'A request for quote went by requests that must be refused.'
      : 'An order or its quotes changed by requests that must be refused.',
    expected: before.seen,
    actual: after.seen,
    seen: [before.read, before.quotes, after.read, after.quotes, ...(gone ? [gone] : [])],
  });
}
