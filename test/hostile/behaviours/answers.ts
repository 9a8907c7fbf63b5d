import type { Behaviour } from '../proxy.ts';
import {
  answer,
  asJson,
  hang,
  long,
  changedText,
  everyNth,
  paged,
  reset,
  changedData,
  pagedAs,
  withFields,
  withValues,
} from './building-blocks.ts';

/** Good answers that are odd, and yet nothing that the document forbids. */
export const oddBehaviours: Readonly<Record<string, Behaviour>> = {
  'has __proto__ keys': changedText((text) =>
    text.replace(
      '{',
      '{"__proto__":{"status":"SETTLED","data":[]},"constructor":{"prototype":{}},',
    ),
  ),
  'has __proto__ keys in every item': changedData((item) =>
    JSON.parse(
      `{"__proto__":{"a":1},"toString":1,"hasOwnProperty":null,${JSON.stringify(item).slice(1)}`,
    ),
  ),
  'has every key twice': changedText((text) =>
    text.replaceAll(/("[a-z_]+":)("[^"]*")/g, '$1"?",$1$2'),
  ),
  'has a byte order mark': changedText((text) => `\uFEFF${text}`),
  'has bytes that are no UTF-8': changedText((text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    ]),
  ),
  'says that JSON is an image': async (visit) => {
    const { status, body } = await visit.relay();
    void answer(status, { 'content-type': 'image/png' }, body)(visit);
  },
  'closes after each response': async (visit) => {
    const { status, headers, body } = await visit.relay();
    visit.response.writeHead(status, headers).end(body, () => visit.socket.destroySoon());
  },
  'has a hundred unknown fields': changedData((item) => ({
    ...item,
    ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, { n }])),
  })),
};

/** Good answers with unexpected values in their fields. */
export const fieldBehaviours: Readonly<Record<string, Behaviour>> = {
  'has states named like prototypes': changedData((item) => ({
    ...item,
    ...('status' in item && { status: 'constructor' }),
    ...('role' in item && { schema_version: '__proto__' }),
  })),
  'has ids named like prototypes': withValues({ intent_id: '__proto__', quote_id: 'constructor' }),
  'has ids that are no text': withFields({ intent_id: ['x'], quote_id: 7 }),
  'has parties of percent signs and half surrogate pairs': withValues({
    sender_party_id: `%E0%A4%\udfff::${'ab'.repeat(34)}`,
  }),
  'has members named as methods in every field': changedData((item) =>
    Object.fromEntries(
      Object.keys(item).map((key) => [
        key,
        key === 'token' ? item[key] : { toString: 1, valueOf: 1 },
      ]),
    ),
  ),
  'has ids of half a surrogate pair': withFields({ intent_id: '\ud800', quote_id: '\udfff' }),
  'has ids of 20 kB': withFields({ intent_id: long(20_000) }),
  'has ids that climb directories': withFields({ intent_id: '../../auth/token?x#y' }),
  'has ids that change with every answer': changedData((item, visit) => ({
    ...item,
    ...('intent_id' in item && { intent_id: `${visit.before}` }),
  })),
  'speaks UTF-16': changedText((text) => Buffer.from(text, 'utf16le')),
  'has data null': changedText((text) =>
    text.replace(/"data":(\{.*\}|\[.*\])(?=,"meta"|,"pag|\})/, '"data":null'),
  ),
  'has text for data': changedData(() => 'data'),
  'has lists for items': changedData((item) => [item]),
  'has null in every field': changedData((item) =>
    Object.fromEntries(Object.keys(item).map((key) => [key, key === 'token' ? item[key] : null])),
  ),
  'has numbers for money': withFields({ target_amount: 1e308, fx_rate: -0, source_amount: 1e-320 }),
  'has money of 100,000 digits': changedData((item) => ({
    ...item,
    ...('target_amount' in item && {
      target_amount: `1${'0'.repeat(100_000)}.5`,
      fx_rate: '9'.repeat(50_000),
    }),
  })),
  'has money in powers of ten': withFields({
    target_amount: '1e999999999',
    fx_rate: '1e-999999999',
  }),
  'has rates of nothing': withFields({
    fx_rate: '0',
    source_amount: '0.00',
    source_amount_actual: '-1',
  }),
  'has moments that no calendar has': withFields({
    created_at: '2031-02-30T25:61:61.000Z',
    expires_at: '+275760-09-13T00:00:00.001Z',
    valid_until: '-271821-04-19T23:59:59.999Z',
  }),
  'has orders that live for ten thousand years': withValues({
    expires_at: '9999-12-31T23:59:59.999Z',
  }),
  'has orders that were dead when they were born': withValues({
    expires_at: '1970-01-01T00:00:00.000Z',
  }),
  'has a clock that jumps back and forth': changedText((text, _, { before }) =>
    text.replace(
      /"timestamp":"[^"]*"/,
      `"timestamp":"${before % 2 ? '1999' : '2099'}-01-01T00:00:00.000Z"`,
    ),
  ),
  'has a clock at the end of time': changedText((text) =>
    text.replace(/"timestamp":"[^"]*"/, '"timestamp":"9999-12-31T23:59:59.999Z"'),
  ),
  'has memos of 100 kB': withFields({ memo: long(100_000) }),
  'answers 503 now and then': everyNth(4, answer(503, {}, '')),
  'resets now and then': everyNth(4, reset),
  'hangs now and then': everyNth(25, hang),
  'answers the same to everything': answer(
    200,
    asJson,
    '{"data":[{"intent_id":"a","status":"SETTLED"}],"meta":{},"pagination":{}}',
  ),
};

/** A list that leads on and on, a new item on each page. */
export const endlessList = paged((pagination, body, { before }) => {
  body['data'] = [{ intent_id: `${before}`, quote_id: `${before}`, status: 'PENDING' }];
  return { ...pagination, page: before, page_size: 1, total_items: 1e6, total_pages: 1e6 };
});

/** Good lists with pages that mislead. */
export const listBehaviours: Readonly<Record<string, Behaviour>> = {
  'has 1e15 pages': pagedAs({ total_pages: 1e15, total_items: 1e15 }),
  'has 1e300 pages': pagedAs({ total_pages: 1e300 }),
  'has fewer than no pages': pagedAs({ total_pages: -1, total_items: -9 }),
  'has pages of size zero': pagedAs({ page_size: 0 }),
  'has half a page': pagedAs({ page: 0.5 }),
  'has pages in words': paged(() => ({
    page: 'one',
    page_size: 'ten',
    total_items: '3',
    total_pages: null,
  })),
  'has a list for pagination': paged(() => [1, 2, 3]),
  'always shows page one': pagedAs({ page: 1, total_pages: 50, total_items: 900 }),
  'counts otherwise each time': paged((pagination, _, { before }) => ({
    ...pagination,
    page: before,
    total_items: 10 + before,
    total_pages: 5 + (before % 3),
  })),
  'never shrinks': paged((pagination, body) => {
    body['data'] = Array.from({ length: 200 }, (_, n) => ({
      intent_id: `${n}`,
      status: 'PENDING',
    }));
    return { ...pagination, page_size: 200 };
  }),
  'has an empty page after each full one': paged((pagination, body, { before }) => {
    if (before % 2) body['data'] = [];
    return { ...pagination, total_pages: 400, page: before };
  }),
  'refuses every list': async (visit) => {
    const relayed = await visit.relay();
    const isList = relayed.body.includes('"pagination"');
    visit.response.writeHead(isList ? 400 : relayed.status, relayed.headers).end(relayed.body);
  },
};
