export type { OpeningBalance, WorldConfig } from './config.ts';
export type * from './contract.ts';
export { policyOf } from './policy/index.ts';
export type * from './policy/policy.ts';
export * from './state-queries.ts';
export type { Order, Quote, Settlement } from './records.ts';
export { type SavedState, restoreState, saveState } from './saved-state.ts';
export { initialState, type State } from './state.ts';
export { type StepOutcome, step } from './step.ts';
