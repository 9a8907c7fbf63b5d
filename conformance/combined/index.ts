import type { DrivenLife } from '../../src/combinations/factors.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import type { Check } from '../../src/suite/engine/check.ts';
import { expiryRequirements, lifeRequirementsOf } from '../shared/order-life.ts';
import { eventLatencyMs } from '../shared/order-states.ts';
import { waits } from '../shared/waits.ts';
import { live, awaitsExpiry, isInTime, isTooLate, rivalsIn, winner } from './live.ts';
import { drivenRows } from './rows.ts';

/** Requirements that every life exercises, whatever its course. */
const common = [
  'order.create.returns-order',
  'order.target-amount.echo',
  'event.quote-received.sent',
  'order.state.listed-transitions-only',
  'quote.state.listed-transitions-only',
] as const satisfies readonly RequirementId[];

const accepted = [
  'event.order-updated.on-quoted',
  'event.quote-accepted.sent',
  'quote.state.one-accepted-per-order',
] as const satisfies readonly RequirementId[];

const rejected = [
  'event.quote-rejected.sent',
  'quote.state.pending-to-rejected',
] as const satisfies readonly RequirementId[];

const endings = {
  settled: [
    'event.order-updated.on-settled',
    'event.settlement-completed.sent',
    'settlement.atomic',
  ],
  failed: ['order.state.executing-to-failed', 'order.failure-reason.revert', 'settlement.atomic'],
  cancelled: [
    'order.state.cancel-ends-order',
    'order.cancel.never-settles',
    'order.failure-reason.user-cancelled',
  ],
  expired: expiryRequirements,
} as const satisfies Record<DrivenLife['ending'], readonly RequirementId[]>;

function requirementsOf(life: DrivenLife): readonly RequirementId[] {
  const isAccepted = life.accepter !== 'nobody' && !isTooLate(life);
  const by = life.accepter === 'custodian' ? 'sender_custodian' : 'sender';
  const ofLife = lifeRequirementsOf(by);
  return [
    ...common,
    ...endings[life.ending],
    ...(isAccepted ? accepted : []),
    ...(isAccepted && life.rivals !== 'none' && life.lapsed === 'no' ? rejected : []),
    ...(isAccepted && life.ending === 'settled' ? ofLife : []),
    ...(isAccepted && (isInTime(life) || life.ending === 'cancelled')
      ? ofLife.filter((id) => id.endsWith('-accepts'))
      : []),
    ...(isTooLate(life) ? (['order.accept.expired-quote-refused'] as const) : []),
    ...(life.lapsed === 'yes' ? (['quote.state.pending-to-expired'] as const) : []),
    ...(life.streams === 'limited' ? (['stream.intent-filter.only-that-order'] as const) : []),
  ];
}

const partiesIn = (life: DrivenLife): readonly CastName[] => [
  ...new Set<CastName>([
    'sender',
    'sender_custodian',
    winner,
    ...rivalsIn(life),
    ...(life.beside === 'late-quote' ? (['maker_c'] as const) : []),
  ]),
];

const near = {
  far: 'long before',
  seconds: 'seconds before',
  last: 'in the last second before',
  after: 'after',
  none: '',
} as const;

function titleOf(life: DrivenLife): string {
  const { accepter, rivals, lapsed, proposal, streams, money, ending, beside } = life;
  const quotes = `rivals ${rivals}${lapsed === 'yes' ? ', one of them lapsed' : ''}`;
  const acceptance =
    accepter === 'nobody'
      ? 'accepted by nobody'
      : `accepted by the ${accepter} ${near[life['valid-until']]} valid_until and ${near[life['expires-at']]} expires_at`;
  const around = `proposal ${proposal}, streams ${streams}, ${money} amounts, beside it ${beside}`;
  return `An order (${quotes}; ${acceptance}; ${around}) ends ${ending}.`;
}

export const combinedChecks = drivenRows.map<Check>((life) => ({
  id: `order.combined.${Object.values(life).join('.')}`,
  title: titleOf(life),
  requirements: [...new Set(requirementsOf(life))],
  needs: {
    parties: partiesIn(life),
    waitMs: awaitsExpiry(life) ? waits.orderExpiry : waits.settlement + eventLatencyMs,
    ...(life.ending === 'failed' && { controls: ['fail_settlement'] as const }),
  },
  run: (t) => live(t, life),
}));
