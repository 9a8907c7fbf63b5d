import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/** One endpoint answers 401 to everybody, as if no token were any good there. */
const unauthorized = (endpoint: string): Tamper => ({
  response: (answer, context) =>
    context.endpoint === endpoint && answer.status < 400
      ? { ...answer, status: 401, body: { error: { code: 'token_invalid', message: 'no' } } }
      : answer,
});

it.each(['identity.read', 'stats.read', 'settlement.list'])(
  '%s that refuses all tokens is a violation, and no error of a check',
  async (endpoint) => {
    const target = await openEmbedded({ seed: 1n, tamper: unauthorized(endpoint) });
    const only = [`access.${endpoint}.*`, `auth.*${endpoint}*`, 'auth.wrong-claims.*'];
    const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only });
    await target.close();
    const judges = [...report.checks, ...report.rules];
    expect(judges.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(report.requirements.find(({ id }) => id === 'auth.fresh-token-accepted')?.verdict).toBe(
      'fail',
    );
  },
);
