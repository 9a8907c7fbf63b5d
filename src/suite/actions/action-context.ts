import type { CheckContext } from '../engine/check.ts';

/** Context that an action needs from its caller: a check, or discovery. */
export type ActionContext = Pick<CheckContext, 'target' | 'random' | 'party' | 'notExercised'> &
  Partial<Pick<CheckContext, 'draws'>>;
