import { describe, expect, test } from 'vitest';
import { pathOf } from '../spec/endpoints.ts';
import { altered, judge, listening, outcomes } from './testing.ts';
import type { World } from './testing/world.ts';

/** A life up to its settlement, with reads of it long after; those that are picked are refused. */
function whole(): World {
  const world = listening('sender', 'maker_a');
  const order = world.create();
  const quote = world.quote('maker_a', order, '1');
  world.advance(10);
  world.readRequest('maker_a', order);
  world.advance(5_000);
  world.readRequest('maker_a', order);
  world.read('sender', order);
  world.accept(order, quote);
  world.advance(10_000);
  for (const party of ['sender', 'sender_custodian', 'receiver_custodian'] as const) {
    world.read(party, order);
  }
  world.list('sender', 'order.list');
  world.list('maker_a', 'quote.list');
  world.whoami('maker_a');
  world.readSettlement('maker_a', order);
  return world;
}

/** What is said where all requests of a party to an endpoint are answered so, but for those in the first second. */
function told(
  party: string,
  endpoint: string,
  status: number,
  query: Readonly<Record<string, string>> = {},
) {
  const world = whole();
  const [first] = world.records;
  const since = (first?.kind === 'exchange' ? first.sent : 0) + 1_000;
  const history = altered(world, (record) =>
    record.kind === 'exchange' &&
    record.party === party &&
    record.endpoint === endpoint &&
    record.sent > since
      ? { ...record, query, response: { status, headers: {}, body: { code: 'no' } } }
      : record,
  );
  const failed = judge(history).filter(({ outcome }) => outcome === 'fail');
  return new Set(failed.map(({ requirement }) => requirement));
}

describe('what a party may read it can read', () => {
  test.each([
    ['sender', 'order.read', 'access.order.read.institution-allowed'],
    ['sender_custodian', 'order.read', 'access.order.read.custodian-allowed'],
    ['receiver_custodian', 'order.read', 'access.order.read.custodian-allowed'],
    ['sender', 'order.list', 'access.order.list.institution-allowed'],
    ['maker_a', 'quote.list', 'access.quote.list.market-maker-allowed'],
    ['maker_a', 'identity.read', 'access.identity.read.market-maker-allowed'],
    ['maker_a', 'settlement.read', 'access.settlement.read.market-maker-allowed'],
    ['maker_a', 'rfq.read', 'access.rfq.read.market-maker-allowed'],
  ])('%s at %s', (party, endpoint, requirement) => {
    for (const status of [400, 403, 404, 409]) {
      expect(told(party, endpoint, status)).toContain(requirement);
    }
    for (const status of [200, 401, 429, 503]) {
      expect(told(party, endpoint, status)).not.toContain(requirement);
    }
  });

  test('a request that was not read since it was quoted may be hidden', () => {
    const world = listening('sender', 'maker_a');
    const order = world.create();
    world.readRequest('maker_a', order);
    world.advance(10);
    world.quote('maker_a', order, '1');
    world.advance(5_000);
    world.refuse('maker_a', 'rfq.read', { params: { intent_id: order.intent_id } });
    world.read('sender', order);
    const failed = judge(world).filter(({ outcome }) => outcome === 'fail');
    expect(failed).toEqual([]);
  });

  test.each([
    ['never', 0, false],
    ['a moment ago', 10, false],
    ['some time ago', 5_000, true],
  ])('a request that was shown to it %s', (_, ms, fails) => {
    const world = listening('sender');
    const order = world.create();
    if (ms > 0) world.list('maker_a', 'rfq.list');
    world.advance(ms);
    world.refuse('maker_a', 'rfq.read', { params: { intent_id: order.intent_id } });
    world.read('sender', order);
    const told = outcomes(world, 'access.rfq.read.market-maker-allowed');
    expect(told.includes('fail')).toBe(fails);
  });

  test.each([
    ['another custodian has them', 200, true],
    ['no custodian has them', 403, false],
  ])("a custodian's stats, where %s", (_, others, fails) => {
    const world = listening('sender_custodian', 'outsider_custodian');
    world.whoami('sender_custodian');
    world.whoami('outsider_custodian');
    const history = altered(world, (record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'identity.read') return record;
      const request = { ...record.request, path: pathOf('stats.read', {}) };
      const status = record.party === 'sender_custodian' ? others : 403;
      return {
        ...record,
        endpoint: 'stats.read' as const,
        request,
        response: { status, headers: {}, body: { data: {}, meta: {} } },
      };
    });
    const said = outcomes(history, 'access.stats.read.custodian-allowed');
    expect(said.includes('fail')).toBe(fails);
  });

  test('lists as far as part 4 has them filtered', () => {
    const requirement = 'access.order.list.institution-allowed';
    expect(told('sender', 'order.list', 400, { status: 'SETTLED' })).toContain(requirement);
    expect(told('sender', 'order.list', 400, { status: 'DONE' })).not.toContain(requirement);
    expect(told('sender', 'order.list', 400, { page: '9' })).not.toContain(requirement);
  });
});
