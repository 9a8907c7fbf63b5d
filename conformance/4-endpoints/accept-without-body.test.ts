import { describe, expect, it } from 'vitest';
import { acceptanceNeedsNoBody } from '../../src/oracle/rules/wire/operation-results.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import { type FakeCall, fakeTarget } from '../../src/suite/engine/testing.ts';
import { random } from '../../src/random/random.ts';
import { quoteEndpointChecks } from './quotes-and-settlements.ts';

/** Takes every order and quote, and acceptances as a test has it. */
const accepting = (status: (body: unknown) => number) =>
  fakeTarget({
    answer: ({ endpoint, options }: FakeCall) => {
      const data = {
        intent_id: '11111111-1111-4111-8111-111111111111',
        quote_id: '22222222-2222-4222-8222-222222222222',
        expires_at: '2026-01-01T01:00:00.000Z',
      };
      const code = endpoint === 'quote.accept' ? status(options.body) : 201;
      return { status: code, body: { data } };
    },
  });

async function verdictOn(target: ReturnType<typeof accepting>): Promise<string | undefined> {
  const checks = quoteEndpointChecks.filter(({ id }) => id === 'quote.accept.without-body.sender');
  const rules = [acceptanceNeedsNoBody];
  const run = await runChecks({ target, checks, rules, options: { random: random(1n) } });
  return run.requirements.find(({ id }) => id === 'quote.accept.no-body-needed')?.verdict;
}

describe('an acceptance without a body', () => {
  it('passes if the target takes it', async () => {
    expect(await verdictOn(accepting(() => 200))).toBe('pass');
  });

  it('fails if the target takes acceptances only with a body', async () => {
    expect(await verdictOn(accepting((body) => (body === undefined ? 400 : 200)))).toBe('fail');
  });

  it('proves nothing if the target takes no acceptance', async () => {
    expect(await verdictOn(accepting(() => 409))).toBe('not_exercised');
  });
});
