import { describe, expect, it } from 'vitest';
import type { Exchange, Frame } from '../../history/records.ts';
import { scenarioText } from '../scenario.ts';
import { type CallStep, type Claim, type ListenStep, type NamedStep, plain } from '../steps.ts';
import { type Case, claimsFor } from './index.ts';
import { streamClaims } from './streams.ts';

const orderId = '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0001';
const orderOf = { kind: 'answer', step: 'order', path: ['data', 'intent_id'] } as const;

function call(name: string, body: unknown, more: Partial<Exchange> = {}): CallStep {
  const recorded: Exchange = {
    kind: 'exchange',
    id: name,
    by: 'c',
    endpoint: 'order.list',
    party: 'sender',
    role: 'institution',
    params: {},
    query: {},
    auth: 'own',
    sent: 0,
    received: 0,
    request: { method: 'GET', path: '/api/v1/orders', headers: {} },
    response: { status: 200, headers: {}, body },
    ...more,
  };
  const path = plain(recorded.request.path);
  return { kind: 'call', name, party: 'sender', token: 'sender', path, headers: {}, recorded };
}

const created: CallStep = call(
  'order',
  { data: { intent_id: orderId, status: 'PENDING' } },
  {
    endpoint: 'order.create',
    request: { method: 'POST', path: '/api/v1/orders', headers: {}, body: {} },
  },
);
const page = (name: string, ...ids: readonly string[]): CallStep =>
  call(name, {
    data: ids.map((intent_id) => ({ intent_id, status: 'PENDING', memo: 'm' })),
    pagination: { page: 1, page_size: 2, total_items: ids.length, total_pages: 1 },
  });

const listen: ListenStep = {
  kind: 'listen',
  name: 'stream_of_sender',
  party: 'sender',
  token: 'sender',
  path: plain('/api/v1/orders/events'),
  isOwn: true,
  recorded: { ...created.recorded, id: 'stream', opensStream: true },
};
const frame = (event: string, data: unknown): Frame => ({
  kind: 'frame',
  id: `frame of ${event}`,
  stream: 'stream',
  by: 'party.sender',
  party: 'sender',
  role: 'institution',
  event,
  data,
  text: '',
  received: 0,
});

function caseOf(
  message: string,
  evidence: readonly (NamedStep | Frame)[],
  more: { readonly expected?: unknown; readonly actual?: unknown } = {},
): Case {
  const records = evidence.flatMap((one): readonly (Exchange | Frame)[] => {
    return one.kind === 'frame' ? [one] : [one.recorded];
  });
  const calls = evidence.filter((one) => one.kind === 'call');
  return {
    message,
    expected: more.expected,
    actual: more.actual,
    evidence: records,
    steps: [listen, created, ...calls.filter((one) => one !== created)],
    partyIds: new Map(),
  };
}

/** The assertions of a scenario that the claims come to, each on one line. */
function written(one: Case): readonly string[] {
  const shown = {
    check: 'c',
    source: 'c',
    requirement: 'r',
    part: '1',
    summary: 's',
    message: 'm',
  };
  const { steps } = one;
  const asserted = (claims: readonly Claim[]): string => {
    const lines = scenarioText({ shown, steps, claims }).split('\n');
    const first = lines.findIndex((line) => /whole_answer|- expect|answered|refused/.test(line));
    return lines
      .slice(first)
      .map((line) => line.trim())
      .filter((line) => /expect|is:|whole|count|for|once|never|answered|refused/.test(line))
      .join(' ');
  };
  return claimsFor(one).map(asserted);
}

