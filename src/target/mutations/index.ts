import { authenticationMutations } from './authentication.ts';
import { conventions } from './conventions.ts';
import { envelopeMutations } from './envelope.ts';
import { errorMutations } from './errors.ts';
import { identityMutations } from './identity.ts';
import { makerEndpointMutations } from './maker-endpoints.ts';
import { makerEventMutations } from './maker-events.ts';
import { type Mutation, placed } from './mutation.ts';
import { orderAcceptanceMutations } from './order-acceptance.ts';
import { orderEndpointMutations } from './order-endpoints.ts';
import { orderEventMutations } from './order-events.ts';
import { orderFieldMutations } from './order-fields.ts';
import { orderStateMutations } from './order-states.ts';
import { pageMutations } from './pages.ts';
import { quoteStateMutations } from './quote-states.ts';
import { quoteMutations } from './quotes.ts';
import { relationMutations } from './relations.ts';
import { rfqMutations } from './requests-for-quote.ts';
import { roleMutations } from './roles.ts';
import { settlementMutations } from './settlements.ts';
import { streamMutations } from './streams.ts';

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
  ...quoteMutations,
  ...rfqMutations,
  ...settlementMutations,
  ...identityMutations,
  ...orderStateMutations,
  ...quoteStateMutations,
  ...orderEndpointMutations,
  ...makerEndpointMutations,
  ...authenticationMutations,
  ...orderEventMutations,
  ...makerEventMutations,
  ...streamMutations,
  ...errorMutations,
].map(placed);

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
