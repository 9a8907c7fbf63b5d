import { jwtPart } from '../../protocol/jwt.ts';
import type { CallOptions } from '../../client/contract.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { concurrently, retryWhileRefused, targetNow } from '../../suite/actions/context.ts';
import {
  orderBody,
  paramsOf,
  cancelOptions,
  openForQuotes,
  type PlacedOrder,
} from '../../suite/actions/orders.ts';
import { callAs, type ProbeContext, placeOrder, tryOrder, submitQuote } from './probe-context.ts';
import { isDenied, succeeded, type Fields, itemsOf, textOf } from '../../protocol/answers.ts';
import { requestFields } from '../observe/orders.ts';
import type { Exchange } from '../../history/records.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { observeLists } from '../observe/lists.ts';

/** Asks every backend about itself, and tests who gets an answer. */
export async function probeAccess(t: ProbeContext): Promise<void> {
  const declared = castNames.filter(t.has);
  const [first, second] = declared;
  const unknown = t.random.uuid();
  await concurrently(t, [
    ...declared.flatMap((name) => [
      () => t.party(name).call('health.read'),
      () => t.party(name).call('stats.read'),
    ]),
    ...(first ? strangeWaysToAsk(t, first, second) : []),
    () => callAs(t, 'sender', 'order.read', { params: { intent_id: unknown } }),
    () => callAs(t, 'sender', 'order.read', { params: { intent_id: 'no-such-order' } }),
    () => callAs(t, 'sender', 'rfq.list'),
    () => t.party('sender').send('GET', '/orders'),
  ]);
}

/** Requests without a token, with the token of another party, and with an unknown parameter. */
const strangeWaysToAsk = (t: ProbeContext, name: CastName, other: CastName | undefined) => {
  const ask = (options: CallOptions) => () => t.party(name).call('identity.read', options);
  const foreign = other && { label: `of ${other}`, token: t.party(other).token };
  return [
    ask({ credential: { label: 'none' } }),
    ...(foreign ? [ask({ credential: foreign })] : []),
    ask({ query: { assay_unknown: '1' } }),
    () => askWithoutRole(t, name),
  ];
};

/** If tokens can be signed, asks with a token that claims no role. */
async function askWithoutRole(t: ProbeContext, name: CastName): Promise<void> {
  const party = t.party(name);
  const claims = jwtPart(party.token, 'claims');
  const token = claims && (await t.target.signing?.mint({ ...claims, role: undefined }));
  if (token === undefined) return;
  await party.call('identity.read', { credential: { label: 'no role', token } });
}

/** A stream limited to an order that does not exist. */
export async function probeStream(t: ProbeContext): Promise<void> {
  const stream = await t.party('sender').listen({ intentId: t.random.uuid() });
  await stream.close();
}

/** Tests which fields a creation requires, and which unusual values it accepts. */
export async function probeCreation(t: ProbeContext): Promise<void> {
  const repeated = orderBody(t);
  const odd = [
    orderBody(t, { assay_probe: 'x' }),
    orderBody(t, { target_currency: repeated['source_currency'] }),
    orderBody(t, { target_amount: '0' }),
    orderBody(t, { target_amount: 100 }),
    ...requestFields.map((field) => {
      const { [field]: _, ...rest } = orderBody(t);
      return rest;
    }),
  ];
  await concurrently(t, [
    async () => {
      await tryOrder(t, repeated);
      await tryOrder(t, repeated);
    },
    ...odd.map((body) => () => tryOrder(t, body)),
  ]);
}

/** Tests which other parties may read an order, the effect of a cancel, and the request before and after it. */
export async function probeOrderLife(t: ProbeContext): Promise<void> {
  const params = paramsOf(await placeOrder(t));
  await concurrently(t, [
    () => callAs(t, 'outsider', 'order.read', { params }),
    () => callAs(t, 'outsider_custodian', 'order.read', { params }),
    () => callAs(t, 'receiver_custodian', 'order.list'),
    () => callAs(t, 'maker_a', 'rfq.read', { params }),
  ]);
  const sender = t.party('sender');
  const bare = await sender.call('order.cancel', { params });
  const cancelled = isDenied(bare) ? await sender.call('order.cancel', { params, body: {} }) : bare;
  if (!succeeded(cancelled)) return;
  await sender.call('order.read', { params });
  await sender.call('order.cancel', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}

/** Tests if quoting waits for the custodian's acceptance of the proposal, and the effect of a second acceptance. */
export async function probeProposal(t: ProbeContext): Promise<void> {
  const order = await placeOrder(t);
  await awaitRequestVisible(t, order);
  const first = await submitQuote(t, order);
  if (!succeeded(await acceptProposal(t, order))) return;
  if (isDenied(first.exchange)) {
    await awaitRequestVisible(t, order);
    await submitQuote(t, order);
  } else {
    await t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  }
}

/** An order that can be quoted; its proposal is accepted if the target waits for that. */
export async function openOrder(t: ProbeContext, changes: Fields = {}): Promise<PlacedOrder> {
  const order = await placeOrder(t, changes);
  await openForQuotes(t, order);
  await awaitRequestVisible(t, order);
  return order;
}

const acceptProposal = (t: ProbeContext, order: PlacedOrder): Promise<Exchange> =>
  retryWhileRefused(t, () =>
    t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) }),
  );

