import type { Exchange } from '../../history/records.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { callAs, type ProbeContext } from './probe-context.ts';
import { isDenied } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { concurrently } from '../../suite/actions/context.ts';
import { observeLists } from '../observe/lists.ts';

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
