import { authenticationMutations } from './authentication.ts';
import { circumstanceMutations } from './circumstances.ts';
import { accessMutations } from './conventions-and-access.ts';
import { envelopeMutations } from './envelopes-and-pages.ts';
import { everydayMutations } from './everyday.ts';
import { everyDoor, everyField } from './generated.ts';
import { insideDepartures } from './inside-departures.ts';
import { insideExcuses } from './inside-excuses.ts';
import { lateMutations } from './late.ts';
import { makerEventMutations } from './maker-events.ts';
import { makerRequestMutations } from './maker-requests.ts';
import { type Mutation, type Written, placed } from './mutation.ts';
import { orderEventMutations } from './order-events.ts';
import { orderFieldMutations } from './order-fields.ts';
import { orderRequestMutations } from './order-requests.ts';
import { resourceMutations } from './other-resources.ts';
import { refusalMutations } from './refusals.ts';
import { orderStateMutations } from './order-states.ts';
import { quoteStateMutations } from './quote-states.ts';
import { termMutations } from './terms.ts';

export type { Mutation } from './mutation.ts';

/** Mutations written by hand, in the order of the document. */
const written: readonly Written[] = [
  ...accessMutations,
  ...envelopeMutations,
  ...orderFieldMutations,
  ...termMutations,
  ...resourceMutations,
  ...orderStateMutations,
  ...quoteStateMutations,
  ...orderRequestMutations,
  ...makerRequestMutations,
  ...lateMutations,
  ...authenticationMutations,
  ...orderEventMutations,
  ...makerEventMutations,
  ...refusalMutations,
  ...everydayMutations,
  ...circumstanceMutations,
  ...insideExcuses,
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