describe('claims on what was left unsaid', () => {
  it('asks for the reason of an order by the name that another one shows it under', () => {
    const ended = call('order_read', { data: { why: { failed_for: 'OPERATOR_WITHDRAWN' } } });
    const silent = call('order_read_2', { data: { intent_id: orderId, status: 'FAILED' } });
    const message = 'a cancelled order showed no reason where others show theirs';
    const claims = claimsFor(caseOf(message, [silent, ended], { expected: 'USER_CANCELLED' }));
    const path = ['data', 'failed_for'];
    expect(claims.flat()).toContainEqual(
      expect.objectContaining({ step: 'order_read_2', path, test: { test: 'present' } }),
    );
  });

  it('waits on a stream that was resumed for the end of the order that is meant', () => {
    const resumed: ListenStep = { ...listen, isOwn: false, resumes: 'stream_of_sender' };
    const message = 'no order_updated on a stream that was resumed told of the end of an order';
    const expected = { intent_id: orderId, status: 'SETTLED' };
    const one = { ...caseOf(message, [resumed, created], { expected }), steps: [resumed, created] };
    const fields = [[['status'], { test: 'equals', value: plain('SETTLED') }]];
    expect(claimsFor(one)[0]).toMatchObject([
      { kind: 'event', event: 'order_updated', of: orderOf, fields, must: 'come' },
    ]);
  });
});

describe('claims between answers', () => {
  it('counts the items of all pages', () => {
    const pages = [page('orders', 'a', 'b'), page('orders_2', 'c')];
    const said = written(caseOf('order.list: all pages together held another number', pages));
    expect(said[0]).toBe(
      '- expect: "${orders_2.body.pagination.total_items}" is: "${count(joined(orders_2.body.data, orders.body.data))}"',
    );
  });

  it('says that no page repeats an item', () => {
    const pages = [page('orders', 'a', 'b'), page('orders_2', 'b')];
    expect(written(caseOf('order.list showed an item twice', pages))[0]).toBe(
      '- expect: "${joined(orders_2.body.data, orders.body.data)}" is: { unique: intent_id }',
    );
  });

  it('works out how many pages so many items fill', () => {
    const message = 'order.list: total_pages was not what so many items of that size fill';
    expect(written(caseOf(message, [page('orders', 'a')]))[0]).toContain(
      'is: "${round_up(orders.body.pagination.total_items / orders.body.pagination.page_size, 0)}"',
    );
  });

  it('compares two answers to one question', () => {
    const lists = [page('orders', 'a'), page('orders_2', 'b')];
    expect(
      written(caseOf('order.list answered otherwise for one than for another', lists))[0],
    ).toBe('- expect: "${orders_2.body.data}" is: "${orders.body.data}"');
  });

  it('holds a read against what was asked for', () => {
    const other = { data: { intent_id: '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0009' } };
    const read: CallStep = {
      ...call('order_read', other, { endpoint: 'order.read', params: { intent_id: orderId } }),
      intentId: orderOf,
    };
    expect(claimsFor(caseOf('memo of an order was not what it had been', [read]))[0]).toEqual([
      {
        kind: 'value',
        step: 'order_read',
        of: 'body',
        path: ['data', 'intent_id'],
        test: { test: 'equals', value: orderOf },
      },
    ]);
  });

  it('looks into a token', () => {
    const token = call('token', { data: { token: 'x' } }, { endpoint: 'token.create' });
    expect(written(caseOf('a token did not carry iss', [token]))[0]).toBe(
      '- expect: "${claims(token.token)}" is: { "iss": { present: true } }',
    );
  });
});

