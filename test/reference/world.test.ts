import { describe, expect, it } from 'vitest';
import type { Tamper } from '../../src/reference/http/index.ts';
import { testServer, type TestServerOptions, startMs } from './harness.ts';

describe('the same seed', () => {
  async function story(seed: bigint): Promise<string> {
    const b = testServer({ seed });
    const streams = [await b.listen('sender'), await b.listen('maker_b')];
    const answers = [];
    const id = await b.order();
    answers.push(await b.call('maker_b', 'rfq.list'));
    const quote = await b.quote('maker_b', id);
    answers.push(
      await b.accept(id, quote),
      await b.call('sender', 'token.create', { token: null }),
    );
    await b.pass(60_000);
    answers.push(await b.call('sender', 'order.read', { params: { intent_id: id } }));
    await b.close();
    return [...answers, ...streams]
      .map((seen) => ('json' in seen ? seen.text : seen.text()))
      .join();
  }

  it('gives the same bytes, tokens among them; another seed gives others', async () => {
    const first = await story(11n);
    expect(await story(11n)).toBe(first);
    expect(await story(12n)).not.toBe(first);
  });
});

describe('deadlines', () => {
  it('are carried out as of their own moment, before whatever is asked later', async () => {
    const b = testServer();
    const id = await b.order();
    const quote = await b.quote('maker_a', id);
    await b.accept(id, quote);
    b.clock.advanceTo(startMs + 3_000_000);
    const { json } = await b.call('sender', 'order.read', { params: { intent_id: id } });
    expect(json.data).toMatchObject({
      status: 'SETTLED',
      settled_at: new Date(startMs + 4000).toISOString(),
    });
    await b.close();
  });

  it('stop when the world closes', async () => {
    const b = testServer();
    await b.order();
    await b.close();
    const state = b.world.state();
    b.clock.advanceTo(startMs + 100_000);
    expect(b.world.state()).toBe(state);
  });
});

describe('a tamper', () => {
  const withTamper = (tamper: Tamper, setting: TestServerOptions = {}) =>
    testServer({ ...setting, tamper });

  it.each([
    [['signature'], { kind: 'forged' }],
    [['party'], { kind: 'foreign' }],
    [['audience'], { kind: 'aud' }],
    [['subject'], { kind: 'sub' }],
  ] as const)(
    'without the check %j takes what the whole verifier refuses',
    async (skip, { kind }) => {
      const strict = testServer();
      const lax = withTamper({ verify: { skip } });
      for (const [b, status] of [
        [strict, 401],
        [lax, 200],
      ] as const) {
        const claims = b.server.tokens.claimsFor(b.party('sender'), startMs);
        const good = await b.server.tokens.mint(claims);
        const tokens = {
          forged: `${good.slice(0, -8)}AAAAAAAA`,
          foreign: await b.token('outsider'),
          aud: await b.server.tokens.mint({ ...claims, aud: 'else' }),
          sub: await b.server.tokens.mint({ ...claims, sub: 'Else::00' }),
        };
        expect((await b.call('sender', 'identity.read', { token: tokens[kind] })).status).toBe(
          status,
        );
        await b.close();
      }
    },
  );

  it('starts anew in every world', async () => {
    const tamper: Tamper = {
      response: (wire, context) => ({
        ...wire,
        headers: { ...wire.headers, 'x-count': String(context.count('all')) },
      }),
    };
    for (let world = 0; world < 2; world += 1) {
      const b = withTamper(tamper);
      const first = await b.call('sender', 'health.read', { token: null });
      const second = await b.call('sender', 'health.read', { token: null });
      expect([first, second].map(({ headers }) => headers['x-count'])).toEqual(['1', '2']);
      await b.close();
    }
  });

  it('may throw: that call gets 500, and later ones work', async () => {
    const b = withTamper({
      outcome: () => {
        throw new Error('bent too far');
      },
    });
    const answer = await b.call('sender', 'order.list');
    expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
    expect(b.faults.splice(0).join()).toContain('bent too far');
    expect((await b.call('sender', 'health.read')).status).toBe(200);
    await b.close();
  });
});
