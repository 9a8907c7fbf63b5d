import { happened, type OrderStory, reasonIn, stateOf } from './view/stories.ts';

/**
 * Whether a settlement was begun and failed. A cancel leaves open what becomes of what was accepted, and so do a deadline
 * and a withdrawal; this does not.
 */
export const failedSettling = ({ cancels, sightings }: OrderStory): boolean =>
  happened(cancels).length === 0 &&
  sightings.some(({ value }) => ['REVERT', 'TIMEOUT'].includes(reasonIn(value) ?? '')) &&
  !sightings.some((seen) => stateOf(seen) === 'EXPIRED');
