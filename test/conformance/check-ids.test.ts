import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { currentCheckId } from '../../conformance/renamed-checks.ts';

it.each([
  ['auth.wanted.identity.read.institution', 'auth.token-required.identity.read.institution'],
  ['auth.wanted-of.maker_b', 'auth.token-required-other-party.maker_b'],
  ['order.together.settle', 'order.concurrent.settle'],
  ['quote.twice.*', 'quote.two-of-one-maker.*'],
  ['order.life.plain', 'order.life.plain'],
])('%s is known as %s', (was, is) => {
  expect(currentCheckId(was)).toBe(is);
  const prefix = is.replace(/\*$/, '');
  expect(checks.some(({ id }) => id.startsWith(prefix))).toBe(true);
});

it('no check has an id that was renamed', () => {
  expect(checks.map(({ id }) => id).filter((id) => currentCheckId(id) !== id)).toEqual([]);
});
