import { groupBy } from '../../history/group-by.ts';
import { isObject } from '../../history/json.ts';
import {
  type CallStep,
  type Claim,
  type PathPart,
  plain,
  type Template,
  type Test,
} from '../steps.ts';
import { callsIn, type Case, compare, reference, shownBy } from './evidence.ts';

/** One answer of the evidence, with the step that requests it again. */
interface Page {
  readonly step: CallStep;
  /** Items of a list. Undefined for other answers. */
  readonly items: readonly unknown[] | undefined;
  readonly pagination: unknown;
}

/** Each answer that the evidence holds, once. */
const answersIn = (one: Case): readonly Page[] =>
  callsIn({ ...one, evidence: [...new Set(one.evidence)] }).map(({ record, step }) => {
    const { data, pagination } = shownBy(record);
    return { step, items: Array.isArray(data) ? data : undefined, pagination };
  });
const pagesIn = (one: Case) => answersIn(one).filter(({ items }) => items !== undefined);

/** Claims on items that a list must have, or must not have. */
export const listClaims = (one: Case): Claim[][] =>
  pagesIn(one)
    .toReversed()
    .flatMap(({ step, items = [] }, _, pages) => {
      const claim = (where: string, is: Template, test: 'present' | 'absent'): Claim[] => {
        const path: readonly PathPart[] = ['data', { where, is }];
        return [{ kind: 'value', step: step.name, of: 'body', path, test: { test } }];
      };
      if (one.deviation === 'left out') {
        const is = reference(one.expected, one);
        const named = is.kind === 'answer' ? String(is.path.at(-1)) : 'intent_id';
        return is.kind === 'plain' ? [] : [claim(named, is, 'present')];
      }
      // With several pages, the page of an item is open.
      const { endpoint, query } = step.recorded;
      const alike = pages.filter((page) => page.step.recorded.endpoint === endpoint);
      if (alike.length > 1) return [];
      const asked = query['status'];
      return items.filter(isObject).flatMap((item) => [
        ...(asked !== undefined && item['status'] !== asked
          ? [claim('status', plain(item['status']), 'absent')]
          : []),
        ...tellingFields.flatMap((where) => {
          const is = reference(item[where], one);
          return is.kind === 'plain' ? [] : [claim(where, is, 'absent')];
        }),
      ]);
    });

/** Fields that identify the items of a list, or their parties. */
const tellingFields = [
  'quote_id',
  'intent_id',
  'sender_party_id',
  'market_maker_party_id',
  'mm_party_id',
] as const;

const answer = ({ step }: Page, path: readonly string[]): Template => ({
  kind: 'answer',
  step: step.name,
  path,
});
const dataOf = (page: Page): Template => answer(page, ['data']);
const count = (of: Template): Template => ({ kind: 'count', of });
const equal = (value: Template): Test => ({ test: 'equals', value });

/** Claims on the pages of a list and their counts. */
export function pageClaims(one: Case): Claim[][] {
  const pages = pagesIn(one);
  const last = pages.at(-1);
  if (!last) return [];
  const fields = new Set(one.places?.map(({ field }) => field));
  const counted = (page: Page, field: string): Template => answer(page, ['pagination', field]);
  const [items, all] = [joined([last]), joined(pages)];
  const [total, size] = [counted(last, 'total_items'), counted(last, 'page_size')];
  const is = (field: string, test: Test, page = last): Claim[] =>
    compare(counted(page, field), test, `pagination.${field} in ${page.step.name}`);
  const ofFields: Readonly<Record<string, () => Claim[][]>> = {
    'pagination.total_items': () => [
      ...[all, items].map((list) => is('total_items', equal(count(list)))),
      ...pairsOf(pages).map(([first, second]) =>
        is('total_items', equal(counted(first, 'total_items')), second),
      ),
    ],
    'pagination.total_pages': () => [
      is('total_pages', equal({ kind: 'pages', items: total, size })),
    ],
    'pagination.page_size': () =>
      (['at_most', 'equals'] as const).map((test) =>
        compare(count(items), { test, value: size }, `the number of items in ${last.step.name}`),
      ),
    'pagination.page': () => [is('page', equal(plain(one.expected)))],
  };
  const named = Object.entries(ofFields).flatMap(([field, claims]) =>
    fields.has(field) ? claims() : [],
  );
  if (one.deviation === 'too much') return [...named, ...unique([pages])];
  if (one.deviation !== 'left out') return named;
  const ofEachSize = [...groupBy(pages, (page) => countOf(page, 'page_size')).values()];
  return [
    ...named,
    ...pairsOf(ofEachSize).map(([walk, other]) =>
      compare(
        count(joined(walk)),
        equal(count(joined(other))),
        'the number of items in pages of one size',
      ),
    ),
    ...unique(ofEachSize),
  ];
}

const countOf = ({ pagination }: Page, field: string): string =>
  JSON.stringify(isObject(pagination) ? pagination[field] : undefined);

function joined(walk: readonly Page[]): Template {
  const [first, ...rest] = walk.map(dataOf);
  return { kind: 'joined', lists: [first ?? plain([]), ...rest] };
}

/** Claims that a page walk shows no item twice. */
const unique = (walks: readonly (readonly Page[])[]): Claim[][] =>
  walks.flatMap((walk) => {
    const [item] = walk.flatMap(({ items = [] }) => items.filter(isObject));
    const field = ['quote_id', 'intent_id'].find((name) => item && name in item);
    if (field === undefined) return [];
    return [compare(joined(walk), { test: 'unique', field }, 'all pages together')];
  });

/** Claims that two answers to the same request agree: in all of their content, or in the number of items. */
export const alikeClaims = (one: Case): Claim[][] =>
  pairsOf(answersIn(one))
    .filter(([first, second]) => {
      const isSame = first.step.recorded.endpoint === second.step.recorded.endpoint;
      return isSame && countOf(first, 'page') === countOf(second, 'page');
    })
    .flatMap(([one, other]) => {
      const [first, second] = [dataOf(one), dataOf(other)];
      const { name } = other.step;
      return [
        compare(second, equal(first), `the data of ${name}`),
        compare(count(second), equal(count(first)), `the number of items of ${name}`),
      ];
    });

const pairsOf = <T>(all: readonly T[]): readonly (readonly [first: T, second: T])[] =>
  all.flatMap((first, index) => all.slice(index + 1).map((second) => [first, second] as const));
