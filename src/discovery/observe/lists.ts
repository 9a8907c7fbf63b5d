import { isOffsetParam, listOrderOf } from '../../spec/paging.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Exchange } from '../../history/records.ts';
import {
  type Fields,
  follows,
  itemsOf,
  type Paging,
  pagingOf,
  refused,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

const listNames = [
  'order.list',
  'order.quotes',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
] as const;

/** A whole number sent as one query parameter, no other parameter having the same value. */
function numbersSent(exchange: Exchange): readonly (readonly [key: string, value: number])[] {
  const entries = Object.entries(exchange.query);
  return entries.flatMap(([key, value]) => {
    const alone = entries.filter(([, other]) => other === value).length === 1;
    return key !== 'status' && /^\d{1,9}$/.test(value) && alone
      ? [[key, Number(value)] as const]
      : [];
  });
}

/** What lists answer when nothing but a status is asked for, by endpoint. */
function plainAnswers(lists: readonly Exchange[]): ReadonlyMap<string, Paging> {
  const found = new Map<string, Paging>();
  for (const exchange of lists) {
    const paging = pagingOf(exchange);
    const plain = Object.keys(exchange.query).every((key) => key === 'status');
    const name = exchange.endpoint ?? '';
    if (paging && plain && !found.has(name)) found.set(name, paging);
  }
  return found;
}

export function observeLists(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const lists = callsTo(exchanges, ...listNames).filter((one) => one.auth === 'own');
  const usual = plainAnswers(lists);
  const numbers = lists.flatMap((exchange) => observeParameter(exchange, usual, lists));
  const sizes = new Set(
    numbers.flatMap(({ gap, answer }) => (gap === 'list.page_size_param' ? [answer] : [])),
  );
  // What asks for a size may happen to be the number of the page as well.
  const params = numbers.filter(
    ({ gap, answer }) => gap !== 'list.page_param' || !sizes.has(answer),
  );
  const answersTo = (gap: GapObservation['gap']) => [
    ...new Set(params.filter((one) => one.gap === gap).map((one) => one.answer)),
  ];
  const sizeParams = answersTo('list.page_size_param');
  const pageParams = answersTo('list.page_param');
  return [
    ...params,
    ...lists.flatMap((exchange) => [
      ...observePlainList(exchange),
      ...observeOversize(exchange, sizeParams),
      ...observePastEnd(exchange, pageParams, usual),
      ...observeUnknownStatus(exchange, lists),
    ]),
    ...observeMaxPageSize(lists, sizeParams),
  ];
}

/** The largest page that was served, where a page of one item more was refused. */
function observeMaxPageSize(
  lists: readonly Exchange[],
  params: readonly string[],
): readonly GapObservation[] {
  const asked = lists.flatMap((exchange) => {
    const name = params.find((one) => exchange.query[one] !== undefined);
    const size = Number(exchange.query[name ?? '']);
    const alone = Object.keys(exchange.query).length === 1;
    return alone && size > 0 ? [{ exchange, size }] : [];
  });
  return asked.flatMap(({ exchange, size }): GapObservation[] => {
    if (!refused(exchange)) return [];
    const below = asked.find(
      (one) =>
        one.size === size - 1 &&
        one.exchange.endpoint === exchange.endpoint &&
        pagingOf(one.exchange)?.page_size === one.size,
    );
    const subject = exchange.endpoint ?? '';
    const evidence = [exchange.id, ...(below ? [below.exchange.id] : [])];
    return below
      ? [{ gap: 'list.max_page_size', answer: String(below.size), subject, evidence }]
      : [];
  });
}

/** Whether a page shows what the whole list, asked for without any parameter before, shows from some item on. */
function showsFrom(skipped: number, exchange: Exchange, lists: readonly Exchange[]): boolean {
  if (!Number.isInteger(skipped) || skipped <= 0) return false;
  const { intent_id } = exchange.params;
  const whole = lists.find(
    (one) =>
      one.endpoint === exchange.endpoint &&
      one.party === exchange.party &&
      one.params.intent_id === intent_id &&
      Object.keys(one.query).length === 0 &&
      follows(exchange, one),
  );
  const total = pagingOf(exchange)?.total_items;
  if (!whole || pagingOf(whole)?.total_items !== total) return false;
  const shown = itemsOf(exchange).map(idOf);
  const due = itemsOf(whole)
    .slice(skipped, skipped + shown.length)
    .map(idOf);
  return shown.length > 0 && due.length === shown.length && due.every((id, at) => id === shown[at]);
}

const idOf = (item: Fields): unknown => item['quote_id'] ?? item['intent_id'];

function observeParameter(
  exchange: Exchange,
  usual: ReadonlyMap<string, Paging>,
  lists: readonly Exchange[],
): readonly GapObservation[] {
  const paging = pagingOf(exchange);
  const before = usual.get(exchange.endpoint ?? '');
  if (!paging || !before) return [];
  const evidence = [exchange.id];
  return numbersSent(exchange).flatMap(([key, value]): GapObservation[] => {
    if (paging.page_size === value && before.page_size !== value) {
      return [{ gap: 'list.page_size_param', answer: key, evidence }];
    }
    const turned = paging.page !== before.page;
    const asNumber = turned && paging.page === value;
    const asOffset = turned && paging.page === before.page + value / paging.page_size;
    const named = asOffset && isOffsetParam(key);
    // Which items a page shows tells it as well, whatever number the page then says that it has.
    const skipped = isOffsetParam(key) ? value : (value - before.page) * paging.page_size;
    return asNumber || named || showsFrom(skipped, exchange, lists)
      ? [{ gap: 'list.page_param', answer: key, evidence }]
      : [];
  });
}

/** Lists that the register asks the order of. */
const orderedLists = ['order.list', 'rfq.list', 'quote.list'];

function observePlainList(exchange: Exchange): readonly GapObservation[] {
  const paging = pagingOf(exchange);
  if (!paging) return [];
  const evidence = [exchange.id];
  const observations: GapObservation[] = [];
  if (Object.keys(exchange.query).every((key) => key === 'status')) {
    observations.push({ gap: 'list.first_page', answer: String(paging.page), evidence });
  }
  if (paging.total_items === 0) {
    const answer = String(paging.total_pages);
    observations.push({ gap: 'list.empty_total_pages', answer, evidence });
  }
  const subject = exchange.endpoint ?? '';
  // A list of two is enough to note; where another is otherwise, the gap has more than one answer.
  const order = orderedLists.includes(subject) ? listOrderOf(itemsOf(exchange), 2) : undefined;
  if (order !== undefined)
    observations.push({ gap: 'list.order', answer: order, subject, evidence });
  return observations;
}

function observeOversize(exchange: Exchange, params: readonly string[]): readonly GapObservation[] {
  const asked = params.map((name) => Number(exchange.query[name])).find((size) => size >= 1_000);
  const evidence = [exchange.id];
  if (asked === undefined) return [];
  if (refused(exchange)) return [{ gap: 'list.oversize', answer: 'refuse', evidence }];
  const size = pagingOf(exchange)?.page_size;
  if (size === undefined || size === asked) return [];
  return [
    { gap: 'list.oversize', answer: 'clamp', evidence },
    { gap: 'list.max_page_size', answer: String(size), subject: exchange.endpoint ?? '', evidence },
  ];
}

function observePastEnd(
  exchange: Exchange,
  params: readonly string[],
  usual: ReadonlyMap<string, Paging>,
): readonly GapObservation[] {
  const asked = params.map((name) => Number(exchange.query[name])).find((page) => page >= 900_000);
  if (asked === undefined || !usual.has(exchange.endpoint ?? '')) return [];
  const evidence = [exchange.id];
  if (refused(exchange)) return [{ gap: 'list.past_end', answer: 'refuse', evidence }];
  if (!pagingOf(exchange)) return [];
  const answer = itemsOf(exchange).length === 0 ? 'empty' : 'the last page again';
  return [{ gap: 'list.past_end', answer, evidence }];
}

function observeUnknownStatus(
  exchange: Exchange,
  lists: readonly Exchange[],
): readonly GapObservation[] {
  const { status } = exchange.query;
  const known: readonly string[] = [...orderStates, ...quoteStates];
  if (status === undefined || known.includes(status.toUpperCase()) || status === '') return [];
  const observation = (answer: string): GapObservation[] => [
    {
      gap: 'list.unknown_status',
      answer,
      subject: exchange.endpoint ?? '',
      evidence: [exchange.id],
    },
  ];
  if (refused(exchange)) return observation('refuse');
  if (!pagingOf(exchange)) return [];
  if (itemsOf(exchange).length > 0) return observation('ignore');
  const hadItems = lists.some(
    (one) =>
      one.endpoint === exchange.endpoint &&
      one.party === exchange.party &&
      follows(exchange, one) &&
      Object.keys(one.query).length === 0 &&
      itemsOf(one).length > 0,
  );
  return hadItems ? observation('empty') : [];
}
