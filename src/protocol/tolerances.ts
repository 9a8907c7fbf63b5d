import { rooms } from '../spec/excuses.ts';

/** How much room each rule leaves, in milliseconds. */
export const tolerance = Object.fromEntries(
  Object.entries(rooms).map(([name, { ms }]) => [name, ms]),
) as { readonly [name in keyof typeof rooms]: number };
