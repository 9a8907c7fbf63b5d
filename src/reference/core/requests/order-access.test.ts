import { describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpoints } from '../../../spec/endpoints.ts';
import { cast, type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { CoreDriver, orderBody } from '../../../../test/support/core/core-driver.ts';
import { saveState } from '../state.ts';

const ofShell: readonly EndpointName[] = ['token.create', 'health.read'];
const asked = endpointNames.filter((name) => !ofShell.includes(name));

const side = ['sender', 'sender_custodian'] as const;
const makers = ['maker_a', 'maker_b', 'maker_c'] as const;
/** Parties that may use an endpoint on this order; absent if every party of the role may. */
const admitted: Partial<Record<EndpointName, readonly CastName[]>> = {
  'order.read': [...side, 'receiver_custodian'],
  'order.quotes': [...side, 'receiver_custodian'],
  'order.cancel': ['sender'],
  'proposal.accept': ['sender_custodian'],
  'quote.accept': side,
  'settlement.read': ['maker_a'],
};
const refusedAs: Partial<Record<EndpointName, Partial<Record<CastName, string>>>> = {
  'proposal.accept': { receiver_custodian: 'role_not_allowed' },
  'quote.accept': { receiver_custodian: 'role_not_allowed' },
};

function expected(endpoint: EndpointName, who: CastName): string {
  const roles: readonly string[] = endpoints[endpoint].roles;
  if (!roles.includes(cast[who])) return 'role_not_allowed';
  const allowed = admitted[endpoint];
  if (allowed === undefined || allowed.includes(who)) return 'ok';
  return refusedAs[endpoint]?.[who] ?? 'not_found';
}

describe('every endpoint for every party', () => {
  for (const endpoint of asked) {
    for (const who of castNames) {
      it(`${endpoint} by ${who}: ${expected(endpoint, who)}`, () => {
        const core = new CoreDriver();
        const settled = endpoint === 'settlement.read';
        const ids = core.orderIn(settled ? 'SETTLED' : 'PENDING');
        const body = endpoint === 'order.create' ? orderBody : core.offer();
        const before = saveState(core.state);
        expect(core.code(who, endpoint, ids, { body })).toBe(expected(endpoint, who));
        const changes = endpoints[endpoint].method === 'POST' && expected(endpoint, who) === 'ok';
        expect(JSON.stringify(saveState(core.state)) !== JSON.stringify(before)).toBe(changes);
      });
    }
  }
});

describe('what each party finds in its lists', () => {
  it('orders: its own; quotes and settlements: the maker’s own; requests: all that are active', () => {
    const core = new CoreDriver();
    const settled = core.orderIn('SETTLED');
    const open = core.orderIn('PENDING');
    core.quote(open.intent_id, 'maker_b');
    core.get('outsider', 'order.create', {}, { body: orderBody });
    const count = (who: CastName, endpoint: EndpointName) => core.list(who, endpoint).length;
    const orders = castNames
      .filter((who) => cast[who] !== 'market-maker')
      .map((who) => `${who} ${count(who, 'order.list')}`);
    expect(orders).toEqual([
      'sender 2',
      'outsider 1',
      'sender_custodian 3',
      'receiver_custodian 3',
      'outsider_custodian 0',
    ]);
    expect(makers.map((who) => count(who, 'quote.list'))).toEqual([2, 1, 0]);
    expect(makers.map((who) => count(who, 'settlement.list'))).toEqual([1, 0, 0]);
    expect(makers.map((who) => count(who, 'rfq.list'))).toEqual([2, 2, 2]);
    const own = core.list('maker_b', 'rfq.quotes', { intent_id: open.intent_id });
    expect(own.length).toBe(1);
    expect(core.list('maker_b', 'rfq.quotes', { intent_id: settled.intent_id })).toEqual([]);
  });
});

describe('anonymity of requests', () => {
  it('nothing that a maker gets before it is selected names or betrays the sender side', () => {
    const core = new CoreDriver();
    const intent_id = core.create({ memo: 'marked memo' });
    core.quote(intent_id);
    const seen = [
      core.list('maker_a', 'rfq.list'),
      core.get('maker_a', 'rfq.read', { intent_id }),
      core.list('maker_a', 'rfq.quotes', { intent_id }),
      core.list('maker_a', 'quote.list'),
      core.get('maker_a', 'stats.read'),
      core.events.filter(({ to }) => to.startsWith('maker_')),
    ];
    const text = JSON.stringify(seen);
    const secrets = ['sender', 'receiver', 'Receiver', 'marked', 'c0ffee', 'abc123', '150.00'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
