import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { type AttackResult, faultsOf, runAttack, usualChecks } from '../hostile/attack.ts';
import {
  type Behaviour,
  type ProxiedRequest,
  type Relayed,
  startHostileProxy,
} from '../hostile/proxy.ts';
import { openUrls } from '../../src/target/remote/base-urls.ts';
import { startPeer } from '../peer/server.ts';
import { lantern } from '../peer/dialect.ts';

/** A backend whose token endpoint answers in its own way; everything else of it is sound. */
const tokens =
  (
    answer: (visit: ProxiedRequest, good: Relayed) => { status: number; body: unknown },
  ): Behaviour =>
  async (visit) => {
    if (visit.path !== '/auth/token') return 'pass';
    const good = await visit.relay();
    const { status, body } = answer(visit, good);
    visit.response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
    return undefined;
  };

const dataOf = ({ body }: Relayed): Record<string, unknown> =>
  (JSON.parse(body) as { data: Record<string, unknown> }).data;

const failing = ({ report }: AttackResult): readonly string[] =>
  (report as RunReport).requirements
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);

const verdictOf = ({ report }: AttackResult, id: string): string | undefined =>
  report?.checks.find((check) => check.id === id)?.verdict;

/** Timeouts long enough for a busy process. Nothing here hangs; the tests wait side by side. */
const limits = { headersMs: 15_000, bodyMs: 15_000 };

describe.concurrent('a token endpoint that', () => {
  test('answers with a bare token is found wanting, and everything else is judged', async () => {
    const one = await runAttack({
      limits,
      behaviour: tokens((_, good) => ({ status: 200, body: dataOf(good)['token'] })),
    });
    expect([one.exit, faultsOf(one)]).toEqual([1, []]);
    expect(failing(one)).toContain('token.create.returns-token-result');
    // Its own violations and no others: tokens, envelopes, and nothing of orders or quotes.
    expect(failing(one).filter((id) => !/^(token|envelope|meta|limit)\./.test(id))).toEqual([]);
    expect(verdictOf(one, 'order.cancel.with-three-quotes')).toBe('pass');
  });

  test('wants a body is found wanting for that alone', async () => {
    const one = await runAttack({
      limits,
      behaviour: tokens(({ body }, good) =>
        body === ''
          ? { status: 400, body: { error: 'a JSON body is expected' } }
          : { status: 200, body: JSON.parse(good.body) },
      ),
    });
    expect([one.exit, faultsOf(one)]).toEqual([1, []]);
    expect(failing(one)).toEqual(['token.create.no-body-needed']);
    expect(verdictOf(one, 'order.cancel.with-three-quotes')).toBe('pass');
    expect(verdictOf(one, 'auth.self.sender')).toBe('pass');
  });

  test.each([['refuses every form', { error: 'no' }, 422, 'token.create.no-body-needed']])(
    '%s is judged, and the other parties with it',
    async (_, body, status, requirement) => {
      const one = await runAttack({
        limits,
        behaviour: tokens(() => ({ status, body })),
        at: ['sender'],
      });
      expect([one.exit, faultsOf(one)]).toEqual([1, []]);
      expect(failing(one)).toContain(requirement);
      expect(verdictOf(one, 'auth.self.sender')).toBe('out_of_scope');
      expect(verdictOf(one, 'auth.self.maker_a')).toBe('pass');
      expect(one.written).toContain('sender gave no token: POST /auth/token answered');
    },
  );

  test('has a token for no party is still judged', async () => {
    const one = await runAttack({
      limits,
      behaviour: tokens(() => ({ status: 200, body: { data: {} } })),
      only: usualChecks,
    });
    expect([one.exit, faultsOf(one)]).toEqual([1, []]);
    expect(failing(one)).toContain('token.create.returns-token-result');
  });

  test('answers with a bare token still shows the role of an unnamed address', async () => {
    const peer = await startPeer({ dialect: lantern, clock: 'host' });
    const proxy = await startHostileProxy(
      peer.origin,
      tokens((_, good) => ({ status: 200, body: dataOf(good)['token'] })),
    );
    try {
      const opening = await openUrls([{ baseUrl: `${proxy.origin}/sender_custodian` }]);
      expect(opening.ok && Object.keys(opening.target.parties)).toEqual(['sender_custodian']);
      if (opening.ok) await opening.target.close();
    } finally {
      await proxy.close();
      await peer.close();
    }
  });
});
