import type { Tamper } from '../../server/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';

/** The reference with one requirement broken on purpose: what the judge must catch. */
export interface Mutation {
  readonly id: string;
  /** The requirement that it breaks. */
  readonly breaks: RequirementId;
  /** How, as a sentence. */
  readonly summary: string;
  readonly tamper: Tamper;
}

/** Every mutation, in the order of the document. */
export const mutations: readonly Mutation[] = [];

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
