import { describe, expect, it } from 'vitest';
import type { EndpointName } from '../../spec/endpoints.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { type FakeCall, fakeTarget, inCheck, startOfTime, runAsCheck } from '../engine/testing.ts';
import { cameFromBody, disturbedOrder, createOrder, untilExpired } from './orders.ts';
import { accept, quote, settledOrder } from './quotes.ts';

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const lifeMs = 60_000;

/** Takes every order and quote; `refuse` tells which calls it refuses. */
const obliging =
  (refuse: (call: FakeCall, now: number) => boolean = () => false) =>
  (call: FakeCall, now: number) => {
    if (refuse(call, now)) return { status: 422, body: { code: 'no' } };
    const status = now >= startOfTime + 4_000 ? 'SETTLED' : 'EXECUTING';
    const shown: Partial<Record<EndpointName, unknown>> = {
      'order.create': { intent_id: id(1), expires_at: formatTimestamp(startOfTime + lifeMs) },
      'order.read': { intent_id: id(1), status },
      'quote.submit': { quote_id: id(2) },
      'quote.accept': { intent_id: id(1), status: 'QUOTED' },
    };
    return { status: 200, body: { data: call.endpoint && shown[call.endpoint] } };
  };

describe('createOrder', () => {
  it('sends identifiers used once, the custodian of the cast, and what the target file insists on', async () => {
    const target = fakeTarget({
      answer: obliging(),
      overrides: { orderDefaults: { source_currency: 'JPY', region: 'EU' } },
    });
    await runAsCheck(target, async (t) => {
      await createOrder(t);
      await createOrder(t, { target_amount: '5.00' });
    });
    const [one, two] = target.calls.map(({ options }) => options.body as Record<string, string>);
    expect(one).toMatchObject({
      source_currency: 'JPY',
      region: 'EU',
      sender_custodian_party_id: 'sender_custodian::0a',
      target_amount: '1000.00',
    });
    expect(two?.['target_amount']).toBe('5.00');
    for (const field of ['source_contract_id', 'intent_signature', 'memo']) {
      expect(one?.[field]).not.toBe(two?.[field]);
    }
  });

  it('names another institution as the receiver where the target takes none that it does not know', async () => {
    const answers = { 'order.party_check': 'known-parties' } as const;
    const target = fakeTarget({ answer: obliging(), answers });
    await runAsCheck(target, async (t) => {
      await createOrder(t);
      await createOrder(t, {}, { by: 'outsider' });
    });
    const receivers = target.calls.map(
      ({ options }) => (options.body as Record<string, string>)['receiver_party_id'],
    );
    expect(receivers).toEqual(['outsider::0a', 'sender::0a']);
  });

  it('makes a body whose order is known by what is drawn for it alone', async () => {
    const known = async (orderDefaults: Readonly<Record<string, string>>) => {
      const target = fakeTarget({ answer: obliging(), overrides: { orderDefaults } });
      return inCheck(target, async (t) => {
        const { sent } = await createOrder(t);
        const { sent: other } = await createOrder(t);
        return [sent, other, {}].map((shown) => cameFromBody(t, sent, shown));
      });
    };
    const contract = { source_contract_id: '0a#0' };
    expect(await known({})).toEqual([true, false, false]);
    expect(await known(contract)).toEqual([true, false, false]);
    expect(await known({ ...contract, intent_signature: '0a', memo: 'm' })).not.toContain(true);
  });

  it('gives up where the target takes no order, and names the exchange', async () => {
    const target = fakeTarget({ answer: () => ({ status: 500 }) });
    const result = await runAsCheck(target, async (t) => {
      await createOrder(t);
    });
    expect(result).toMatchObject({
      verdict: 'not_exercised',
      reason: 'no order could be created: POST /api/v1/orders answered 500',
      seen: ['tried#1'],
    });
  });

  it('has the proposal accepted first where quoting waits for it, by the custodian that it names', async () => {
    const answers = { 'proposal.effect': 'opens-quoting' } as const;
    const parties = ['sender', 'sender_custodian', 'outsider_custodian'] as const;
    const target = fakeTarget({ answer: obliging(), answers, parties });
    await runAsCheck(target, async (t) => {
      await createOrder(t);
      await createOrder(t, {}, { proposal: 'leave' });
      const { partyId } = t.party('outsider_custodian');
      await createOrder(t, { sender_custodian_party_id: partyId });
    });
    expect(target.calls.map(({ endpoint, party }) => `${party} ${endpoint}`)).toEqual([
      'sender order.create',
      'sender_custodian proposal.accept',
      'sender order.create',
      'sender order.create',
      'outsider_custodian proposal.accept',
    ]);
  });

  it('is out of scope, not wrong, where an order outlives the longest wait', async () => {
    const target = fakeTarget({ answer: obliging(), maxWaitMs: 30_000 });
    const result = await runAsCheck(target, async (t) => {
      await untilExpired(t, await createOrder(t));
    });
    expect(result.verdict).toBe('out_of_scope');
  });

  it('uses a control by fields of the order', async () => {
    const controls = { fail_settlement: { order: { memo: '!revert' } } };
    const target = fakeTarget({ answer: obliging(), overrides: { controls } });
    await runAsCheck(target, async (t) => {
      await disturbedOrder(t, 'fail_settlement');
    });
    expect(target.calls[0]?.options.body).toMatchObject({ memo: '!revert' });
  });
});

