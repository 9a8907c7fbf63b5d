import { describe, expect, test } from 'vitest';
import type { Exchange, History } from '../../../history/records.ts';
import { requirements } from '../../../spec/requirements/index.ts';
import { applyRules } from '../../../suite/engine/apply-rules.ts';
import { allRules, viewOf } from '../../index.ts';
import {
  altered,
  context,
  fails,
  listening,
  refusedWhere,
  violations,
  withRaisedIds,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import { partyIds } from '../../../../test/support/oracle/fake-wire.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

/** A life up to its settlement, with reads of it long after; those that are picked are refused. */
function whole(): FakeTarget {
  const fake = listening('sender', 'maker_a');
  const order = fake.create();
  const quote = fake.quote('maker_a', order, '1');
  fake.advance(10);
  fake.readRequest('maker_a', order);
  fake.advance(5_000);
  fake.readRequest('maker_a', order);
  fake.read('sender', order);
  fake.accept(order, quote);
  fake.advance(10_000);
  for (const party of ['sender', 'sender_custodian', 'receiver_custodian'] as const) {
    fake.read(party, order);
  }
  fake.list('sender', 'order.list');
  fake.list('maker_a', 'quote.list');
  fake.whoami('maker_a');
  fake.readSettlement('maker_a', order);
  return fake;
}

/** True if the rule fails a target that gives all these requests this status after 1 s. */
function blamed(
  requirement: string,
  [party, endpoint]: readonly [string, string],
  status: number,
  form: (history: History) => History = (history) => history,
): boolean {
  const fake = whole();
  const [first] = fake.records;
  const since = (first?.kind === 'exchange' ? first.sent : 0) + 1_000;
  const history = refusedWhere(
    fake,
    (one) => one.party === party && one.endpoint === endpoint && one.sent > since,
    status,
  );
  return fails(form(history), requirement);
}

const altering =
  (change: (exchange: Exchange) => Partial<Exchange>) =>
  (history: History): History =>
    altered(history, (record) =>
      record.kind === 'exchange' ? { ...record, ...change(record) } : record,
    );

describe('a party can read everything it may read', () => {
  test('also if its requests carry the ids of their run, but not if they carry anything odd', () => {
    const whenSent = (headers: Readonly<Record<string, string>>) =>
      blamed(
        'access.order.read.institution-allowed',
        ['sender', 'order.read'],
        403,
        altering(({ request }) => ({ request: { ...request, headers } })),
      );
    expect(whenSent({ 'x-request-id': '1', traceparent: '2' })).toBe(true);
    expect(whenSent({ 'x-tenant': '1' })).toBe(false);
  });

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
    const at = [party, endpoint] as const;
    for (const status of [400, 403, 404, 409]) expect(blamed(requirement, at, status)).toBe(true);
    expect(blamed(requirement, at, 403, withRaisedIds)).toBe(true);
    for (const status of [200, 401, 429, 503]) expect(blamed(requirement, at, status)).toBe(false);
  });

  test('a request that was not read since it was quoted may be hidden', () => {
    const fake = listening('sender', 'maker_a');
    const order = fake.create();
    fake.readRequest('maker_a', order);
    fake.advance(10);
    fake.quote('maker_a', order, '1');
    fake.advance(5_000);
    fake.refuse('maker_a', 'rfq.read', { params: { intent_id: order.intent_id } });
    fake.read('sender', order);
    expect(violations(fake)).toEqual([]);
  });

  test.each([
    ['never', 0, false],
    ['a moment ago', 10, false],
    ['some time ago', 5_000, true],
  ])('a request that was shown to it %s', (_, ms, isBlamed) => {
    const fake = listening('sender');
    const order = fake.create();
    if (ms > 0) fake.list('maker_a', 'rfq.list');
    fake.advance(ms);
    fake.refuse('maker_a', 'rfq.read', { params: { intent_id: order.intent_id } });
    fake.read('sender', order);
    expect(fails(fake, 'access.rfq.read.market-maker-allowed')).toBe(isBlamed);
  });

  test.each([
    [{ status: 'SETTLED' }, true],
    [{ status: 'DONE' }, false],
    [{ page: '9' }, false],
  ])('refused lists with the query parameters of part 4: %j', (query, isBlamed) => {
    const requirement = 'access.order.list.institution-allowed';
    const asked = altering(() => ({ query }));
    expect(blamed(requirement, ['sender', 'order.list'], 400, asked)).toBe(isBlamed);
  });
});

describe('a backend that names another party as its own', () => {
  /** As whoami says it: the maker is the custodian of the order's sender. */
  const cast = {
    ...context().cast,
    maker_a: { role: 'market-maker' as const, partyId: partyIds.sender_custodian },
  };
  const fake = whole();
  const order = [...fake.orders.values()].at(-1);
  fake.refuse('maker_a', 'order.read', { params: { intent_id: order?.intent_id ?? '' } });
  const view = viewOf({ records: fake.records }, context({ cast }));

  test('is refused what its role may not read, without an error of a rule', () => {
    const reports = applyRules(allRules, () => view, requirements);
    expect(reports.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    const due = reports.find(({ id }) => id === 'reads.due');
    expect(due?.failures).toEqual([]);
  });
});
