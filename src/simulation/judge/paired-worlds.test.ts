import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import { orderOf } from '../../reference/core/index.ts';
import type { Tamper } from '../../reference/http/index.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import type { Plan, PlannedStep } from '../plan.ts';
import { runPlan } from '../run-plan.ts';
import { playAndJudge } from '../run-world.ts';
import { otherSenders, runsPaired, toldApart } from './paired-worlds.ts';

const plan: Plan = drawPlan(formatSeed(23n));

const pairOf = async (tamper?: Tamper) =>
  toldApart(
    await runPlan(plan, { tamper }),
    await runPlan(plan, { tamper, identities: otherSenders(plan) }),
  );

/** Some requests are told later than others, by nothing but who asks. */
const slowForSome: Tamper = {
  eventDelayMs: ({ event, intentId }, { state }) => {
    const sender = orderOf(state, intentId)?.senderPartyId ?? '';
    return event === 'quote_request_new' ? Number.parseInt(sender.slice(-2), 16) : 0;
  },
};

describe('two worlds that differ in who the senders are', () => {
  it('are other worlds for senders', async () => {
    const one = await runPlan(plan);
    const other = await runPlan(plan, { identities: otherSenders(plan) });
    expect(JSON.stringify(one.context.cast['sender'])).not.toBe(
      JSON.stringify(other.context.cast['sender']),
    );
    expect(one.context.cast['maker_a']).toEqual(other.context.cast['maker_a']);
  });

  it('are the same for makers', async () => {
    expect(await pairOf()).toBeUndefined();
  });

  it('are the same for a maker that names an institution itself', async () => {
    const create: PlannedStep = {
      at: { afterMs: 1 },
      by: 'maker_a',
      do: 'create',
      label: 'order 90',
      custodian: 'sender_custodian',
      receiver: 'sender',
      receiverCustodian: 'sender_custodian',
      sourceCurrency: 'USD',
      targetCurrency: 'EUR',
      targetAmount: '1000.00',
      maximum: '3000.00',
    };
    const asking: Plan = { ...plan, steps: [create, ...plan.steps] };
    const run = await runPlan(asking);
    const other = await runPlan(asking, { identities: otherSenders(plan) });
    const creation = run.history.records.find(
      (one) =>
        one.kind === 'exchange' && one.party === 'maker_a' && one.endpoint === 'order.create',
    );
    expect(creation).toMatchObject({ response: { status: 403 } });
    expect(toldApart(run, other)).toBeUndefined();
  });

  it('are told apart by a moment that depends on the sender', async () => {
    const finding = await pairOf(slowForSome);
    expect(finding?.cause).toBe('privacy.paired-worlds · quote_request_new · received');
  });

  it('are played for one seed in ten', async () => {
    const seeds = Array.from({ length: 100 }, (_, index) => formatSeed(BigInt(index)));
    expect(seeds.filter(runsPaired)).toHaveLength(10);
    const options = { depth: 'process', mutation: 'slow for some' } as const;
    const { outcome } = await playAndJudge(plan, options, { tamperOf: () => slowForSome });
    expect(outcome.findings.map(({ rule }) => rule)).toContain('privacy.paired-worlds');
  });
});
