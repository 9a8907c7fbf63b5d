import { about, needing, needs, notObservable, of, part, vague } from './needs.ts';

const ofToken = about({ token: true }, 'auth');

/** Part 5. The endpoints that want a token are in access.ts, the presence of each claim in families.ts. */
export const authRequirements = {
  ...ofToken('5.1', needs.sender, {
    'bearer-header':
      'A token is taken from the bearer authorization header; how a stream is authenticated is open.',
    'other-scheme-refused': 'A token under another scheme than bearer is no token.',
    'malformed-token-refused': 'What is no JWT is refused.',
    'forged-signature-refused': 'A token whose signature was altered is refused.',
    'altered-claims-refused': 'A token whose claims were altered is refused.',
    'foreign-key-refused': 'A token signed with another key is refused.',
    'unsigned-token-refused': 'A token of the algorithm `none` is refused.',
  }),
  ...ofToken('5.3', needs.signing, {
    'wrong-issuer-refused': 'A token of another issuer is refused.',
    'wrong-audience-refused': 'A token for another audience is refused.',
    'no-expiry-refused': vague('token.lifetime', 'never').says(
      'A token without an expiry is refused.',
    ),
  }),
  ...ofToken('5.1', needs.maker, {
    'stream.bad-token-refused':
      'An event stream does not open for a token that is refused elsewhere.',
  }),
  ...ofToken('5.4', needs.tokenExpiry, {
    'expired-token-401':
      'An expired token is answered with 401 on every endpoint that wants a token; of streams only the refusal is certain.',
    'token-lasts-until-expiry': 'A token is good until it expires.',
    'new-token-before-expiry': needing.sender(
      'A new token is had before the old one expires, and is good as well.',
    ),
  }),
  ...ofToken('5.2', needs.sender, {
    'fresh-token-accepted': 'The token that a backend issues is good for its endpoints.',
    'identity-from-backend':
      'Nothing in the request for a token changes the party or the role that the backend puts into it.',
  }),
  ...part('5.4', needs.sender, {
    'token.exp-matches-expires-in': of('expires_in')(
      '`exp` lies `expires_in` seconds ahead when the token is handed out.',
    ),
  }),
  ...part('5.3', needs.sender, {
    'claim.canton-party-id.same-as-sub': of('claims.canton_party_id')(
      '`canton_party_id` is the same as `sub`.',
    ),
    'claim.iss.fixed': of('claims.iss')('`iss` is `svc`.'),
    'claim.aud.fixed': of('claims.aud')('`aud` is `svc-api`, alone or in a list.'),
  }),
  ...part('5.6', needs.sender, {
    'identity.party-id.as-token': of('party_id')('`whoami` names the party of the token.'),
    'identity.role.as-token': of('role')('`whoami` names the role of the token.'),
  }),
  ...part('5.5', needs.sender, {
    'auth.production-provider': notObservable(
      'A backend in production leaves the issuing of tokens to the identity provider of its organization.',
      'Whether a backend is in production, and who issues there, cannot be seen from outside.',
    ),
  }),
};
