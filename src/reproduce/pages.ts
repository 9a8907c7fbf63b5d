import { isObject } from '../history/json.ts';
import type { Exchange } from '../history/records.ts';
import type { Paging, Slice } from './slice.ts';

/**
 * A page that evidence shows may be the sixth of a list to which a whole run added. A flow of a few orders has not that
 * many: what was shown of an item stands on its only page, and what goes wrong on later pages on the second of two.
 * Undefined where no evidence is a later page.
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

/** What the parameters of a list are called is open: an answer repeats what they said. */
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
  // Which is which does not show where they are the same.
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