describe('claims on one answer', () => {
  it('means each item where none can be told from the others', () => {
    const list = page('orders', 'a', 'b');
    const said = written(
      caseOf('rfq.list showed the memo of an order to a market maker', [list], { actual: 'memo' }),
    );
    expect(said[0]).toBe(
      'whole_answer: { "body": { "data": { each: { "memo": { absent: true } } } } }',
    );
  });

  it('lets a sound backend refuse what it should never have answered', () => {
    const read = call('settlement', { data: { intent_id: 'x' } }, { endpoint: 'settlement.read' });
    const said = written(caseOf('data.settled_at was missing in settlement.read', [read]));
    expect(said[0]).toContain('"settled_at": { present: true }');
    expect(said).toContainEqual(
      expect.stringMatching(/any_of: \[\{ status: .*400.*, \{ "body": .*"settled_at"/),
    );
  });
});

describe('claims on streams', () => {
  const beat = frame('heartbeat', {});

  it('watches until too many heartbeats must have come', () => {
    const said = written(caseOf('two heartbeats were 20 s apart', [beat, beat]));
    expect(said[0]).toBe('- expect: sender sees count: { heartbeat: { at_most: 5 } } for: 2m5s');
  });

  it('or too few', () => {
    const few = written(caseOf('two heartbeats were 45 s apart', [beat, beat]));
    expect(few[0]).toBe('- expect: sender sees count: { heartbeat: { at_least: 4 } } for: 2m5s');
    expect(written(caseOf('two heartbeats were 31 s apart', [beat, beat]))).not.toContainEqual(
      expect.stringContaining('count'),
    );
  });

  it('counts the events of one status', () => {
    const told = frame('order_updated', { intent_id: orderId, status: 'QUOTED' });
    const said = written(
      caseOf('order_updated came with QUOTED more than once on one stream', [told]),
    );
    expect(said[0]).toContain('at_most_once: [{ order_updated: { "status": "QUOTED" } }] for: 2s');
  });

  it('asks that a stream opens, or that it does not', () => {
    const refused = {
      ...listen,
      recorded: { ...listen.recorded, response: { status: 403, headers: {} } },
    };
    const one = caseOf('GET /api/v1/orders/events answered 403 to sender.', [refused], {
      expected: 'a success (2xx)',
    });
    expect(written({ ...one, steps: [refused] })[0]).toBe('answered: 200');
    const shut = caseOf('order.events served a request whose token was none', [listen], {
      expected: 'a 4xx status',
    });
    expect(written(shut)[0]).toContain('refused: 4xx');
  });
});

describe('claims on amounts, moments and streams', () => {
  const traded = (source_amount: string) =>
    call('quotes', { data: [{ source_amount, target_amount: '1000.00', fx_rate: '1.25' }] });

  it('takes an amount that fits its rate in either orientation', () => {
    const one = caseOf('the amounts and the rate agreed in neither orientation', [traded('9.00')]);
    expect(written(one)[0]).toBe(
      '- expect: "${quotes.body.data[0].source_amount}" is: { any_of: [' +
        '{ decimal: "${(quotes.body.data[0].target_amount / quotes.body.data[0].fx_rate)}", within: "0.01" }, ' +
        '{ decimal: "${(quotes.body.data[0].target_amount * quotes.body.data[0].fx_rate)}", within: "0.01" }] }',
    );
  });

  it('holds the time of an answer against the clock, and a moment against the answer to its call', () => {
    const read = call('orders', { meta: { timestamp: 'x' }, data: { created_at: 'y' } });
    const [own] = written(caseOf('meta.timestamp was not the time of the response', [read]));
    expect(own).toContain('{ "timestamp": { moment: "${now() + 0ms}", within: 5s } }');
    const late = caseOf('created_at was not the time of its creation', [created, read], {
      actual: 'y',
    });
    expect(written(late)[0]).toContain(
      'is: { moment: "${order.body.meta.timestamp}", within: 2s }',
    );
  });

  it('bounds how long a settlement takes, from the side on which it was wrong', () => {
    const order = { quote_accepted_at: '2030-01-01T00:00:00.000Z' };
    const settled = (settled_at: string) => call('orders', { data: { ...order, settled_at } });
    const of = (message: string, at: string) => written(caseOf(message, [settled(at)]))[0];
    expect(of('settlement took 9 s', '2030-01-01T00:00:09.000Z')).toMatch(/at_most: "\$\{6s\}"/);
    expect(of('settlement took 0 s', '2030-01-01T00:00:00.000Z')).toMatch(/at_least: "\$\{2s\}"/);
  });

  it('looks for heartbeats as long as it took until one was missing', () => {
    const one = caseOf('a stream was without anything for 36 s', [frame('heartbeat', {})], {
      actual: '1 heartbeats in 66 s',
    });
    expect(written(one).slice(0, 2).join()).toContain('{ heartbeat: { at_least: 2 } } for: 1m5s');
  });

  it('leaves it to one of several makers to be told', () => {
    const other: ListenStep = {
      ...listen,
      name: 'stream_of_outsider',
      party: 'outsider',
      recorded: { ...listen.recorded, id: 'other' },
    };
    const message = 'no market maker got quote_request_expired of a request that had expired';
    const one = caseOf(message, [created, listen, other]);
    const [said] = written({ ...one, steps: [listen, other, created] });
    expect(said).toContain('- expect: sender or outsider sees');
  });

  it('looks at the lines of a stream where a scenario leaves it to the rules', () => {
    const nameless = caseOf('a message came without an event name', [frame('', {})]);
    expect(streamClaims(nameless)).toMatchObject([{ kind: 'lines', must: 'have names' }]);
    const broken = caseOf('the data of quote_rejected was not JSON', [frame('quote_rejected', {})]);
    expect(streamClaims(broken)).toMatchObject([{ must: 'have JSON' }]);
    const told = caseOf("heartbeat gave the sender's side away to a market maker", [
      frame('heartbeat', { last: 'BankA, as ever' }),
    ]);
    const partyIds = new Map([['BankA::0123456789abcdef', 'sender' as const]]);
    expect(streamClaims({ ...told, partyIds })).toMatchObject([
      { must: { lack: { kind: 'plain', value: 'BankA' } } },
    ]);
  });
});

it('wants the first of several same requests granted, since a sound backend needs no more', () => {
  const path = '/api/v1/orders/1/cancel';
  const asked = (name: string): CallStep =>
    call(
      name,
      {},
      {
        endpoint: 'order.cancel',
        request: { method: 'POST', path, headers: {} },
        response: { status: 404, headers: {}, body: {} },
      },
    );
  const [first, again] = [asked('cancel'), asked('cancel_2')];
  const one = caseOf('cancelling was refused', [again], { expected: 'a success (2xx)' });
  expect(claimsFor({ ...one, steps: [created, first, again] }).slice(0, 2)).toEqual([
    [{ kind: 'status', step: 'cancel_2', must: 'succeed' }],
    [{ kind: 'status', step: 'cancel', must: 'succeed' }],
  ]);
});

const shown = { check: 'c', source: 'c', requirement: 'r', part: '1', summary: 's', message: '' };

it('asks for the stream of another role by its path, and looks at it no more', () => {
  const recorded: Exchange = {
    ...listen.recorded,
    endpoint: 'maker.events',
    request: { method: 'GET', path: '/api/v1/events', headers: {} },
  };
  const other: ListenStep = { ...listen, path: plain('/api/v1/events'), isOwn: false, recorded };
  const textOf = (claims: readonly Claim[]): string =>
    scenarioText({ shown, steps: [other], claims });
  const asked = '- sender: request method: GET path: "/api/v1/events"';
  const refused = textOf([{ kind: 'status', step: listen.name, must: 'be refused' }]);
  expect(refused.replaceAll(/\s+/g, ' ')).toContain(`${asked} refused: 4xx`);
  expect(textOf([])).not.toContain('sees');
});

it('looks for a moment that has moved in the event of its state, held against an answer', () => {
  const accepted = call('acceptance', {
    data: { intent_id: orderId, quote_accepted_at: '2030-01-01T00:00:00.040Z' },
  });
  const moved = '2030-01-01T00:00:00.540Z';
  const data = { intent_id: orderId, status: 'EXECUTING', quote_accepted_at: moved };
  const words = 'quote_accepted_at of an order was not what it had been (order_updated)';
  const more = { expected: '2030-01-01T00:00:00.040Z', actual: moved };
  const one = caseOf(words, [frame('order_updated', data)], more);
  const value = { kind: 'answer', step: 'acceptance', path: ['data', 'quote_accepted_at'] };
  const fields = [
    [['status'], { test: 'equals', value: plain('EXECUTING') }],
    [['quote_accepted_at'], { test: 'equals', value }],
  ];
  const [claims = []] = claimsFor({ ...one, steps: [...one.steps, accepted] });
  expect(claims).toMatchObject([{ event: 'order_updated', must: 'come', fields }]);
  const text = scenarioText({ shown, steps: [listen, accepted], claims });
  expect(text).toMatch(/order_updated: \{ "status": "EXECUTING", "quote_accepted_at": /);
});

it('holds each claim of a token against what one must say', () => {
  const token = call('token', { data: { token: 'a.b.c' } }, { endpoint: 'token.create' });
  const more = { expected: 'svc', actual: 'https://svc' };
  const one = caseOf('a token and its result did not say what they must', [token], more);
  const is = { test: 'equals', value: plain('svc') };
  expect(claimsFor(one)).toContainEqual([
    expect.objectContaining({ kind: 'compare', test: { test: 'field', field: 'iss', is } }),
  ]);
});
