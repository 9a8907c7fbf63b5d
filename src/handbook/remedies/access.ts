import type { RequirementId } from '../../spec/requirements/index.ts';

const custodiansIncluded =
  'Count the custodians that the order names among those who may see it, with what part 1 gives each: the one of the sender also accepts, the one of the receiver only reads.';
const partyOfTheToken =
  'Take the party from the claims of the token that made the request, never from the body or from what was used last.';
const oneLifetime =
  'Work `exp` and `expires_in` out of the same lifetime, in seconds, at the moment at which the token is signed. If tokens are handed out twice, `expires_in` is what is left.';
const toldToTheLibrary =
  'Tell the JWT library what to require: issuer, audience and `exp`. Most libraries check these only when told to.';
const signatureFirst =
  'Verify the signature before any claim is read, with a fixed list of algorithms and your own keys. Do not let the header of the token choose: `none`, or HMAC with the public key, must not pass. A cache of verified tokens has the whole token as its key.';

/** Roles, relations to an order, tokens and their claims. */
export const ofAccess = {
  'service.sender-accepts':
    'Let the institution that created the order accept any PENDING quote on it.',
  'service.sender-custodian-accepts': custodiansIncluded,
  'order.list.sender-custodian-included': custodiansIncluded,
  'order.read.by-sender-custodian': custodiansIncluded,
  'order.read.by-receiver-custodian': custodiansIncluded,
  'order.quotes.by-sender-custodian': custodiansIncluded,
  'proposal.accept.by-sender-custodian': custodiansIncluded,
  'order.sender-party-id.is-creator': partyOfTheToken,
  'quote.market-maker-party-id.is-submitter': partyOfTheToken,
  'token.expires-in.positive': oneLifetime,
  'token.exp-matches-expires-in': oneLifetime,
  'limit.token-lifetime': oneLifetime,
  'token.token.is-jwt':
    'Send the compact form, three parts in base64url with dots, without `Bearer` before it.',
  'identity.participant-id.stable': 'Ask the ledger once, at start-up, and keep the answer.',
  'identity.operator-party-id.stable': 'Take the operator from one configuration on all machines.',
  'auth.bearer-header':
    'Read the token from `Authorization: Bearer`; the name of the scheme has no fixed case.',
  'auth.other-scheme-refused':
    'Look at the scheme as well: whatever is not bearer is no token, though a valid one stands behind it.',
  'auth.malformed-token-refused': toldToTheLibrary,
  'auth.wrong-issuer-refused': toldToTheLibrary,
  'auth.wrong-audience-refused': toldToTheLibrary,
  'auth.no-expiry-refused': toldToTheLibrary,
  'auth.forged-signature-refused': signatureFirst,
  'auth.altered-claims-refused': signatureFirst,
  'auth.foreign-key-refused': signatureFirst,
  'auth.unsigned-token-refused': signatureFirst,
  'auth.stream.bad-token-refused':
    'Verify the token before the headers of the stream are sent, with the guard of the other endpoints.',
  'auth.expired-token-401':
    'Compare `exp` with the clock at each request, cached verifications included, without leeway, and answer with 401 before any other refusal.',
  'auth.token-lasts-until-expiry':
    'Let tokens live until `exp`: no earlier end by a cache, by a newer token or by a restart, and no margin before it.',
  'auth.new-token-before-expiry':
    'Issue a token at any time, and leave those issued before as they are.',
  'auth.fresh-token-accepted':
    'Verify with the key, issuer and audience with which you sign; look for a second process with another key, and for an `nbf` or `iat` ahead of the clock that verifies.',
  'auth.identity-from-backend':
    'Take party and role from the configuration of the backend, and nothing of them from body, query or headers.',
} satisfies Partial<Record<RequirementId, string>>;
