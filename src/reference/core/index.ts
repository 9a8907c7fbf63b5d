export type * from './contract.ts';
export * from './invariants.ts';
export { type Policy, policyOf } from './policy/index.ts';
export * from './state-queries.ts';
export type { Order, Quote, Settlement } from './records.ts';
export { initialState, restoreState, type SavedState, saveState, type State } from './state.ts';
export { type StepOutcome, step } from './step.ts';
