import { expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { exchange } from '../../test/support/records.ts';
import { credentialOf, withFirstToken } from './credentials.ts';
import type { ReproStep } from './steps.ts';

const sent = (id: string, at: number, endpoint: EndpointName): Exchange =>
  exchange({ id, at, endpoint, data: { expires_in: 3_600 } });

it('finds requests sent with a token that was due for renewal', () => {
  const records = [
    sent('token', 0, 'token.create'),
    sent('young', 3_500_000, 'identity.read'),
    sent('old', 3_599_001, 'identity.read'),
    sent('other token', 3_599_002, 'token.create'),
    sent('renewed', 3_599_003, 'identity.read'),
  ];
  expect([...withFirstToken(records)]).toEqual(['old']);
});

it('distinguishes two tokens that were issued at the same moment', () => {
  const asked = ['token', 'token_2'].map(
    (name): ReproStep => ({
      kind: 'call',
      name,
      party: 'sender',
      token: 'none',
      path: { kind: 'plain', value: '/auth/token' },
      headers: {},
      recorded: sent(name, 0, 'token.create'),
    }),
  );
  const used = (auth: string): unknown =>
    credentialOf({ ...sent('used', 1, 'identity.read'), auth }, asked);
  expect(used('issued (first of two)')).toEqual({ kind: 'issued', step: 'token' });
  expect(used('issued')).toEqual({ kind: 'issued', step: 'token_2' });
});