/** Waits until the maker's backend knows the request, or its time to learn of it is over. */
async function awaitRequestVisible(t: ProbeContext, order: PlacedOrder): Promise<void> {
  if (!t.has('maker_a')) return;
  await retryWhileRefused(t, () =>
    t.party('maker_a').call('rfq.read', { params: paramsOf(order) }),
  );
}

/** Amounts at which each reading of a rate and of a submitted amount gives another result. */
const roundAmounts = { target_amount: '100.00', source_amount_max: '1000.00' };

/**
 * Tests the meaning of a rate and an amount. At 1.25 the counter amount of 100 is 80 or 125, so the amount that a
 * target takes for the whole order shows its reading.
 */
export async function probeAmounts(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, roundAmounts);
  const params = paramsOf(order);
  for (const amount of t.has('maker_a') ? ['100.00', '80.00', '125.00'] : []) {
    const { id } = await submitQuote(t, order, { rate: '1.25', amount });
    if (id !== undefined) break;
  }
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'receiver_custodian', 'order.quotes', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}

/** A division that does not end, for the number of decimals; each on an order of its own, see gap `quote.twice`. */
export async function probeRounding(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, roundAmounts);
  await submitQuote(t, order, { rate: '1.3333333', amount: '100.00' });
  await callAs(t, 'sender', 'order.quotes', { params: paramsOf(order) });
}

/** A quote over half of the order. */
export async function probePartialAmount(t: ProbeContext): Promise<void> {
  await submitQuote(t, await openOrder(t, roundAmounts), { amount: '50.00' });
}

/** Validity beyond either end. */
export async function probeValidity(t: ProbeContext): Promise<void> {
  const first = await openOrder(t);
  await submitQuote(t, first, { validUntil: targetNow(t).latest - 3_600_000 });
  const second = await openOrder(t);
  if (second.expiresAt !== undefined)
    await submitQuote(t, second, { validUntil: second.expiresAt + 30_000 });
}

/** Accepts a quote; tries again if the acceptance may have waited for that of the order's proposal. */
export async function acceptQuote(t: ProbeContext, order: PlacedOrder, quoteId: string) {
  const params = { ...paramsOf(order), quote_id: quoteId };
  const first = await t.party('sender').call('quote.accept', { params });
  if (!isDenied(first) || !t.has('sender_custodian')) return first;
  if (!succeeded(await acceptProposal(t, order))) return first;
  return t.party('sender').call('quote.accept', { params });
}

/** Submits a quote twice, accepts one of them twice, and reads the state of the other. */
export async function probeAcceptance(t: ProbeContext): Promise<void> {
  const order = await openOrder(t);
  const first = await submitQuote(t, order);
  if (first.id === undefined) return;
  const params = paramsOf(order);
  const maker = t.party('maker_a');
  const { body } = first.exchange.request;
  await maker.call('quote.submit', { params, body });
  const own = await maker.call('rfq.quotes', { params });
  const pending = itemsOf(own).find((item) => item['status'] === 'PENDING');
  const quoteId = textOf(pending, 'quote_id') ?? first.id;
  if (!succeeded(await acceptQuote(t, order, quoteId))) return;
  await callAs(t, 'sender', 'quote.accept', { params: { ...params, quote_id: quoteId } });
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
  await callAs(t, 'maker_b', 'rfq.read', { params });
  await callAs(t, 'maker_b', 'quote.submit', { params, body });
}

/** Effect of a cancel on an accepted quote, and on a pending one. */
export async function probeCancelled(t: ProbeContext): Promise<void> {
  for (const isAccepted of [true, false]) {
    const order = await openOrder(t);
    const { id } = await submitQuote(t, order);
    if (id === undefined) return;
    if (isAccepted) await acceptQuote(t, order, id);
    const params = paramsOf(order);
    await callAs(t, 'sender', 'order.cancel', cancelOptions(t, order));
    await callAs(t, 'sender', 'order.read', { params });
    await callAs(t, 'sender', 'order.quotes', { params });
  }
}

/** A quote above the maximum: 100 against 50 is above it in either orientation. */
export async function probeAboveMaximum(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, { target_amount: '100.00', source_amount_max: '50.00' });
  const { id } = await submitQuote(t, order);
  if (id === undefined) return;
  const params = paramsOf(order);
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'sender', 'quote.accept', { params: { ...params, quote_id: id } });
  await callAs(t, 'sender', 'order.read', { params });
}

