import { describe, expect, it } from 'vitest';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import type { Failure } from '../../run-report.ts';
import { causesIn, exchange, failed } from '../../../../test/support/made-failures.ts';

describe('the cause of a failure that follows from a token', () => {
  it('is the claim that tokens lack, where a token that states another is taken', () => {
    const issued = exchange('t', 'token.create', {});
    const taken = exchange('w', 'identity.read', {}, { auth: 'wrong audience (another)' });
    const lacks = failed('claim.aud.form', 'aud of a token did not have its form', {
      exchanges: ['t'],
    });
    const served = (requirement: RequirementId): Failure =>
      failed(requirement, 'identity.read served a request', {
        deviation: 'let through',
        expected: 'a refusal (4xx)',
        actual: 200,
        exchanges: ['w'],
      });
    const records = [issued, taken];
    const causes = causesIn([lacks, served('auth.wrong-audience-refused')], records);
    expect(causes).toMatchObject([{ place: { field: 'claims.aud' }, failures: [{}, {}] }]);
    expect(causesIn([lacks, served('auth.wrong-issuer-refused')], records)).toHaveLength(2);
  });

  it('is a good token that is refused, for whatever was asked for with it', () => {
    const refusedAs = (requirement: RequirementId, endpoint: string, status = 401): Failure =>
      failed(requirement, `GET /somewhere answered ${status} to one of its own`, {
        deviation: 'refused',
        expected: 'a success (2xx)',
        actual: status,
        exchanges: [endpoint],
      });
    const records = (['identity.read', 'quote.list'] as const).map((endpoint) =>
      exchange(endpoint, endpoint, undefined, { response: { status: 401, headers: {} } }),
    );
    const token = refusedAs('auth.fresh-token-accepted', 'identity.read');
    expect(causesIn([token, refusedAs('version.prefix', 'quote.list')], records)).toMatchObject([
      { place: { endpoint: 'identity.read' }, failures: [{}, {}] },
    ]);
    // Another refusal has another reason.
    expect(causesIn([token, refusedAs('version.prefix', 'quote.list', 404)], records)).toHaveLength(
      2,
    );
  });

  it('is one kind of forged token, at all endpoints that accept it', () => {
    const passed = (requirement: RequirementId, gate: string, forgery: string): Failure =>
      failed(requirement, `${gate} served a request whose token was ${forgery}`, {
        deviation: 'let through',
        token: forgery,
        expected: 'a refusal (4xx)',
        actual: 200,
        exchanges: [gate],
      });
    const records = (['identity.read', 'order.events'] as const).map((gate) =>
      exchange(gate, gate, {}, { auth: 'forged signature' }),
    );
    const requirements = [
      'auth.forged-signature-refused',
      'auth.altered-claims-refused',
      'auth.foreign-key-refused',
      'auth.unsigned-token-refused',
      'auth.no-expiry-refused',
    ] as const;
    const forgeries = ['forged', 'altered', 'foreign', 'unsigned', 'endless'];
    const read = requirements.map((id, index) =>
      passed(id, 'identity.read', forgeries[index] ?? ''),
    );
    const stream = (forgery: string): Failure =>
      passed('auth.stream.bad-token-refused', 'order.events', forgery);
    expect(causesIn([...read, stream('forged')], records)).toHaveLength(1);
    expect(causesIn([...read, stream('of another issuer')], records)).toHaveLength(2);
  });
});
