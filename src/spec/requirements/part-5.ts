import { needsSigning, must, needsOf, needsSender, notObservable, vague, waits } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 5. That every endpoint wants a token is in access.ts, the presence of each claim in families.ts. */
export const authRequirements = {
  'auth.bearer-header': must(
    '5.1',
    'A token is taken from the bearer authorization header; how a stream is authenticated is open.',
    needsSender,
  ),
  'auth.other-scheme-refused': must(
    '5.1',
    'A token under another scheme than bearer is no token.',
    needsSender,
  ),
  'auth.malformed-token-refused': must('5.1', 'What is no JWT is refused.', needsSender),
  'auth.forged-signature-refused': must(
    '5.1',
    'A token whose signature was altered is refused.',
    needsSender,
  ),
  'auth.altered-claims-refused': must(
    '5.1',
    'A token whose claims were altered is refused.',
    needsSender,
  ),
  'auth.foreign-key-refused': must(
    '5.1',
    'A token signed with another key is refused.',
    needsSender,
  ),
  'auth.unsigned-token-refused': must(
    '5.1',
    'A token of the algorithm `none` is refused.',
    needsSender,
  ),
  'auth.wrong-issuer-refused': must('5.3', 'A token of another issuer is refused.', needsSigning),
  'auth.wrong-audience-refused': must(
    '5.3',
    'A token for another audience is refused.',
    needsSigning,
  ),
  'auth.no-role-refused': must('5.3', 'A token without a role is refused.', needsSigning),
  'auth.unknown-role-refused': must(
    '5.3',
    'A token with a role that is none of the three is refused.',
    needsSigning,
  ),
  'auth.no-expiry-refused': vague('5.3', 'A token without an expiry is refused.', needsSigning),
  'auth.stream.bad-token-refused': must(
    '5.1',
    'An event stream does not open for a token that is refused elsewhere.',
    needsOf(['sender', 'maker_a']),
  ),
  'auth.expired-token-401': must(
    '5.4',
    'An expired token is answered with 401 on every endpoint that wants a token; of streams only the refusal is certain.',
    needsOf(['sender'], { waitMs: waits.tokenExpiryMs }),
  ),
  'auth.token-lasts-until-expiry': must(
    '5.4',
    'A token is good until it expires.',
    needsOf(['sender'], { waitMs: waits.tokenExpiryMs }),
  ),
  'auth.new-token-before-expiry': must(
    '5.4',
    'A new token is had before the old one expires, and is good as well.',
    needsSender,
  ),
  'auth.fresh-token-accepted': must(
    '5.2',
    'The token that a backend issues is good for its endpoints.',
    needsSender,
  ),
  'auth.identity-from-backend': must(
    '5.2',
    'Nothing in the request for a token changes the party or the role that the backend puts into it.',
    needsSender,
  ),
  'token.exp-matches-expires-in': must(
    '5.4',
    '`exp` lies `expires_in` seconds ahead when the token is handed out.',
    needsSender,
  ),
  'claim.canton-party-id.same-as-sub': must(
    '5.3',
    '`canton_party_id` is the same as `sub`.',
    needsSender,
  ),
  'claim.iss.fixed': must('5.3', '`iss` is `svc`.', needsSender),
  'claim.aud.fixed': must('5.3', '`aud` is `svc-api`, alone or in a list.', needsSender),
  'identity.party-id.as-token': must('5.6', '`whoami` names the party of the token.', needsSender),
  'identity.role.as-token': must('5.6', '`whoami` names the role of the token.', needsSender),
  'auth.production-provider': notObservable(
    '5.5',
    'A backend in production leaves the issuing of tokens to the identity provider of its organization.',
    'Whether a backend is in production, and who issues there, cannot be seen from outside.',
  ),
} as const satisfies Record<string, Requirement>;
