import type { Trial } from '../../src/conformance/check.ts';
import { paginationOf, said } from '../../src/conformance/moves/index.ts';
import { asksForItems } from '../../src/spec/paging.ts';
import type { Listing } from './walks.ts';

/** Pages and items beyond the end of any list that a run leaves behind. */
const far = 1_000;
const small = 2;

/**
 * Judges that a page past the end of a list tells how many items there are as any other does, where such a page is
 * answered at all (gap `list.past_end`) and the list stands still meanwhile.
 */
export async function judgePastEnd(
  trial: Trial,
  { by, endpoint, query = {} }: Listing,
): Promise<void> {
  const { answers } = trial.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  if (page === undefined || size === undefined) return;
  const ask = (more: Readonly<Record<string, string>> = {}) =>
    trial.party(by).call(endpoint, { query: { ...query, [size]: `${small}`, ...more } });
  const [before, past, after] = await trial.quietly(async () => {
    const first = await ask();
    const { total_items = 0, total_pages = 0 } = paginationOf(first) ?? {};
    const beyond = far + (asksForItems(page) ? total_items : total_pages);
    return [first, await ask({ [page]: `${beyond}` }), await ask()] as const;
  });
  const [was, shown, is] = [before, past, after].map((one) => paginationOf(one)?.total_items);
  if (was === undefined || shown === undefined || was !== is) return;
  trial.judge('pagination.total-items.counts', shown === was, {
    message: `A page of ${endpoint} past its end counted other items: ${said(past)}.`,
    expected: was,
    actual: shown,
    seen: [before, past, after],
  });
}

/** Where pages are not bounded, no more than so many items are asked for. */
const enough = 1_000;

/** Asks for more than a page may hold, or than there are: the rules hold what comes against what it says. */
export async function askForTooMany(
  trial: Trial,
  { by, endpoint }: Listing,
  total: number,
): Promise<void> {
  const { answers } = trial.target;
  const size = answers.get('list.page_size_param');
  if (size === undefined) return;
  const most = Number(answers.get('list.max_page_size') ?? total);
  const asked = Math.min(Number.isInteger(most) ? most : total, enough) + 50;
  await trial.party(by).call(endpoint, { query: { [size]: `${asked}` } });
}
