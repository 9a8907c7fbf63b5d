import { expect, it } from 'vitest';
import { decodeToken, forgeries } from '../../src/suite/actions/token-forgery.ts';
import { badTokens, everyBadToken } from './tokens.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = decodeToken(`${encode({ alg: 'HS256' })}.${encode({ exp: 1 })}.c2lnbmF0dXJl`);
if (!token) throw new Error('no token');

it('all bad tokens are tried by as many rows as there are kinds', () => {
  const tried = Array.from({ length: 60 }, (_, index) => badTokens(token, forgeries, index));
  const labels = new Set(tried.flat().map(({ label }) => label));
  const every = everyBadToken(token, undefined).map(({ label }) => label);
  expect(labels).toEqual(new Set(['none', ...every]));
});
