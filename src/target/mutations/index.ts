import { conventions } from './conventions.ts';
import { envelopeMutations } from './envelope.ts';
import { type Mutation, placed } from './mutation.ts';
import { orderAcceptanceMutations } from './order-acceptance.ts';
import { orderFieldMutations } from './order-fields.ts';
import { pageMutations } from './pages.ts';
import { relationMutations } from './relations.ts';
import { roleMutations } from './roles.ts';

export type { Mutation } from './mutation.ts';

/** Every mutation, in the order of the document. */
export const mutations: readonly Mutation[] = [
  ...conventions,
  ...relationMutations,
  ...roleMutations,
  ...envelopeMutations,
  ...pageMutations,
  ...orderFieldMutations,
  ...orderAcceptanceMutations,
].map(placed);

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
