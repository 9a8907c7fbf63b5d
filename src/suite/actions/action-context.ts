import type { CheckContext } from '../engine/check.ts';

/** What an action needs of whoever takes it: a check, or discovery. */
export type ActionContext = Pick<CheckContext, 'target' | 'random' | 'party' | 'notExercised'> &
  Partial<Pick<CheckContext, 'draws'>>;
