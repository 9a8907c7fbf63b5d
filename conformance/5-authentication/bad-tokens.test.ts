import { describe, expect, it } from 'vitest';
import { forgeries, noToken, decodeToken } from '../../src/suite/actions/index.ts';
import { guardedEndpoints } from '../../src/spec/requirements/index.ts';
import {
  badTokens,
  everyBadToken,
  forgeryRequirements,
  basicForgeries,
  refusalRequirements,
  describeCredential,
} from './bad-tokens.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = decodeToken(`${encode({ alg: 'HS256' })}.${encode({ exp: 1 })}.c2lnbmF0dXJl`);
if (!token) throw new Error('no token');

const requirementsOf = (bad: readonly { readonly requirement: string }[]) =>
  new Set(bad.map(({ requirement }) => requirement));

describe('bad tokens', () => {
  it.each(guardedEndpoints)('of %s are refused under what their check announces', (endpoint) => {
    for (const kinds of [forgeries, basicForgeries]) {
      const bad = badTokens(token, { endpoint, kinds, index: 0 });
      expect(requirementsOf(bad)).toEqual(new Set(refusalRequirements([endpoint], kinds)));
    }
    const every = everyBadToken(token, endpoint, 'a public key');
    expect(requirementsOf(every)).toEqual(new Set(forgeryRequirements([endpoint])));
  });

  it('are all tried by as many rows as there are ways', () => {
    const tried = Array.from({ length: 60 }, (_, index) =>
      badTokens(token, { endpoint: 'order.list', kinds: forgeries, index }),
    );
    const labels = new Set(tried.flat().map(({ credential }) => credential.label));
    const every = everyBadToken(token, 'order.list', undefined);
    expect(labels).toEqual(new Set(['none', ...every.map(({ credential }) => credential.label)]));
  });

  it('are named as what they are', () => {
    expect(describeCredential(noToken)).toBe('a request without a token');
    expect(describeCredential({ label: 'foreign key of HS256' })).toBe(
      'a bad token (foreign key of HS256)',
    );
  });
});
