import type { GapId } from '../spec/gaps/index.ts';
import type { Answers } from './contract.ts';

/** Answers that are known from the start. */
export const answersOf = (known: { readonly [Id in GapId]?: string }): Answers => ({
  get: (gap) => known[gap],
});
