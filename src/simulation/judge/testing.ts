import type { Plan, PlannedStep } from '../plan.ts';

/** The sender creates "order 1". */
export const createOrder: PlannedStep = {
  at: { afterMs: 0 },
  by: 'sender',
  do: 'create',
  label: 'order 1',
  custodian: 'sender_custodian',
  receiver: 'sender',
  receiverCustodian: 'sender_custodian',
  sourceCurrency: 'USD',
  targetCurrency: 'EUR',
  targetAmount: '100.00',
  maximum: '200.00',
};

/** A world with an institution, its custodian and two makers. */
export const planOf = (steps: readonly PlannedStep[]): Plan => ({
  format: 'assay.plan/1',
  seed: '0x1',
  startMs: Date.parse('2030-05-14T10:00:00.000Z'),
  parties: [
    { name: 'sender', role: 'institution', skewMs: 0 },
    { name: 'sender_custodian', role: 'custodian', skewMs: 0 },
    { name: 'maker_a', role: 'market-maker', skewMs: 0 },
    { name: 'maker_b', role: 'market-maker', skewMs: 0 },
  ],
  assignment: {},
  steps,
});
