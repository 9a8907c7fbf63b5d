import { describe, expect, it } from 'vitest';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { flaws } from './flaws.ts';
import { showsAt } from './proofs.ts';

const names = Object.keys(dialects) as DialectName[];

/** Each in one dialect, by turns: the next that does not hide it. */
const inTurn = flaws.map((flaw, turn) => {
  const order = names.map((_, nth) => names[(turn + nth) % names.length]);
  const name = order.find((one) => one !== undefined && !flaw.hiddenIn?.includes(one));
  if (name === undefined) throw new Error(`every dialect hides ${flaw.id}`);
  return [flaw.id, name, flaw] as const;
});

describe('a flaw of a peer', () => {
  it.each(inTurn)('%s shows to a client in the dialect %s', async (_, name, flaw) => {
    expect(await showsAt(flaw, name)).toEqual({ sound: false, flawed: true });
  });
});
