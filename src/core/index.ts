export type { OpeningBalance, WorldConfig } from './config.ts';
export type * from './contract.ts';
export { policyOf } from './policy/index.ts';
export type * from './policy/policy.ts';
export * from './read.ts';
export type { Order, Quote, Settlement } from './records.ts';
export { type Snapshot, restore, snapshot } from './snapshot.ts';
export { initialState, type State } from './state.ts';
export { type Outcome, step } from './step.ts';
