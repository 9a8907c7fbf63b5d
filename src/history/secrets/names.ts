/** Parts of names whose values grant access, for names without their separators. */
const secretPart =
  /token|secret|passw(?:or)?d|passphrase|apikey|privatekey|accesskey|signingkey|authkey|authorization|cookie|session|credential|bearer|csrf|xsrf|clientassertion/;
const secretWords: ReadonlySet<string> = new Set(['pwd', 'sid', 'jwt', 'otp', 'pin']);
/** Last words of names that describe a secret but hold none: `token_type`, `session_expires_at`. */
const aboutIt: ReadonlySet<string> = new Set(
  'type types expires expiry in at ttl lifetime count algorithm alg url uri endpoint name names format'.split(
    ' ',
  ),
);
/** First words of names for a position in a list: `next_page_token`. */
const ofPaging: ReadonlySet<string> = new Set(['page', 'next', 'prev', 'continuation']);

const known = new Map<string, boolean>();
const mostKnown = 10_000;

/**
 * True if the name of a field, a header or a parameter means that its value is a secret, in any case and style:
 * `sessionToken`, `X-Api-Key`, `client_secret`. Of the document's own fields only `token` (2.6) qualifies.
 */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const isSecret =
    (secretPart.test(words.join('')) || words.some((word) => secretWords.has(word))) &&
    !aboutIt.has(words.at(-1) ?? '') &&
    !ofPaging.has(words[0] ?? '');
  if (known.size < mostKnown) known.set(name, isSecret);
  return isSecret;
}

/** Patterns for members and parameters within a text, such as a form or JSON within JSON. */
export const parameterIn = /([?&;]|^)([\w.-]+)=([^&;#\s"']+)/g;
export const memberIn = /"([\w.-]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g;

/**
 * Headers that grant no access, by name or by the beginning of the name: standard headers, and those that trace a
 * request.
 */
const harmlessHeaders: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges age allow alt-svc cache-control connection
  content-disposition content-encoding content-language content-length content-range content-security-policy
  content-type date deprecation dnt etag expect expires host if-match if-modified-since if-none-match if-range
  if-unmodified-since keep-alive last-event-id last-modified origin permissions-policy pragma priority range
  referrer-policy retry-after server server-timing strict-transport-security sunset te trailer transfer-encoding
  upgrade upgrade-insecure-requests user-agent vary via warning www-authenticate x-content-type-options
  x-correlation-id x-dns-prefetch-control x-download-options x-forwarded-host x-forwarded-port x-forwarded-proto
  x-frame-options x-permitted-cross-domain-policies x-powered-by x-request-id x-xss-protection traceparent`.split(
    /\s+/,
  ),
);
const harmlessHeaderStart =
  /^(?:access-control|cross-origin|ratelimit|sec-ch|sec-fetch|x-ratelimit)-/;

/** True if the value of a header is written unmasked. The name is in lower case. */
export const isHarmlessHeader = (name: string): boolean =>
  harmlessHeaders.has(name) || harmlessHeaderStart.test(name);

/** Query parameters of the interface, and the usual parameters of lists for pages and order. */
const harmlessParameters: ReadonlySet<string> = new Set(
  `status intent_id quote_id currency source_currency target_currency page page_size pagesize page_number pagenumber
  page_index per_page perpage limit offset skip size count start sort sort_by order order_by direction role`.split(
    /\s+/,
  ),
);

/** True if the value of a query parameter is written unmasked. */
export const isHarmlessParameter = (name: string): boolean =>
  harmlessParameters.has(name.toLowerCase());
