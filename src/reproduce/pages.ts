import { isObject } from '../history/json.ts';
import type { Exchange } from '../history/records.ts';
import type { Paging, Slice } from './slice.ts';

/**
 * Changes the page of list requests. Evidence may be the sixth page of a list to which a whole run added, but a flow of
 * a few orders has fewer pages: its items are on its only page, and failures of later pages show on the second of two.
 * Undefined if no evidence is a later page.
 */
export function repaged(
  slice: Slice,
  evidence: readonly string[],
  paging: Paging,
): Slice | undefined {
  if (paging === 'as it was') return slice;
  const items = slice.exchanges.filter(({ endpoint }) => endpoint === 'order.create').length;
  let isChanged = false;
  const exchanges = slice.exchanges.map((exchange) => {
    const asked = evidence.includes(exchange.id) ? laterPageOf(exchange) : undefined;
    if (!asked) return exchange;
    isChanged = true;
    const half = String(Math.max(1, Math.ceil(items / 2)));
    return paging === 'on one page'
      ? askedAgain(exchange, { [asked.page]: '1' })
      : askedAgain(exchange, { [asked.page]: '2', [asked.size]: half });
  });
  return isChanged ? { ...slice, exchanges } : undefined;
}

/** The document leaves the names of list parameters open. They are found by their values, which the answer repeats. */
function laterPageOf({
  query,
  response,
}: Exchange): { readonly page: string; readonly size: string } | undefined {
  const pagination = isObject(response?.body) ? response.body['pagination'] : undefined;
  if (!isObject(pagination)) return undefined;
  const named = (value: unknown, but = ''): string | undefined =>
    Object.keys(query).find((name) => name !== but && query[name] === String(value));
  const page = named(pagination['page']);
  const size = named(pagination['page_size'], page);
  // If page and page size are equal, their parameters cannot be told apart.
  const isLater = Number(pagination['page']) > 1 && pagination['page'] !== pagination['page_size'];
  return isLater && page !== undefined && size !== undefined ? { page, size } : undefined;
}

function askedAgain(exchange: Exchange, changed: Readonly<Record<string, string>>): Exchange {
  const [path = '', search = ''] = exchange.request.path.split('?');
  const words = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changed)) words.set(name, value);
  return {
    ...exchange,
    query: { ...exchange.query, ...changed },
    request: { ...exchange.request, path: `${path}?${words.toString()}` },
  };
}
