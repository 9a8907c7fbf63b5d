import type { RunWorld } from '../../simulation/outcome.ts';
import type { ListUnreached } from '../../simulation/campaign/text.ts';

/** The one place where campaigns meet the worlds that they are made of; tests bundle worlds of their own in its place. */
export const runWorld: RunWorld = () => Promise.reject(new Error('this build has no worlds'));

/** What the catalogue of situations has to say on what no world reached. */
export const listUnreached: ListUnreached = () => [];
