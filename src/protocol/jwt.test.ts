import { expect, it } from 'vitest';
import { jwtPart } from './jwt.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

it('reads the two parts that are JSON, with a signature or masked', () => {
  const token = `${encoded('{"alg":"none"}')}.${encoded('{"sub":"a"}')}.***`;
  expect(jwtPart(token, 'header')).toEqual({ alg: 'none' });
  expect(jwtPart(token, 'claims')).toEqual({ sub: 'a' });
});

it.each(['', '.', 'a.b.c', '7', `x.${encoded('null')}`, `x.${encoded('[]')}`, `x.${encoded('{')}`])(
  'reads nothing of %j',
  (token) => {
    expect([jwtPart(token, 'header'), jwtPart(token, 'claims')]).toEqual([undefined, undefined]);
  },
);

it('reads just as deep as answers are read', () => {
  const of = (depth: number) => jwtPart(`x.${encoded(nested(depth))}.y`, 'claims');
  expect(of(100)).toBeDefined();
  expect([of(101), of(5_000), of(200_000)]).toEqual([undefined, undefined, undefined]);
});
