import type { ListUnreached } from '../../simulation/campaign/text.ts';

/** The one place where campaigns meet the catalogue of situations; apart from the worlds, so that a report loads none. */
export const listUnreached: ListUnreached = () => [];
