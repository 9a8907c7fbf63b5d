import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpoints } from '../../src/spec/endpoints.ts';
import { type CastName, cast, castNames } from '../../src/spec/requirements/requirement.ts';
import { type TestServer, testServer } from './harness.ts';

/** What somebody is to the order at hand. The third maker never quotes, the second one's quote is accepted. */
type Relation =
  | 'sender'
  | 'sender custodian'
  | 'receiver custodian'
  | 'outsider'
  | 'maker that quoted'
  | 'winner'
  | 'maker without a quote';

const relations: Readonly<Record<CastName, Relation>> = {
  sender: 'sender',
  outsider: 'outsider',
  sender_custodian: 'sender custodian',
  receiver_custodian: 'receiver custodian',
  outsider_custodian: 'outsider',
  maker_a: 'maker that quoted',
  maker_b: 'winner',
  maker_c: 'maker without a quote',
};

/** Part 4's tables and 1.4, read by hand: who is let through, by role first and by relation after. */
function allowed(endpoint: EndpointName, who: CastName): boolean {
  const [role, relation] = [cast[who], relations[who]];
  const partOfOrder = ['sender', 'sender custodian', 'receiver custodian'].includes(relation);
  switch (endpoint) {
    case 'token.create':
    case 'health.read':
    case 'identity.read':
    case 'stats.read':
      return true;
    case 'order.create':
      return role === 'institution';
    case 'order.list':
    case 'order.events':
      return role !== 'market-maker';
    case 'order.read':
    case 'order.quotes':
      return partOfOrder;
    case 'order.cancel':
      return relation === 'sender';
    case 'proposal.accept':
      return relation === 'sender custodian';
    case 'quote.accept':
      return relation === 'sender' || relation === 'sender custodian';
    case 'rfq.list':
    case 'rfq.read':
    case 'rfq.quotes':
    case 'quote.submit':
    case 'quote.list':
    case 'settlement.list':
    case 'maker.events':
      return role === 'market-maker';
    case 'settlement.read':
      return relation === 'winner';
  }
}

/** With the default answers: the role is refused openly, somebody else's resource does not exist. */
function refusal(endpoint: EndpointName, who: CastName): number {
  const roles: readonly string[] = endpoints[endpoint].roles;
  if (!roles.includes(cast[who])) return 403;
  return relations[who] === 'receiver custodian' ? 403 : 404;
}

const success = (endpoint: EndpointName): number =>
  endpoint === 'order.create' || endpoint === 'quote.submit' ? 201 : 200;

async function request(b: TestServer, endpoint: EndpointName, who: CastName) {
  const settled = endpoint === 'settlement.read';
  const intent_id = await b.order();
  const quotes = [await b.quote('maker_a', intent_id), await b.quote('maker_b', intent_id)];
  if (settled) {
    await b.accept(intent_id, quotes[1] ?? '');
    await b.pass(4000);
  }
  const body =
    endpoint === 'order.create'
      ? b.orderBody()
      : endpoint === 'quote.submit'
        ? b.quoteBody()
        : undefined;
  const params = { intent_id, quote_id: quotes[1] ?? '' };
  const before = await story(b, intent_id);
  if (endpoints[endpoint].result === 'stream')
    return { status: await streamStatus(b, endpoint, who) };
  const answer = await b.call(who, endpoint, { params, ...(body && { body }) });
  return { status: answer.status, before, after: await story(b, intent_id) };
}

async function streamStatus(b: TestServer, endpoint: EndpointName, who: CastName): Promise<number> {
  const abort = new AbortController();
  const site = b.server.site(who);
  const answer = await site.app.inject({
    url: `${site.basePath}${endpoints[endpoint].path}`,
    headers: { authorization: `Bearer ${await b.token(who)}` },
    payloadAsStream: true,
    signal: abort.signal,
  });
  answer.stream().on('error', () => undefined);
  abort.abort();
  return answer.statusCode;
}

/** All that can be read of an order. */
async function story(b: TestServer, intent_id: string): Promise<unknown> {
  const order = await b.call('sender', 'order.read', { params: { intent_id } });
  const quotes = await b.call('sender', 'order.quotes', { params: { intent_id } });
  return [order.json.data, quotes.json.data];
}

describe.each(endpointNames)('%s', (endpoint) => {
  let b: TestServer;
  beforeAll(() => {
    b = testServer();
  });
  afterAll(() => b.close());

  it.each(castNames)(`as %s`, async (who) => {
    const { status, before, after } = await request(b, endpoint, who);
    const isAllowed = allowed(endpoint, who);
    expect(status).toBe(isAllowed ? success(endpoint) : refusal(endpoint, who));
    expect(isAllowed || after).toEqual(isAllowed || before);
  });

  it('wants a token exactly where part 5 does', async () => {
    const open = endpoint === 'token.create' || endpoint === 'health.read';
    for (const who of castNames) {
      const answer = await b.call(who, endpoint, {
        token: null,
        params: { intent_id: '0', quote_id: '0' },
      });
      expect(answer.status === 401).toBe(!open);
    }
  });
});

describe('what lists show', () => {
  it('holds the orders of either side and of nobody else', async () => {
    const b = testServer();
    const id = await b.order();
    for (const who of castNames.filter((name) => cast[name] !== 'market-maker')) {
      const ids = (await b.call(who, 'order.list')).json.data?.map((o) => o.intent_id);
      expect([who, ids]).toEqual([who, relations[who] === 'outsider' ? [] : [id]]);
    }
    await b.close();
  });

  it("holds a maker's own quotes and settlements only", async () => {
    const b = testServer();
    const intent_id = await b.order();
    const a = await b.quote('maker_a', intent_id);
    const won = await b.quote('maker_b', intent_id);
    await b.accept(intent_id, won);
    await b.pass(4000);
    const seen = async (who: CastName, endpoint: EndpointName, field: string) =>
      (await b.call(who, endpoint, { params: { intent_id } })).json.data?.map((one) => one[field]);
    expect(await seen('maker_a', 'quote.list', 'quote_id')).toEqual([a]);
    expect(await seen('maker_b', 'quote.list', 'quote_id')).toEqual([won]);
    expect(await seen('maker_c', 'quote.list', 'quote_id')).toEqual([]);
    expect(await seen('maker_a', 'settlement.list', 'intent_id')).toEqual([]);
    expect(await seen('maker_b', 'settlement.list', 'intent_id')).toEqual([intent_id]);
    await b.close();
  });
});