describe('quote', () => {
  const quoting =
    (options?: Parameters<typeof quote>[3]) => async (t: Parameters<typeof quote>[0]) => {
      await quote(t, 'maker_a', await createOrder(t), options);
    };
  const bodies = (target: ReturnType<typeof fakeTarget>) =>
    target.calls
      .filter(({ endpoint }) => endpoint === 'quote.submit')
      .map(({ options }) => options.body as Record<string, string>);

  it("is for the order's amount at rate one, valid within the order's life", async () => {
    const target = fakeTarget({ answer: obliging() });
    await runAsCheck(target, quoting({ validForMs: 3_600_000 }));
    expect(bodies(target)).toEqual([
      {
        fx_rate: '1',
        target_amount: '1000.00',
        valid_until: formatTimestamp(startOfTime + lifeMs - 1_000),
      },
    ]);
  });

  it("reckons with the target's clock at its latest", async () => {
    const target = fakeTarget({ answer: obliging(), offset: { least: -20, most: 500 } });
    await runAsCheck(target, quoting({ validForMs: 5_000 }));
    expect(bodies(target)[0]?.['valid_until']).toBe(formatTimestamp(startOfTime + 5_500));
  });

  const validUntil = ({ options }: FakeCall): number =>
    Date.parse((options.body as Record<string, string>)['valid_until'] ?? '');

  it.each<[string, { validForMs?: number }, (call: FakeCall, now: number) => boolean]>([
    ['while the request may not have reached the maker', {}, (_, now) => now < startOfTime + 700],
    ['for shorter where that may be too long', {}, (call, now) => validUntil(call) > now + 20_000],
    [
      'for longer where that may be too short',
      { validForMs: 2_500 },
      (call, now) => validUntil(call) < now + 5_000,
    ],
  ])('is tried again %s', async (_, options, refuses) => {
    const answer = obliging((call, now) => call.endpoint === 'quote.submit' && refuses(call, now));
    const target = fakeTarget({ answer });
    const result = await runAsCheck(target, quoting(options));
    expect(result.reason).toBe('the check ended without coming to it');
    expect(bodies(target).length).toBeGreaterThan(1);
  });

  it('has fewer decimals in its rate after a refusal that may be about them', async () => {
    const bounded = obliging(
      ({ endpoint, options }) =>
        endpoint === 'quote.submit' &&
        /\.\d{7}/.test((options.body as Record<string, string>)['fx_rate'] ?? ''),
    );
    const { sent } = await inCheck(fakeTarget({ answer: bounded }), async (t) =>
      quote(t, 'maker_a', await createOrder(t), { rate: '1.0203040506' }),
    );
    expect(sent).toMatchObject({ fx_rate: '1.0203' });
  });

  it('is valid for the granted time if that is shorter than requested', async () => {
    const cut = formatTimestamp(startOfTime + 20_000);
    const oblige = obliging();
    const answer = (call: FakeCall, now: number) =>
      call.endpoint === 'quote.submit'
        ? { status: 201, body: { data: { quote_id: 'q-1', valid_until: cut } } }
        : oblige(call, now);
    const given = await inCheck(fakeTarget({ answer }), async (t) =>
      quote(t, 'maker_a', await createOrder(t), { validForMs: 40_000 }),
    );
    expect(given.validUntil).toBe(startOfTime + 20_000);
  });
});

describe('a settled order', () => {
  it('comes about, and is read as settled', async () => {
    const target = fakeTarget({ answer: obliging() });
    expect((await inCheck(target, settledOrder)).settled.status).toBe('SETTLED');
  });

  it('is given up if no order settles', async () => {
    const stuck = obliging();
    const target = fakeTarget({
      answer: (call) => stuck(call, startOfTime),
    });
    const result = await runAsCheck(target, async (t) => {
      await settledOrder(t);
    });
    expect(result.reason).toMatch(/^the order did not settle/);
    expect(target.timeline.now()).toBe(startOfTime + 15_000);
  });

  it('is given up if the acceptance is refused', async () => {
    const target = fakeTarget({ answer: obliging(({ endpoint }) => endpoint === 'quote.accept') });
    const result = await runAsCheck(target, async (t) => {
      const order = await createOrder(t);
      await accept(t, order, { quoteId: id(2) });
    });
    expect(result.reason).toMatch(/^the quote could not be accepted: POST .* answered 422/);
  });
});