/** Names that other interfaces use, the commonest first: each costs a request if those before have no effect. */
const sizeNames = [
  'page_size',
  'per_page',
  'limit',
  'size',
  'pageSize',
  'perPage',
  'page-size',
  'page[size]',
  'page_limit',
  'items_per_page',
  'count',
  'max_results',
  'take',
  'rows',
  'itemsPerPage',
  'maxResults',
  'n',
] as const;
const pageNames = [
  'page',
  'page_number',
  'offset',
  'page_no',
  'pageNumber',
  'p',
  'skip',
  'start',
  'page-number',
  'page[number]',
  'page_num',
  'pageNo',
  'page_index',
  'current_page',
  'index',
  'pageIndex',
  'pageNum',
  'currentPage',
] as const;

type List = (query: Record<string, string>) => Promise<Exchange>;

interface Names {
  readonly size: string | undefined;
  readonly page: string | undefined;
  /** Number of items in the list. */
  readonly total: number;
}

/** Finds the paging parameters of one list, if it has them. */
async function namesOf(t: ProbeContext, ask: List, known?: Names): Promise<Names> {
  const asked: Exchange[] = [];
  const list: List = async (query) => {
    const exchange = await ask(query);
    asked.push(exchange);
    return exchange;
  };
  const seen = (gap: GapId): string | undefined =>
    [...observeLists(asked)].find((observation) => observation.gap === gap)?.answer;
  const before = paginationOf(await list({}));
  if (!before) return { size: undefined, page: undefined, total: 0 };
  const size =
    known?.size ??
    (await firstThat(t, 'list.page_size_param', sizeNames, async (name) => {
      await list({ [name]: before.page_size === 1 ? '2' : '1' });
      return seen('list.page_size_param') === name;
    }));
  const one = size === undefined ? {} : { [size]: '1' };
  const page =
    known?.page ??
    (await firstThat(t, 'list.page_param', pageNames, async (name) => {
      await list({ ...one, [name]: '2' });
      return seen('list.page_param') === name;
    }));
  return { size, page, total: before.total_items };
}

/**
 * Finds the paging parameters. The list holds three orders by now, so with one on a page, both a second page and an
 * offset of two exist. If one list does not show the names, another may: all lists take the same ones.
 */
export async function probeLists(t: ProbeContext): Promise<void> {
  const sender = t.party('sender');
  const list: List = (query) => sender.call('order.list', { query });
  let names = await namesOf(t, list);
  if (t.has('maker_a') && (names.size === undefined || names.page === undefined)) {
    names = await namesOf(t, (query) => t.party('maker_a').call('rfq.list', { query }), names);
  }
  const { size, page } = names;
  const one = size === undefined ? {} : { [size]: '1' };
  // A target without a largest page size sends the whole list.
  const tooMany = names.total > largeEnough ? largeEnough + 1 : 100_000;
  await concurrently(t, [
    async () => {
      if (size === undefined || !isDenied(await list({ [size]: `${tooMany}` }))) return;
      const declared = Number(t.target.answers.get('list.max_page_size'));
      await bisect(declared, async (items) => isDenied(await list({ [size]: `${items}` })));
    },
    ...(page === undefined ? [] : [() => list({ ...one, [page]: '999999' })]),
    () => list({ status: 'NO_SUCH_STATE' }),
    () => callAs(t, 'receiver_custodian', 'order.list'),
    // Lists that are most likely empty.
    () => list({ status: 'EXECUTING' }),
    () => callAs(t, 'maker_c', 'settlement.list'),
    () => callAs(t, 'maker_c', 'quote.list'),
  ]);
}

/** Larger pages are requested only to test the limit. */
const largeEnough = 1_000;
const usualBound = 100;

/**
 * If too large a page is refused, only requests can find the largest size: first the declared or usual size and one
 * more, which is most often enough, then the sizes between.
 */
async function bisect(declared: number, isRefused: (items: number) => Promise<boolean>) {
  const guess = declared > 0 && declared < largeEnough ? declared : usualBound;
  let [taken, tooLarge] = [1, largeEnough + 1];
  while (tooLarge - taken > 1) {
    const middle = Math.floor((taken + tooLarge) / 2);
    const near = [guess, guess + 1].find((one) => one > taken && one < tooLarge);
    const items = near ?? middle;
    if (await isRefused(items)) tooLarge = items;
    else taken = items;
  }
}

/** The first name that has an effect; a declared one is tried first. */
async function firstThat(
  t: ProbeContext,
  gap: GapId,
  names: readonly string[],
  works: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  const declared = t.target.answers.get(gap);
  const order =
    declared === undefined ? names : [declared, ...names.filter((one) => one !== declared)];
  for (const name of order) if (await works(name)) return name;
  return undefined;
}
