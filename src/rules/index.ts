import type { Rule } from './rule.ts';

export type { Observation, Rule } from './rule.ts';
export { type HistoryView, type JudgeContext, viewOf } from './view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [];
