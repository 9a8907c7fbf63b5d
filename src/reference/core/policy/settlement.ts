import type { Assignment } from '../../../spec/gaps/index.ts';
import { durationMs } from './orders.ts';
import type { SettlementPolicy, TimePolicy } from './policy.ts';

const splits = {
  '500ms-4000ms': { startDelayMs: 500, durationMs: 4000 },
  '0ms-4000ms': { startDelayMs: 0, durationMs: 4000 },
  '1500ms-4600ms': { startDelayMs: 1500, durationMs: 4600 },
  '50ms-3500ms': { startDelayMs: 50, durationMs: 3500 },
} as const;

export const settlementPolicy = (assignment: Assignment): SettlementPolicy => ({
  ...splits[assignment['settlement.steps']],
  windowMs: durationMs(assignment['settlement.window']),
  startedAs: 'EXECUTING',
  completedAs: 'SETTLED',
  beyondValidity: assignment['settlement.beyond_validity'],
  timeout: { state: assignment['settlement.timeout_state'], reason: 'TIMEOUT' },
  revert: { state: 'FAILED', reason: 'REVERT' },
});

const boundaries: Record<Assignment['time.boundary'], TimePolicy> = {
  passed: { passed: (now, deadline) => now >= deadline, end: (deadline) => deadline },
  'not-yet': { passed: (now, deadline) => now > deadline, end: (deadline) => deadline + 1 },
};

export const timePolicy = (assignment: Assignment): TimePolicy =>
  boundaries[assignment['time.boundary']];
