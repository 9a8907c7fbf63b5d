import { conventions } from './conventions.ts';
import { type Mutation, placed } from './mutation.ts';

export type { Mutation } from './mutation.ts';

/** Every mutation, in the order of the document. */
export const mutations: readonly Mutation[] = [...conventions].map(placed);

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
