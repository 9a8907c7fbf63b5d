import { describe, expect, it } from 'vitest';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { flaws } from './flaws.ts';
import { showsAt } from './proofs.ts';

describe.each(Object.keys(dialects) as DialectName[])('in the dialect %s', (name) => {
  const visible = flaws
    .filter(({ hiddenIn = [] }) => !hiddenIn.includes(name))
    .map((flaw) => [flaw.id, flaw] as const);

  it.each(visible)('%s shows to a client', async (_, flaw) => {
    expect(await showsAt(flaw, name)).toEqual({ sound: false, flawed: true });
  });
});
