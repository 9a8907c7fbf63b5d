import type { Party } from '../../client/contract.ts';
import { itemsOf, textOf } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { isTerminal } from '../../spec/states.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import type { Random } from '../../random/random.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { KnownOrder } from './label-registry.ts';
import { type CommandContext, queryOf, viewsOf } from './commands.ts';
import { windowMsIn } from './step-instant.ts';

export interface AftermathContext
  extends Pick<CommandContext, 'assignment' | 'book' | 'partyIdOf'> {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly parties: readonly Party[];
  /** The longest wait for orders to end; no limit if absent. */
  readonly longestWaitMs?: number;
}

export interface Aftermath {
  /** The streams that were opened again, each with the one that it resumes, by the ids of their exchanges. */
  readonly resumed: readonly { readonly stream: string; readonly of: string }[];
  /** When no order could still be on its way to an end; infinite if that wait would have been too long. */
  readonly restMs: number;
}

/**
 * The liveness phase: no fault strikes any more. Broken streams are resumed, time passes until every order must have
 * ended, and all parties read everything that they may see.
 */
export async function aftermath(context: AftermathContext): Promise<Aftermath> {
  const { timeline, parties } = context;
  const resumed: { stream: string; of: string }[] = [];
  for (const party of parties) {
    const exchange = await takeUpAgain(context, party);
    if (exchange) resumed.push(exchange);
  }
  const ends: number[] = [];
  for (const party of parties)
    if (party.role === 'institution') ends.push(...(await endsOf(context, party)));
  const restMs = Math.max(timeline.now(), ...ends) + tolerance.eventDeliveryMs;
  const latestMs = timeline.now() + (context.longestWaitMs ?? Number.POSITIVE_INFINITY);
  for (const { at, order, makers } of deadlinesOf(context)) {
    if (at > Math.min(restMs, latestMs)) break;
    await timeline.until(at);
    await lookAt(context, order, makers);
  }
  await timeline.until(Math.min(restMs, latestMs));
  for (const party of parties) await lookAtAll(context, party);
  return { resumed, restMs: restMs > latestMs ? Number.POSITIVE_INFINITY : restMs };
}

interface Deadline {
  /** When the deadline must show, however late a target may be with it. */
  readonly at: number;
  readonly order: KnownOrder;
  readonly makers: readonly string[];
}

/** Deadlines still to come, in order: of the orders that were not accepted, and of their quotes. */
function deadlinesOf({ book, timeline }: AftermathContext): readonly Deadline[] {
  const found = new Map<string, Deadline>();
  const quotes = [...book.quotes.values()].filter(({ order }) => order.acceptedAt === undefined);
  const add = (deadline: number, order: KnownOrder): void => {
    const at = deadline + tolerance.deadlineLateMs + 1;
    if (at <= timeline.now()) return;
    const makers = quotes.filter((quote) => quote.order === order).map(({ maker }) => maker);
    found.set(`${at} ${order.intentId}`, { at, order, makers: [...new Set(makers)] });
  };
  for (const { order, validUntil } of quotes) add(validUntil, order);
  for (const order of book.orders.values())
    if (order.acceptedAt === undefined) add(order.expiresAt, order);
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}

/** The order side and the makers read every view of the order. */
async function lookAt(
  { parties }: AftermathContext,
  { sender, intentId }: KnownOrder,
  makers: readonly string[],
): Promise<void> {
  for (const party of parties) {
    if (party.name !== sender && !makers.includes(party.name)) continue;
    for (const endpoint of viewsOf(party.role)) {
      const isOfOne = endpoints[endpoint].path.includes('{intent_id}');
      await party.call(endpoint, isOfOne ? { params: { intent_id: intentId } } : {});
    }
  }
}

