import { describe, expect, it } from 'vitest';
import type { EndpointName } from '../../spec/endpoints.ts';
import { limitError } from '../../history/limits.ts';
import type { WireError, WireErrorCode } from '../../history/records.ts';
import { castNames } from '../../spec/requirements/index.ts';
import { type FakeAnswer, fakeTarget, req, startOfTime, runAsCheck } from '../engine/testing.ts';
import { orderBody } from './orders.ts';
import { assertAllowed, assertRefused, assertRefusedWithControl } from './refusal-assertions.ts';

const one = req('a.one');
const verdictFor = async (answer: FakeAnswer, judge: typeof assertRefused = assertRefused) => {
  const target = fakeTarget({ answer: () => answer });
  const result = await runAsCheck(target, async (t) => {
    judge(t, one, await t.party('sender').call('order.list'));
  });
  return result.judged[0]?.verdict;
};
const broke = (code: Exclude<WireErrorCode, 'limit'>): FakeAnswer => ({
  error: { code, message: code },
});

describe('a refusal', () => {
  it.each([400, 401, 403, 404, 409, 422])('is a %d', async (status) => {
    expect(await verdictFor({ status })).toBe('pass');
    expect(await verdictFor({ status }, assertAllowed)).toBe('fail');
  });

  it.each([200, 204, 302, 500, 501])('is no %d', async (status) => {
    expect(await verdictFor({ status })).toBe('fail');
  });

  it('shows neither in being asked to slow down nor in what is no answer of the service', async () => {
    const codes = ['refused', 'reset', 'timeout', 'protocol', 'aborted'] as const;
    const statuses = [408, 429, 502, 503, 504].map((status) => ({ status }));
    for (const answer of [...statuses, ...codes.map(broke)]) {
      expect(await verdictFor(answer)).toBe('inconclusive');
      expect(await verdictFor(answer, assertAllowed)).toBe('inconclusive');
    }
  });
});

it('is told why it shows nothing', async () => {
  const reasonOf = async (error: WireError) => {
    const target = fakeTarget({ answer: () => ({ error }) });
    const { judged } = await runAsCheck(target, async (t) => {
      assertAllowed(t, one, await t.party('sender').call('order.list'));
    });
    return judged[0]?.reason;
  };
  expect(await reasonOf({ code: 'aborted', message: 'gone' })).toMatch(
    /had no answer \(aborted\): gone/,
  );
  expect(await reasonOf(limitError('json.depth', 'too deep'))).toMatch(
    /had no answer \(limit\): too deep/,
  );
});

describe('a creation that is refused', () => {
  const verdictBeside = async (open: number, target_amount: string) => {
    let taken = 0;
    const expires_at = new Date(startOfTime + 60_000).toISOString();
    const body = { data: { intent_id: 'i', expires_at } };
    const target = fakeTarget({
      answer: () => (taken++ < open ? { status: 201, body } : { status: 409 }),
    });
    const result = await runAsCheck(target, async (t) => {
      const party = t.party('sender');
      const create = (amount: string) =>
        party.call('order.create', { body: { target_amount: amount } });
      for (let n = 0; n < open; n += 1) await create('100.00');
      assertAllowed(t, one, await create(target_amount));
    });
    return result.judged[0]?.verdict;
  };

  it('decides nothing where the party may have as many orders open as it may', async () => {
    expect(await verdictBeside(20, '100.00')).toBe('inconclusive');
  });

  it('is a departure where few are open, or nothing on such terms was ever taken', async () => {
    expect(await verdictBeside(2, '100.00')).toBe('fail');
    expect(await verdictBeside(20, '0.01')).toBe('fail');
  });
});

describe('what is refused', () => {
  const deadline = startOfTime + 10_000;
  const verdictAfter = async (waitMs: number, endpoint: EndpointName) => {
    const expires_at = new Date(deadline).toISOString();
    const target = fakeTarget({
      answer: (call) =>
        call.endpoint === 'order.create'
          ? { status: 201, body: { data: { intent_id: 'i', expires_at } } }
          : { status: 409 },
    });
    const result = await runAsCheck(target, async (t) => {
      const party = t.party('sender');
      await party.call('order.create');
      await t.target.timeline.sleep(waitMs);
      assertAllowed(t, one, await party.call(endpoint, { params: { intent_id: 'i' } }));
    });
    return result.judged[0]?.verdict;
  };

  it('may be too late, which decides nothing', async () => {
    expect(await verdictAfter(9_000, 'order.cancel')).toBe('fail');
    expect(await verdictAfter(10_000, 'order.cancel')).toBe('inconclusive');
    expect(await verdictAfter(10_000, 'order.read')).toBe('fail');
  });
});

describe('an order refused that names parties made up', () => {
  const creationUnder = async (options: Parameters<typeof fakeTarget>[0] = {}, status = 422) => {
    const target = fakeTarget({ answer: () => ({ status }), ...options });
    const result = await runAsCheck(target, async (t) => {
      const body = orderBody(t);
      assertAllowed(t, one, await t.party('sender').call('order.create', { body }));
    });
    return result.judged[0];
  };
  const parties = ['sender', 'maker_a'] as const;

  it('decides nothing where the target declares no such parties', async () => {
    const judged = await creationUnder({ parties });
    expect(judged).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/sender_custodian_party_id .* made up: .* orders\.defaults$/),
    });
  });

  it('is wrong where real ones were named', async () => {
    expect(await creationUnder({ parties: castNames })).toMatchObject({ verdict: 'fail' });
    const orderDefaults = {
      sender_custodian_party_id: 'Keeper::0a',
      receiver_custodian_party_id: 'Keeper::0b',
      receiver_party_id: 'Bank::0c',
    };
    const named = await creationUnder({ parties, overrides: { orderDefaults } });
    expect(named).toMatchObject({ verdict: 'fail' });
  });

  it('is wrong where the target looks at the form of parties alone, or refused who asked', async () => {
    const answers = { 'order.party_check': 'form-only' } as const;
    expect(await creationUnder({ parties, answers })).toMatchObject({ verdict: 'fail' });
    expect(await creationUnder({ parties }, 401)).toMatchObject({ verdict: 'fail' });
  });
});

describe('a control', () => {
  const twinned = async (refusedCall: number, controlCall: number) => {
    const target = fakeTarget({
      answer: ({ party }) => ({ status: party === 'outsider' ? refusedCall : controlCall }),
    });
    const result = await runAsCheck(target, async (t) => {
      await assertRefusedWithControl(t, one, {
        refusedCall: () => t.party('outsider').call('order.list'),
        controlCall: () => t.party('sender').call('order.list'),
        differsBy: "the outsider's token",
      });
    });
    return [result.judged[0]?.verdict, target.calls.length];
  };

  it.each([
    ['makes a refusal count', 403, 200, ['pass', 2]],
    ['keeps a refusal of another reason from passing', 403, 403, ['inconclusive', 2]],
    ['that breaks shows nothing', 403, 500, ['inconclusive', 2]],
    ['is not needed where nothing was refused', 200, 200, ['fail', 1]],
    ['is not needed where the service broke', 500, 200, ['fail', 1]],
  ])('%s', async (_, refusedCall, controlCall, seen) => {
    expect(await twinned(refusedCall, controlCall)).toEqual(seen);
  });
});
