import { acceptanceFieldMutations } from './acceptance-fields.ts';
import { acceptanceMutations } from './acceptances.ts';
import { acceptedTermMutations } from './accepted-terms.ts';
import { agingMutations } from './aging.ts';
import { anonymityMutations } from './anonymity.ts';
import { authenticationMutations } from './authentication.ts';
import { cancelMutations } from './cancels.ts';
import { circumstanceMutations } from './circumstances.ts';
import { claimMutations } from './claims.ts';
import { combinationMutations } from './combinations.ts';
import { conventions } from './conventions.ts';
import { distanceMutations } from './distances.ts';
import { envelopeMutations } from './envelope.ts';
import { errorMutations } from './errors.ts';
import { everydayRequests } from './everyday-requests.ts';
import { firstCalls } from './first-calls.ts';
import { everyDoor, everyField } from './generated.ts';
import { identityMutations } from './identity.ts';
import { insideDepartures } from './inside-departures.ts';
import { insideTolerances } from './inside-tolerances.ts';
import { insideVagueWords } from './inside-vague-words.ts';
import { lastMomentMutations } from './last-moments.ts';
import { lateRequests } from './late-requests.ts';
import { makerEventMutations } from './maker-events.ts';
import { makerListMutations } from './maker-lists.ts';
import { makerRequestMutations } from './maker-requests.ts';
import { type Mutation, placed, type Written } from './mutation.ts';
import { orderEndMutations } from './order-ends.ts';
import { orderFieldMutations } from './order-fields.ts';
import { orderListMutations } from './order-lists.ts';
import { orderStateMutations } from './order-states.ts';
import { orderUpdateMutations } from './order-updates.ts';
import { pageMutations } from './pages.ts';
import { quoteReceivedMutations } from './quote-received.ts';
import { quoteStateMutations } from './quote-states.ts';
import { quoteTermMutations } from './quote-terms.ts';
import { realSystemMutations } from './real-systems.ts';
import { reasonMutations } from './reasons-and-refusals.ts';
import { refusalMutations } from './refusals.ts';
import { relationMutations } from './relations.ts';
import { rfqMutations } from './requests-for-quote.ts';
import { roleMutations } from './roles.ts';
import { settlementMutations } from './settlements.ts';
import { streamMutations } from './streams.ts';

export type { Mutation } from './mutation.ts';

/** Mutations written by hand, in the order of the document. */
const written: readonly Written[] = [
  ...conventions,
  ...relationMutations,
  ...roleMutations,
  ...envelopeMutations,
  ...firstCalls,
  ...pageMutations,
  ...orderFieldMutations,
  ...acceptanceFieldMutations,
  ...acceptedTermMutations,
  ...quoteTermMutations,
  ...rfqMutations,
  ...settlementMutations,
  ...identityMutations,
  ...orderStateMutations,
  ...orderEndMutations,
  ...quoteStateMutations,
  ...orderListMutations,
  ...cancelMutations,
  ...acceptanceMutations,
  ...makerRequestMutations,
  ...makerListMutations,
  ...lateRequests,
  ...agingMutations,
  ...distanceMutations,
  ...authenticationMutations,
  ...claimMutations,
  ...orderUpdateMutations,
  ...quoteReceivedMutations,
  ...makerEventMutations,
  ...streamMutations,
  ...errorMutations,
  ...refusalMutations,
  ...everydayRequests,
  ...reasonMutations,
  ...anonymityMutations,
  ...lastMomentMutations,
  ...circumstanceMutations,
  ...realSystemMutations,
  ...combinationMutations,
  ...insideTolerances,
  ...insideVagueWords,
  ...insideDepartures,
];

const named = new Set(written.flatMap(({ breaks }) => breaks));

/** Every mutation: the written ones, and one for each field and each access that none of them is about. */
export const mutations: readonly Mutation[] = [
  ...written,
  ...[...everyField, ...everyDoor].filter(({ breaks: [about] }) => !named.has(about)),
].map(placed);

export const mutationNamed = (id: string): Mutation | undefined =>
  mutations.find((one) => one.id === id);
