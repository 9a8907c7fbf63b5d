import type { RunWorld } from '../../simulation/outcome.ts';

/** The one place where campaigns meet the worlds that they are made of; tests bundle worlds of their own in its place. */
export const runWorld: RunWorld = () => Promise.reject(new Error('this build has no worlds'));