/** Resumes the last stream of a party that was not limited to one order, if that stream has ended. */
async function takeUpAgain({ book }: AftermathContext, party: Party) {
  const own = [...book.streams.values()].filter(
    (known) => known.party === party.name && known.order === undefined,
  );
  const latest = own.at(-1)?.stream;
  if (!latest || own.some(({ stream }) => stream.isOpen)) return undefined;
  const lastEventId = latest.frames.findLast(({ eventId }) => eventId)?.eventId;
  const stream = await party.listen(lastEventId === undefined ? {} : { lastEventId });
  book.streams.set(`aftermath of ${party.name}`, { stream, party: party.name, order: undefined });
  return lastEventId === undefined ? undefined : { stream: stream.opened.id, of: latest.opened.id };
}

const pageSize = 50;

/** When the open orders of an institution must have ended, according to its list. */
async function endsOf(context: AftermathContext, party: Party): Promise<readonly number[]> {
  const { assignment } = context;
  const windowMs = windowMsIn(assignment);
  return (await allOrders(context, party)).flatMap((order) => {
    const state = orderStates.find((one) => one === textOf(order, 'status'));
    if (state === undefined || isTerminal(state)) return [];
    const accepted = parseTimestamp(textOf(order, 'quote_accepted_at'));
    const expires = parseTimestamp(textOf(order, 'expires_at'));
    const end = accepted === undefined ? expires : accepted + windowMs;
    return end === undefined ? [] : [end];
  });
}

/** Reads all pages: the last order to end may be on the last one. */
async function allOrders({ assignment }: AftermathContext, party: Party) {
  const pageSize = sizeIn(assignment);
  const pageOf = (page?: number) =>
    party.call('order.list', {
      query: queryOf(assignment, { ...(page !== undefined && { page }), pageSize }),
    });
  const first = await pageOf();
  const items = [...itemsOf(first)];
  const total = paginationOf(first)?.total_items ?? 0;
  for (let page = 2; (page - 1) * pageSize < total; page += 1) {
    const more = itemsOf(await pageOf(page));
    if (more.length === 0) break;
    items.push(...more);
  }
  return items;
}

const sizeIn = (assignment: Assignment): number =>
  Math.min(pageSize, Number(assignment['list.max_page_size']));

async function lookAtAll(context: AftermathContext, party: Party): Promise<void> {
  const { book, partyIdOf } = context;
  if (party.role === 'market-maker') {
    await readList(context, party, 'rfq.list');
    await readList(context, party, 'quote.list', quoteStates);
    await readList(context, party, 'settlement.list');
  } else {
    await readList(context, party, 'order.list', orderStates);
    for (const { intentId, create, sender } of book.orders.values()) {
      const params = { intent_id: intentId };
      const isReceiver = partyIdOf(create.receiverCustodian) === party.partyId;
      const isSender = partyIdOf(create.custodian) === party.partyId || party.name === sender;
      if (!isReceiver && !isSender) continue;
      await party.call('order.read', { params });
      if (isSender) await party.call('order.quotes', { params });
    }
  }
  await party.call('stats.read');
}

/**
 * Reads a list as one page. Some parties then walk it, or its items in one state: a few small pages, one past the end,
 * and the whole list again. Now that nothing changes, all of them must agree.
 */
async function readList(
  { assignment, random }: AftermathContext,
  party: Party,
  endpoint: EndpointName,
  states: readonly string[] = [],
): Promise<void> {
  const longest = sizeIn(assignment);
  const read = (page: Parameters<typeof queryOf>[1]) =>
    party.call(endpoint, { query: queryOf(assignment, { pageSize: longest, ...page }) });
  const whole = await read({});
  // Drawn for each party alone: a shorter plan may leave other parties out.
  const draws = random.fork(`${endpoint} of ${party.name}`);
  if (!draws.chance(0.3)) return;
  const filter = states.length > 0 && draws.chance(0.5) ? { status: draws.pick(states) } : {};
  const total = paginationOf('status' in filter ? await read(filter) : whole)?.total_items ?? 0;
  if (total < 2) return;
  const pageSize = Math.min(longest, Math.ceil(total / walkedPages));
  for (let page = 1; page <= Math.ceil(total / pageSize) + 1 && page <= walkedPages + 1; page += 1)
    await read({ ...filter, page, pageSize });
  await read(filter);
}

const walkedPages = 3;
