import type { CallOptions } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import { paginationOf } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { isOffsetParam } from '../../src/spec/paging.ts';
import {
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';

type Query = NonNullable<CallOptions['query']>;

/** Lists that do not belong to one order. */
export const topLevelLists: readonly GuardedEndpoint[] = guardedEndpoints.filter(
  (endpoint) => endpoints[endpoint].result === 'list' && !endpoints[endpoint].path.includes('{'),
);

export const topLevelListsOf = (role: Role): readonly GuardedEndpoint[] =>
  topLevelLists.filter((endpoint) => (endpoints[endpoint].roles as readonly Role[]).includes(role));

const filters: { readonly [E in GuardedEndpoint]?: readonly string[] } = {
  'order.list': ['PENDING', 'SETTLED'],
  'quote.list': ['PENDING', 'ACCEPTED'],
};

/** Queries that narrow a list: its filters, and its second page if the page parameter is known and the page exists. */
export async function narrowedQueries(
  t: CheckContext,
  by: CastName,
  endpoint: GuardedEndpoint,
): Promise<readonly Query[]> {
  const { answers } = t.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  const filtered = (filters[endpoint] ?? []).map((status): Query => ({ status }));
  if (page === undefined) return filtered;
  const sized: Query = size === undefined ? {} : { [size]: '1' };
  const first = paginationOf(await t.party(by).call(endpoint, { query: sized }));
  if (!first || first.total_pages < 2) return filtered;
  const second = isOffsetParam(page) ? first.page_size : first.page + 1;
  return [...filtered, { ...sized, [page]: String(second) }];
}
