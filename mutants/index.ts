import { acceptanceFieldMutations } from './accepted-order-fields.ts';
import { acceptanceMutations } from './acceptances.ts';
import { acceptedTermMutations } from './accepted-order-values.ts';
import { authenticationMutations } from './authentication.ts';
import { cancelMutations } from './cancels.ts';
import { claimMutations } from './token-claims.ts';
import { conventions } from './conventions.ts';
import { crossingMutations } from './reopened-orders.ts';
import { custodianMutations } from './custodian-endpoints.ts';
import { envelopeMutations } from './envelope.ts';
import { errorMutations } from './error-answers.ts';
import { everyDoor } from './generated-role-refusals.ts';
import { everyField } from './generated-field-defects.ts';
import { firstNeeds } from './client-basics.ts';
import { identityMutations } from './identity.ts';
import { lateHours } from './late-in-order-life.ts';
import { lenientBodies } from './malformed-bodies-accepted.ts';
import { makerListMutations } from './maker-lists.ts';
import { makerRequestMutations } from './maker-rfqs.ts';
import { type Mutation, placed, type Written } from './mutation.ts';
import { orderEchoMutations } from './order-echoed-values.ts';
import { orderEndMutations } from './ended-orders.ts';
import { orderFieldMutations } from './order-fields.ts';
import { orderListMutations } from './order-lists.ts';
import { orderStateMutations } from './order-states.ts';
import { orderUpdateMutations } from './order-updated-events.ts';
import { pageMutations } from './pagination.ts';
import { plainInputMutations } from './uncommon-inputs.ts';
import { plainWrongs } from './broken-main-flow.ts';
import { quoteFieldMutations } from './quote-fields.ts';
import { quoteReceivedMutations } from './quote-received-events.ts';
import { quoteStateMutations } from './quote-states.ts';
import { quoteTermMutations } from './quote-values.ts';
import { refusalMutations } from './refusals-with-side-effects.ts';
import { relationMutations } from './access-by-order-relation.ts';
import { requestEventMutations } from './rfq-events.ts';
import { rfqMutations } from './rfqs.ts';
import { roleMutations } from './missing-role-checks.ts';
import { selectionEventMutations } from './quote-selection-events.ts';
import { settlementMutations } from './settlements.ts';
import { shutDoorMutations } from './wrong-role-access.ts';
import { streamMutations } from './event-streams.ts';

export type { Mutation } from './mutation.ts';

/** Mistakes that somebody thought of, in the order of the document. */
const written: readonly Written[] = [
  ...conventions,
  ...relationMutations,
  ...roleMutations,
  ...shutDoorMutations,
  ...envelopeMutations,
  ...firstNeeds,
  ...pageMutations,
  ...orderFieldMutations,
  ...orderEchoMutations,
  ...acceptanceFieldMutations,
  ...acceptedTermMutations,
  ...quoteFieldMutations,
  ...quoteTermMutations,
  ...rfqMutations,
  ...settlementMutations,
  ...identityMutations,
  ...orderStateMutations,
  ...crossingMutations,
  ...orderEndMutations,
  ...quoteStateMutations,
  ...orderListMutations,
  ...cancelMutations,
  ...acceptanceMutations,
  ...custodianMutations,
  ...makerRequestMutations,
  ...makerListMutations,
  ...lateHours,
  ...authenticationMutations,
  ...claimMutations,
  ...orderUpdateMutations,
  ...quoteReceivedMutations,
  ...requestEventMutations,
  ...selectionEventMutations,
  ...streamMutations,
  ...errorMutations,
  ...refusalMutations,
  ...lenientBodies,
  ...plainInputMutations,
  ...plainWrongs,
];

const named = new Set(written.flatMap(({ breaks }) => breaks));

/** Every mutation: those, and one for each field and each door that none of them is about. */
export const mutations: readonly Mutation[] = [
  ...written,
  ...[...everyField, ...everyDoor].filter(({ breaks: [about] }) => !named.has(about)),
].map(placed);

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
