import type { Mend } from './mend.ts';

/** Roles, relations to an order, anonymity, tokens. */
export const accessMends: readonly Mend[] = [
  [
    /^access\..*-refused$/,
    'Look at the role of the token before anything else, by one table of roles for each endpoint that every route goes through, and answer with a 4xx.',
  ],
  [
    /^access\..*-allowed$/,
    'Add the role to those that the endpoint takes. If it is there, look for a second guard behind it, as for the relation to an order, that knows only the other roles.',
  ],
  [
    /(foreign-institution|foreign-custodian|foreign-maker|receiver-custodian)-refused$/,
    'After the role check the relation: load the order, compare its party with that of the token, and refuse before anything changes. Do so on every endpoint that takes an id, in every state of the order.',
  ],
  [
    /^order\.list\.(own-only|custodied-only)$|^settlement\.list\.won-only$|^(quote\.list|rfq\.quotes)\.own-only$/,
    "Put the caller's party into the query itself, together with every filter, sort and page, so that no combination of parameters goes around it. Compare whole identifiers, not names.",
  ],
  [
    /by-(sender|receiver)-custodian$|sender-custodian-included$|^service\.sender-custodian-accepts$/,
    'Count the custodians that the order names among those who may see it, with what part 1 gives each: the one of the sender also accepts, the one of the receiver only reads.',
  ],
  [
    /^service\.sender-accepts$/,
    'Let the institution that created the order accept any PENDING quote on it.',
  ],
  [
    /hides-sender-identity|sees-no-sender-identity|hides-order-particulars|answers-nothing-of-senders|senders-not-told-apart/,
    'Build what makers see from a list of allowed fields, not by taking fields out of the order. Then look at everything else that reaches them: events, headers, error texts, comments in streams, counts and filters, and pseudonyms that stay the same for one sender.',
  ],
  [
    /^event\.quote-rejected\.keeps-winner-secret$/,
    'Send the order and the own quote, and nothing of the one that won.',
  ],
  [
    /^auth\..*token-required$/,
    'Put the endpoint behind the same guard as the others, and let a missing token be refused with a 4xx before the request is looked at.',
  ],
  [
    /^auth\.bearer-header$/,
    'Read the token from `Authorization: Bearer`; the name of the scheme has no fixed case.',
  ],
  [
    /^auth\.other-scheme-refused$/,
    'Look at the scheme as well: whatever is not bearer is no token, though a valid one stands behind it.',
  ],
  [
    /^auth\.(forged-signature|altered-claims|foreign-key|unsigned-token)-refused$/,
    'Verify the signature before any claim is read, with a fixed list of algorithms and your own keys. Do not let the header of the token choose: `none`, or HMAC with the public key, must not pass. A cache of verified tokens has the whole token as its key.',
  ],
  [
    /^auth\.(wrong-issuer|wrong-audience|no-expiry|malformed-token)-refused$/,
    'Tell the JWT library what to require: issuer, audience and `exp`. Most libraries check these only when told to.',
  ],
  [
    /^auth\.stream\.bad-token-refused$/,
    'Verify the token before the headers of the stream are sent, with the guard of the other endpoints.',
  ],
  [
    /^auth\.expired-token-401$/,
    'Compare `exp` with the clock at each request, cached verifications included, without leeway, and answer with 401 before any other refusal.',
  ],
  [
    /^auth\.token-lasts-until-expiry$/,
    'Let tokens live until `exp`: no earlier end by a cache, by a newer token or by a restart, and no margin before it.',
  ],
  [
    /^auth\.new-token-before-expiry$/,
    'Issue a token at any time, and leave those issued before as they are.',
  ],
  [
    /^auth\.fresh-token-accepted$/,
    'Verify with the key, issuer and audience with which you sign; look for a second process with another key, and for an `nbf` or `iat` ahead of the clock that verifies.',
  ],
  [
    /^auth\.identity-from-backend$/,
    'Take party and role from the configuration of the backend, and nothing of them from body, query or headers.',
  ],
  [
    /^claim\.(canton-party-id\.same-as-sub|iss\.fixed|aud\.fixed)$/,
    'Set the claim where tokens are signed; the value is fixed by the document.',
  ],
  [
    /^token\.exp-matches-expires-in$|^token\.expires-in\.positive$|^limit\.token-lifetime$/,
    'Work `exp` and `expires_in` out of the same lifetime, in seconds, at the moment at which the token is signed. If tokens are handed out twice, `expires_in` is what is left.',
  ],
  [
    /^(token\.(role|canton-party-id)\.as-claim|identity\.(party-id|role)\.as-token)$/,
    'Fill the answer from the claims of the token, not from a configuration beside it.',
  ],
  [
    /^token\.token\.is-jwt$/,
    'Send the compact form, three parts in base64url with dots, without `Bearer` before it.',
  ],
  [/^token\.create\./, 'Answer a bare POST: without a token, without a body, in the envelope.'],
  [/^identity\.participant-id\.stable$/, 'Ask the ledger once, at start-up, and keep the answer.'],
];
