import { groupBy } from '../../history/group-by.ts';
import { isObject } from '../../history/json.ts';
import type { Exchange } from '../../history/records.ts';
import type { CallStep, Claim, Template, Test } from '../steps.ts';
import { bodyOf, type Case, stepOf } from './evidence.ts';

/** One answer of a list, as the step that asks for it again. */
interface ListPage {
  readonly step: CallStep;
  readonly recorded: Exchange;
}

/** What the pages of a list must add up to. */
export function pageClaims(one: Case): Claim[][] {
  const pages = pagesIn(one);
  const last = pages.at(-1);
  if (!last) return [];
  const { message, expected } = one;
  const items: Template = { kind: 'joined', lists: [dataOf(last)] };
  const all: Template = { kind: 'joined', lists: [dataOf(last), ...pages.slice(0, -1).map(dataOf)] };
  const count = (of: Template): Template => ({ kind: 'count', of });
  const counted = (page: ListPage, field: string): Template => answer(page, ['pagination', field]);
  const named = `in ${last.step.name}`;
  if (/showed an item twice/.test(message)) {
    return idsOf(pages).map((field) =>
      compare(all, { test: 'unique', field }, 'all pages together'),
    );
  }
  if (/total_items|another number/.test(message)) {
    return [all, items].map((list) =>
      compare(counted(last, 'total_items'), equal(count(list)), `pagination.total_items ${named}`),
    );
  }
  if (/counted otherwise/.test(message)) {
    return pages.slice(0, -1).flatMap((page) =>
      pages
        .slice(pages.indexOf(page) + 1)
        .map((other) =>
          compare(
            counted(other, 'total_items'),
            equal(counted(page, 'total_items')),
            `pagination.total_items in ${other.step.name}`,
          ),
        ),
    );
  }
  if (/total_pages/.test(message)) {
    const [total, size] = [counted(last, 'total_items'), counted(last, 'page_size')];
    const filled: Template = { kind: 'pages', items: total, size };
    const what = `pagination.total_pages ${named}`;
    return [compare(counted(last, 'total_pages'), equal(filled), what)];
  }
  if (/more than its page_size|was not full/.test(message)) {
    const value = counted(last, 'page_size');
    const test = { test: /more than/.test(message) ? 'at_most' : 'equals', value } as const;
    return [compare(count(dataOf(last)), test, `the number of items ${named}`)];
  }
  if (/was not the page/.test(message)) {
    const value: Template = { kind: 'plain', value: expected };
    return [compare(counted(last, 'page'), equal(value), `pagination.page ${named}`)];
  }
  if (/in pages of another size/.test(message)) return acrossSizes(pages);
  return [];
}

/** Two walks over one list, in pages of two sizes: both begin with the same items. */
function acrossSizes(pages: readonly ListPage[]): Claim[][] {
  const bySize = groupBy(pages, ({ recorded }) => JSON.stringify(sizeOf(recorded)));
  const [one, other] = [...bySize.values()];
  const whole = (walk: readonly ListPage[] | undefined): Template | undefined => {
    const [first, ...rest] = (walk ?? []).map(dataOf);
    return first && { kind: 'count', of: { kind: 'joined', lists: [first, ...rest] } };
  };
  const [first, second] = [whole(one), whole(other)];
  if (!first || !second) return [];
  const what = 'the number of items in pages of one size';
  return [
    compare(first, equal(second), what),
    ...idsOf(pages).flatMap((field) =>
      [one, other].flatMap((walk) => {
        const [head, ...tail] = (walk ?? []).map(dataOf);
        if (!head) return [];
        const list: Template = { kind: 'joined', lists: [head, ...tail] };
        return [compare(list, { test: 'unique', field }, 'all pages together')];
      }),
    ),
  ];
}

const sizeOf = ({ response }: Exchange): unknown => {
  const pagination = isObject(response?.body) ? response.body['pagination'] : undefined;
  return isObject(pagination) ? pagination['page_size'] : undefined;
};

const answer = ({ step }: ListPage, path: readonly string[]): Template => ({
  kind: 'answer',
  step: step.name,
  path,
});
const dataOf = (page: ListPage): Template => answer(page, ['data']);
const equal = (value: Template): Test => ({ test: 'equals', value });
const compare = (value: Template, test: Test, what: string): Claim[] => [
  { kind: 'compare', value, test, what },
];

/** Each page that the evidence holds, once. */
function pagesIn(one: Case): readonly ListPage[] {
  const ids = new Set(one.evidence.map(({ id }) => id));
  return [...ids].flatMap((id): ListPage[] => {
    const step = stepOf(one, id);
    if (step?.kind !== 'call') return [];
    const body = bodyOf(step.recorded);
    if (!isObject(body) || !Array.isArray(body['data'])) return [];
    return [{ step, recorded: step.recorded }];
  });
}

/** What tells the items of these pages apart. */
function idsOf(pages: readonly ListPage[]): readonly string[] {
  const items = pages.flatMap(({ recorded }) => {
    const body = bodyOf(recorded);
    const data = isObject(body) ? body['data'] : undefined;
    return Array.isArray(data) ? data.filter(isObject) : [];
  });
  const [item] = items;
  return ['quote_id', 'intent_id'].filter((field) => item !== undefined && field in item).slice(0, 1);
}
