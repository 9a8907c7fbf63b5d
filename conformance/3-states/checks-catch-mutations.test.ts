import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import type { Order } from '../../src/reference/core/index.ts';
import { random } from '../../src/random/random.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { allRules } from '../../src/oracle/index.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { stateChecks } from './index.ts';

type Stored = NonNullable<Parameters<NonNullable<Tamper['policy']>>[0]>['stored'];

const stored = (order: Stored['order']): Tamper => ({
  policy: (policy) => ({ ...policy, stored: { ...policy.stored, order } }),
});

/** Runs some checks, judged by all rules, on a reference that is altered; answers the verdicts of checks and requirements. */
async function verdicts(
  only: string,
  tamper: Tamper = {},
  maxValidity?: string,
): Promise<Record<'checks' | 'requirements', Record<string, string>>> {
  const target = await openEmbedded({ seed: 1n, tamper });
  if (maxValidity !== undefined) {
    const sight = { gap: 'quote.max_validity', observed: maxValidity } as const;
    target.answers.learn([{ ...sight, consistent: true, seen: [], evidence: [] }]);
  }
  const { checks, requirements } = await runChecks({
    target,
    checks: stateChecks.filter(({ id }) => id.startsWith(only)),
    rules: allRules,
    options: { random: random('7') },
  });
  await target.close();
  const verdictOf = (all: readonly { readonly id: string; readonly verdict: string }[]) =>
    Object.fromEntries(all.map(({ id, verdict }) => [id, verdict]));
  return { checks: verdictOf(checks), requirements: verdictOf(requirements) };
}

const acceptedBy = (role: string, after: Order, before: Order | undefined): boolean =>
  role === 'custodian' && after.accepted !== undefined && before?.accepted === undefined;

describe('the checks of orders and quotes', () => {
  it('have names of their own', () => {
    const ids = stateChecks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const altered: readonly (readonly [how: string, only: string, broken: string, Tamper])[] = [
    [
      'a custodian names another maker as the winner',
      'order.life',
      'order.market-maker-party-id.is-winner',
      stored((after, before, { command }) =>
        command.type === 'request' &&
        after.accepted &&
        acceptedBy(command.caller.role, after, before)
          ? { ...after, accepted: { ...after.accepted, makerPartyId: after.senderPartyId } }
          : after,
      ),
    ],
    [
      'EXECUTING can be cancelled',
      'order.cancel',
      'order.cancel.executing-refused',
      {
        policy: (policy) => ({
          ...policy,
          cancel: { ...policy.cancel, from: ['PENDING', 'QUOTED', 'EXECUTING'] },
        }),
      },
    ],
    [
      'an order that is QUOTED cannot be cancelled',
      'order.cancel',
      'order.cancel.quoted',
      {
        policy: (policy) => ({ ...policy, cancel: { ...policy.cancel, from: ['PENDING'] } }),
      },
    ],
    [
      'an accepted order expires with its own deadline',
      'order.expiry',
      'order.state.accepted-outlives-expires-at',
      stored((after, before, { now }) =>
        before?.accepted && now >= before.expiresAt ? { ...before, status: 'EXPIRED' } : after,
      ),
    ],
    [
      'an order stays QUOTED when its quote lapses',
      'order.expiry.quoted',
      'order.state.quoted-to-expired',
      stored((after, before) =>
        before?.status === 'QUOTED' && after.status === 'EXPIRED' ? before : after,
      ),
    ],
    [
      'an order that three makers quoted does not expire',
      'order.expiry',
      'order.state.pending-to-expired.though-quoted',
      {
        command: (command, context) => {
          const id = command.type === 'request' ? command.params.intent_id : undefined;
          if (id && command.type === 'request' && command.endpoint === 'quote.submit')
            context.count(id);
          const expires = command.type === 'due' && command.deadline.kind === 'order-expiry';
          return expires && context.count(command.deadline.intentId) > 3 ? undefined : command;
        },
      },
    ],
    [
      'of two acceptances at once both succeed',
      'order.race.accept',
      'quote.state.one-accepted-under-race',
      {
        policy: (policy) => ({
          ...policy,
          accept: {
            ...policy.accept,
            from: ['PENDING', 'QUOTED'],
            quoteFrom: ['PENDING', 'REJECTED'],
          },
        }),
      },
    ],
    [
      'a failed settlement shows a moment of settlement',
      'order.failure',
      'settlement.atomic',
      stored((after, _, { now }) =>
        after.status === 'FAILED' && after.accepted
          ? { ...after, settled: { transactionHash: 'ab12', at: now } }
          : after,
      ),
    ],
    [
      "quotes of others than the winner's maker stay PENDING",
      'quote.select',
      'quote.state.pending-to-rejected.by-custodian',
      {
        policy: (policy) => ({
          ...policy,
          quotes: { ...policy.quotes, unselected: () => 'PENDING' },
        }),
      },
    ],
    [
      'accepting a proposal makes an order QUOTED',
      'proposal',
      'proposal.accept.order-stays-legal',
      stored((after, _, { command }) =>
        command.type === 'request' && command.endpoint === 'proposal.accept'
          ? { ...after, status: 'QUOTED' }
          : after,
      ),
    ],
    [
      'what costs exactly the maximum is too dear',
      'order.money',
      'service.sender-accepts',
      {
        policy: (policy) => ({
          ...policy,
          money: { ...policy.money, affordable: (cost, order) => cost !== order.sourceAmountMax },
        }),
      },
    ],
  ];
  it('blame no quote that lapsed while another was raced for, where all are valid for a short while', async () => {
    const { checks } = await verdicts('order.race.valid-until', {}, '5.5s');
    expect(Object.values(checks)).toEqual(['pass', 'pass', 'pass']);
  });

  it.each(altered)('find that %s', async (_how, only, broken, tamper) => {
    expect((await verdicts(only, tamper)).requirements[broken]).toBe('fail');
  });
});
