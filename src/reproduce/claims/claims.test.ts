import { describe, expect, it } from 'vitest';
import { plain, type CallStep, type Claim, type ListenStep } from '../steps.ts';
import { scenarioText } from '../scenario.ts';
import { claimsFor, lineClaims } from './index.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import {
  type Facts,
  call,
  caseOf,
  created,
  frame,
  inList,
  listen,
  orderId,
  orderOf,
  page,
  written,
} from '../../../test/support/reproduce/claims-of.ts';

describe('claims between answers', () => {
  const counts = inList('pagination.total_items');

  it('counts the items of all pages', () => {
    const pages = [page('orders', 'a', 'b'), page('orders_2', 'c')];
    expect(written(caseOf({ deviation: 'wrong value', places: counts }, pages))[0]).toBe(
      '- expect: ${orders_2.body.pagination.total_items} is: ${count(joined(orders.body.data, orders_2.body.data))}',
    );
  });

  it('says that no page repeats an item', () => {
    const pages = [page('orders', 'a', 'b'), page('orders_2', 'b')];
    expect(written(caseOf({ deviation: 'too much' }, pages))).toContain(
      '- expect: ${joined(orders.body.data, orders_2.body.data)} is: { unique: intent_id }',
    );
  });

  it('computes the number of pages from the items', () => {
    const places = inList('pagination.total_pages');
    const one = caseOf({ deviation: 'wrong value', places }, [page('orders', 'a')]);
    expect(written(one)[0]).toContain(
      'is: ${round_up(orders.body.pagination.total_items / orders.body.pagination.page_size, 0)}',
    );
  });

  it('compares two answers to one question', () => {
    const lists = [page('orders', 'a'), page('orders_2', 'b')];
    expect(written(caseOf({ deviation: 'wrong value' }, lists))[0]).toBe(
      '- expect: ${orders_2.body.data} is: ${orders.body.data}',
    );
  });

  it('holds a read against what was asked for', () => {
    const other = { data: { intent_id: '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0009' } };
    const read: CallStep = {
      ...call('order_read', other, { endpoint: 'order.read', params: { intent_id: orderId } }),
      intentId: orderOf,
    };
    expect(claimsFor(caseOf({ deviation: 'changed' }, [read]))[0]).toEqual([
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
    const claims = { aud: 'svc-api', iss: 'https://svc' };
    const token = call('token', { data: { token: 'x' } }, { endpoint: 'token.create', claims });
    const of = (facts: Facts, field: string): unknown =>
      written(caseOf({ ...facts, places: [{ endpoint: 'token.create', field }] }, [token]))[0];
    const said = '- expect: ${claims(token.token)} is: ';
    expect(of({ deviation: 'missing' }, 'claims.sub')).toBe(`${said}{ sub: { present: true } }`);
    expect(of({ deviation: 'wrong value', expected: 'svc' }, 'claims.iss')).toBe(
      `${said}{ iss: svc }`,
    );
  });
});

describe('claims on one answer', () => {
  it('covers each item if the items have no ids', () => {
    const list = page('orders', 'a', 'b');
    const facts = {
      deviation: 'gives away',
      places: inList('data[].memo'),
      actual: 'memo',
    } as const;
    expect(written(caseOf(facts, [list]))).toContain(
      'whole_answer: { body: { data: { each: { memo: { absent: true } } } } }',
    );
  });

  it('allows a sound backend to refuse the request', () => {
    const read = call('settlement', { data: { intent_id: 'x' } }, { endpoint: 'settlement.read' });
    const places = [{ endpoint: 'settlement.read', field: 'data.settled_at' }];
    const said = written(caseOf({ deviation: 'missing', places }, [read]));
    expect(said[0]).toContain('settled_at: { present: true }');
    expect(said).toContainEqual(
      expect.stringMatching(/any_of: \[ \{ status: .*400.*, \{ body: .*settled_at/),
    );
  });

  it('expects a missing field under the name in the finding', () => {
    const silent = call('order_read', { data: { status: 'FAILED' } }, { endpoint: 'order.read' });
    const places = [{ endpoint: 'order.read', field: 'data.failed_for' }];
    const [claims] = claimsFor(caseOf({ deviation: 'wrong value', places }, [silent]));
    const path = ['data', 'failed_for'];
    expect(claims).toMatchObject([{ step: 'order_read', path, test: { test: 'present' } }]);
  });

  it('denies the value first, then the presence of the field', () => {
    const read = call('order_read', { data: { memo: 'y' } }, { endpoint: 'order.read' });
    const places = [{ endpoint: 'order.read', field: 'data.memo' }];
    const testsOf = (deviation: 'wrong value' | 'wrong state' | 'changed') =>
      claimsFor(caseOf({ deviation, places, expected: 'x', actual: 'y' }, [read]))
        .filter(([claim]) => claim?.kind === 'value' && !claim.orRefused)
        .map(([claim]) => claim?.kind === 'value' && claim.test.test);
    expect(testsOf('wrong value')).toEqual(['equals', 'differs', 'absent']);
    expect(testsOf('wrong state')).toEqual(['equals', 'absent', 'differs']);
    expect(testsOf('changed')).not.toContain('absent');
  });

  it('tests the type of a value without a known form', () => {
    const list = call('order_read', { data: [] }, { endpoint: 'order.read' });
    const places = [{ endpoint: 'order.read', field: 'data' }];
    const one = caseOf({ deviation: 'wrong form', places }, [list]);
    expect(claimsFor(one)).toContainEqual([
      expect.objectContaining({ path: ['data'], test: { test: 'object' } }),
    ]);
  });

  it('compares the views after the same steps of two parties if only a difference shows who acted', () => {
    const list = call('requests', { data: [] });
    const seen = { ...list, recorded: { ...list.recorded, party: 'maker_a' } };
    const alike = [{ kind: 'alike', parties: ['sender', 'outsider'], for: 'maker_a' }];
    expect(claimsFor(caseOf({ deviation: 'gives away' }, [created, seen]))).toContainEqual(alike);
    const named = caseOf({ deviation: 'gives away', actual: 'BankA' }, [created, seen]);
    expect(claimsFor(named)).not.toContainEqual(alike);
  });

  it('says that no header names a party', () => {
    const sender = 'BankA::122098da7195';
    const quote = call('quote', { data: {} }, { endpoint: 'quote.submit' });
    const headers = { 'x-traced': `for ${sender}` };
    const recorded = { ...quote.recorded, response: { status: 201, headers, body: { data: {} } } };
    const one = caseOf({ deviation: 'gives away' }, [{ ...quote, recorded }]);
    const [claims] = claimsFor({ ...one, partyIds: new Map([[sender, 'sender']]) });
    const test = { test: 'lacks', value: { kind: 'party', party: 'sender' } };
    expect(claims).toEqual([
      { kind: 'value', step: 'quote', of: 'headers', path: ['x-traced'], test },
    ]);
  });
});

describe('claims on streams', () => {
  const beats = (apartMs: number): readonly Frame[] => {
    const beat = frame('heartbeat', {});
    return [beat, { ...beat, id: 'next', received: apartMs }];
  };
  const late = { deviation: 'late or early', places: [{ event: 'heartbeat' }] } as const;
  const updated = [{ event: 'order_updated' }];

  it('watches until too many heartbeats must have come', () => {
    expect(written(caseOf(late, beats(20_000)))[0]).toBe(
      '- expect: sender sees count: { heartbeat: { at_most: 5 } } for: 2m5s',
    );
  });

  it('waits for heartbeats for longer than it took until one was missing', () => {
    const few = written(caseOf(late, beats(66_000))).join();
    expect(few).toContain('{ heartbeat: { at_least: 3 } } for: 1m35s');
    expect(few).toContain('{ heartbeat: { at_least: 20 } } for: 10m5s');
  });

  it('counts the events of one status', () => {
    const told = frame('order_updated', { intent_id: orderId, status: 'QUOTED' });
    expect(written(caseOf({ deviation: 'repeated', places: updated }, [told]))[0]).toContain(
      'at_most_once: [ { order_updated: { status: QUOTED } } ] for: 2s',
    );
  });

  it('waits on a stream that was resumed for the end of the order that is meant', () => {
    const resumed: ListenStep = { ...listen, isOwn: false, resumes: 'stream_of_sender' };
    const expected = { intent_id: orderId, status: 'SETTLED' };
    const one = caseOf({ deviation: 'not sent', places: updated, expected }, [resumed, created]);
    const fields = [[['status'], { test: 'equals', value: plain('SETTLED') }]];
    expect(claimsFor({ ...one, steps: [resumed, created] })[0]).toMatchObject([
      { kind: 'event', event: 'order_updated', of: orderOf, fields, must: 'come' },
    ]);
  });

  it('asks that a stream opens, or that it does not', () => {
    const refused = {
      ...listen,
      recorded: { ...listen.recorded, response: { status: 403, headers: {} } },
    };
    const one = caseOf({ deviation: 'refused' }, [refused]);
    expect(written({ ...one, steps: [refused] })[0]).toBe('answered: 200');
    const shut = caseOf({ deviation: 'let through' }, [listen]);
    expect(written(shut)[0]).toContain('refused: 4xx');
  });

  it('expects the event on the stream of any of several makers', () => {
    const other: ListenStep = {
      ...listen,
      name: 'stream_of_outsider',
      party: 'outsider',
      recorded: { ...listen.recorded, id: 'other' },
    };
    const places = [{ event: 'quote_request_expired' }];
    const one = caseOf({ deviation: 'not sent', places }, [created, listen, other]);
    const [said] = written({ ...one, steps: [listen, other, created] });
    expect(said).toContain('- expect: sender or outsider sees');
  });

  it('claims lines of a stream if a scenario would leave them to the rules', () => {
    const nameless = caseOf({ deviation: 'missing' }, [frame('', {})]);
    expect(lineClaims(nameless)).toMatchObject([{ kind: 'lines', must: 'have names' }]);
    const broken = caseOf({ deviation: 'wrong form' }, [frame('quote_rejected', undefined)]);
    expect(lineClaims(broken)).toMatchObject([{ must: 'have JSON' }]);
    const told = caseOf({ deviation: 'gives away' }, [
      frame('heartbeat', { last: 'BankA, as ever' }),
    ]);
    const partyIds = new Map([['BankA::0123456789abcdef', 'sender' as const]]);
    expect(lineClaims({ ...told, partyIds })).toMatchObject([
      { must: { lack: { kind: 'plain', value: 'BankA' } } },
    ]);
  });
});

describe('claims on amounts and moments', () => {
  it('takes an amount that fits its rate in either orientation', () => {
    const trade = { source_amount: '9.00', target_amount: '1000.00', fx_rate: '1.25' };
    const quotes = call('quotes', { data: [trade] });
    const facts = { deviation: 'wrong value', places: inList('data[].fx_rate') } as const;
    expect(written(caseOf(facts, [quotes]))[0]).toBe(
      '- expect: ${quotes.body.data[0].source_amount} is: { any_of: [ ' +
        '{ decimal: "${(quotes.body.data[0].target_amount / quotes.body.data[0].fx_rate)}", within: "0.01" }, ' +
        '{ decimal: "${(quotes.body.data[0].target_amount * quotes.body.data[0].fx_rate)}", within: "0.01" } ] }',
    );
  });

  it('holds the time of an answer against the clock, and a moment against the answer to its call', () => {
    const read = call('orders', { meta: { timestamp: 'x' }, data: { created_at: 'y' } });
    const of = (field: string, ...evidence: readonly CallStep[]) =>
      written(caseOf({ deviation: 'wrong value', places: inList(field) }, evidence))[0];
    expect(of('meta.timestamp', read)).toContain(
      '{ timestamp: { moment: "${now() + 0ms}", within: 5s } }',
    );
    expect(of('data.created_at', created, read)).toContain(
      'is: { moment: "${order.body.meta.timestamp}", within: 2s }',
    );
  });

  it('bounds how long a settlement takes, from the side on which it was wrong', () => {
    const order = { quote_accepted_at: '2030-01-01T00:00:00.000Z' };
    const of = (settled_at: string) =>
      written(
        caseOf({ deviation: 'late or early' }, [
          call('orders', { data: { ...order, settled_at } }),
        ]),
      )[0];
    expect(of('2030-01-01T00:00:09.000Z')).toMatch(/at_most: "\$\{6s\}"/);
    expect(of('2030-01-01T00:00:00.000Z')).toMatch(/at_least: "\$\{2s\}"/);
  });
});

it('expects success for the first of several equal requests only', () => {
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
  const one = caseOf({ deviation: 'refused' }, [again]);
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
  const asked = '- sender: request method: GET path: /api/v1/events';
  const refused = textOf([{ kind: 'status', step: listen.name, must: 'be refused' }]);
  expect(refused.replaceAll(/\s+/g, ' ')).toContain(`${asked} refused: 4xx`);
  expect(textOf([])).not.toContain('sees');
});

it('compares a changed moment in an event with the one in an answer', () => {
  const accepted = call('acceptance', {
    data: { intent_id: orderId, quote_accepted_at: '2030-01-01T00:00:00.040Z' },
  });
  const moved = '2030-01-01T00:00:00.540Z';
  const data = { intent_id: orderId, status: 'EXECUTING', quote_accepted_at: moved };
  const places = [{ event: 'order_updated', field: 'data.quote_accepted_at' }];
  const facts = { deviation: 'changed', places, actual: moved } as const;
  const one = caseOf({ ...facts, expected: '2030-01-01T00:00:00.040Z' }, [
    frame('order_updated', data),
  ]);
  const value = { kind: 'answer', step: 'acceptance', path: ['data', 'quote_accepted_at'] };
  const fields = [
    [['status'], { test: 'equals', value: plain('EXECUTING') }],
    [['quote_accepted_at'], { test: 'equals', value }],
  ];
  const [claims = []] = claimsFor({ ...one, steps: [...one.steps, accepted] });
  expect(claims).toMatchObject([{ event: 'order_updated', must: 'come', fields }]);
  const text = scenarioText({ shown, steps: [listen, accepted], claims });
  expect(text).toMatch(/order_updated: \{ status: EXECUTING, quote_accepted_at: /);
});
