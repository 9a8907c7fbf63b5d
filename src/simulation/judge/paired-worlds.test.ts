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

/** Delays the event of a new request by an amount that depends on the sender. */
const slowForSome: Tamper = {
  eventDelayMs: ({ event, intentId }, { state }) => {
    const sender = orderOf(state, intentId)?.senderPartyId ?? '';
    return event === 'quote_request_new' ? Number.parseInt(sender.slice(-2), 16) : 0;
  },
};

describe('two worlds that differ in who the senders are', () => {
  it('look different to senders, and the same to makers', async () => {
    const one = await runPlan(plan);
    const other = await runPlan(plan, { identities: otherSenders(plan) });
    const [mine, theirs] = [one, other].map(({ context: { cast } }) => cast);
    expect(theirs?.['sender']).not.toEqual(mine?.['sender']);
    expect(theirs?.['maker_a']).toEqual(mine?.['maker_a']);
    expect(toldApart(one, other)).toBeUndefined();
  });

  it('look the same to a maker that itself names an institution', async () => {
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

  it('are played for one seed in ten, and differ if a time depends on the sender', async () => {
    const seeds = Array.from({ length: 100 }, (_, index) => formatSeed(BigInt(index)));
    expect(seeds.filter(runsPaired)).toHaveLength(10);
    const options = { depth: 'process', mutation: 'slow for some' } as const;
    const { outcome } = await playAndJudge(plan, options, { tamperOf: () => slowForSome });
    const paired = outcome.findings.filter(({ rule }) => rule === 'privacy.paired-worlds');
    expect(paired.map(({ cause }) => cause)).toEqual([
      'privacy.paired-worlds · quote_request_new · received',
    ]);
  });
});
