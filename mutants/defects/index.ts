import type { Tamper } from '../../src/reference/http/index.ts';
import * as answers from './answers.ts';
import type { Make } from './context.ts';
import * as events from './events.ts';
import * as lists from './lists.ts';
import * as outcomes from './outcomes.ts';
import * as policy from './policy.ts';
import * as requests from './requests.ts';

type Hook<K extends keyof Tamper> = (of: NonNullable<Tamper[K]>) => Make;

const hook =
  <K extends keyof Tamper>(name: K): Hook<K> =>
  (of) =>
  () =>
    ({ [name]: of }) as Tamper;

/** Combines several tampers; no two may use the same hook. */
const together =
  (...makes: Make[]): Make =>
  () =>
    Object.assign({}, ...makes.map((make) => make())) as Tamper;

/** Every shape of a defect: a mutation ends with one of these words. */
export const defects = {
  ...answers,
  ...lists,
  ...requests,
  ...outcomes,
  ...events,
  ...policy,
  // Single hooks, for defects that none of the functions above covers.
  command: hook('command'),
  outcome: hook('outcome'),
  deadline: hook('deadline'),
  response: hook('response'),
  event: hook('event'),
  frame: hook('frame'),
  eventDelay: hook('eventDelayMs'),
  recovery: hook('recovery'),
  // Any other tamper, or several hooks at once.
  tamper: (make: Make): Make => make,
  together,
};

export type Defects = typeof defects;
