import { ofFields } from './families.ts';
import { needs } from './needs.ts';
import { needing, notObservable, part, vague } from './statements.ts';

/** Part 5. That every endpoint wants a token is in access.ts, the presence of each claim in families.ts. */
export const authRequirements = {
  ...part('5.1', needs.sender, {
    'auth.bearer-header':
      'A token is taken from the bearer authorization header; how a stream is authenticated is open.',
    'auth.other-scheme-refused': 'A token under another scheme than bearer is no token.',
    'auth.malformed-token-refused': 'What is no JWT is refused.',
    'auth.forged-signature-refused': 'A token whose signature was altered is refused.',
    'auth.altered-claims-refused': 'A token whose claims were altered is refused.',
    'auth.foreign-key-refused': 'A token signed with another key is refused.',
    'auth.unsigned-token-refused': 'A token of the algorithm `none` is refused.',
  }),
  ...part('5.3', needs.signing, {
    'auth.wrong-issuer-refused': 'A token of another issuer is refused.',
    'auth.wrong-audience-refused': 'A token for another audience is refused.',
    'auth.no-expiry-refused': vague('token.lifetime', 'never').says(
      'A token without an expiry is refused.',
    ),
  }),
  ...part('5.1', needs.maker, {
    'auth.stream.bad-token-refused':
      'An event stream does not open for a token that is refused elsewhere.',
  }),
  ...part('5.4', needs.tokenExpiry, {
    'auth.expired-token-401':
      'An expired token is answered with 401 on every endpoint that wants a token; of streams only the refusal is certain.',
    'auth.token-lasts-until-expiry': 'A token is good until it expires.',
    'auth.new-token-before-expiry': needing.sender(
      'A new token is had before the old one expires, and is good as well.',
    ),
  }),
  ...part('5.2', needs.sender, {
    'auth.fresh-token-accepted': 'The token that a backend issues is good for its endpoints.',
    'auth.identity-from-backend':
      'Nothing in the request for a token changes the party or the role that the backend puts into it.',
  }),
  ...part('5.4', needs.sender, {
    'token.exp-matches-expires-in':
      '`exp` lies `expires_in` seconds ahead when the token is handed out.',
  }),
  ...ofFields('claim', '5.3', needs.sender, {
    canton_party_id: { 'same-as-sub': '`canton_party_id` is the same as `sub`.' },
    iss: { fixed: '`iss` is `svc`.' },
    aud: { fixed: '`aud` is `svc-api`, alone or in a list.' },
  }),
  ...ofFields('identity', '5.6', needs.sender, {
    party_id: { 'as-token': '`whoami` names the party of the token.' },
    role: { 'as-token': '`whoami` names the role of the token.' },
  }),
  ...part('5.5', needs.sender, {
    'auth.production-provider': notObservable(
      'A backend in production leaves the issuing of tokens to the identity provider of its organization.',
      'Whether a backend is in production, and who issues there, cannot be seen from outside.',
    ),
  }),
};
