import { rooms } from '../spec/excuses.ts';

/** Tolerances of the rules, in milliseconds. */
export const tolerance = Object.fromEntries(
  Object.entries(rooms).map(([name, { ms }]) => [name, ms]),
) as { readonly [name in keyof typeof rooms]: number };
