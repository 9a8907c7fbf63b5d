import { dataIn, isObject } from '../history/json.ts';
import type { Exchange, HistoryRecord } from '../history/records.ts';
import { endpoints } from '../spec/endpoints.ts';
import { limits } from '../spec/limits.ts';
import type { CastName } from '../spec/requirements/requirement.ts';
import type { Credential, ReproStep } from './steps.ts';

/** Thrown for a token that only a signing key can make: it cannot be written into a flow. */
export class CannotExport extends Error {
  override readonly name = 'CannotExport';

  constructor(token: string) {
    super(`it takes a token that only a signing key makes: ${token}`);
  }
}

/** Malformed tokens, by their `auth` text in a history. */
const malformed: Readonly<Record<string, string>> = {
  'malformed: one word': 'token',
  'malformed: the word undefined': 'undefined',
  'malformed: the word null': 'null',
  'malformed: three words': 'not.a.token',
  'malformed: dots': '..',
};

/** Good tokens in a wrong header, by their `auth` text in a history. */
const otherHeaders: Readonly<Record<string, { header: string; parts: readonly string[] }>> = {
  'other place (header)': { header: 'x-access-token', parts: ['', ''] },
  'other place (cookie)': { header: 'cookie', parts: ['access_token=', '; token=', ''] },
};

/** A party renews its token in the last tenth of its lifetime, but no sooner than these milliseconds before its end. */
const renewedBeforeMs = 60_000;

/**
 * Requests with the first token of a party, sent when its client would already have renewed it. A history calls both
 * tokens `own`.
 */
export function withFirstToken(records: readonly HistoryRecord[]): ReadonlySet<string> {
  const firstTokens = new Map<string, Exchange>();
  const renewed = new Set<string>();
  const found = new Set<string>();
  for (const record of records) {
    if (record.kind !== 'exchange') continue;
    const first = firstTokens.get(record.party);
    if (record.endpoint === 'token.create') {
      if (first) renewed.add(record.party);
      else firstTokens.set(record.party, record);
    } else if (first && record.auth === 'own' && !renewed.has(record.party)) {
      if (isOldBy(record.sent, first)) found.add(record.id);
    }
  }
  return found;
}

function isOldBy(moment: number, token: Exchange): boolean {
  const data = dataIn(token);
  const said = isObject(data) ? Number(data['expires_in']) : Number.NaN;
  const lifeMs = (Number.isFinite(said) ? said : limits.tokenLifetimeSeconds) * 1_000;
  return moment > token.received + lifeMs - Math.min(renewedBeforeMs, lifeMs / 10);
}

type Claims = Readonly<Record<string, unknown>>;

/** Changed claims of tokens that are signed with the target's own key, by their `auth` text in a history. */
const otherClaims: Readonly<Record<string, Claims>> = {
  'wrong issuer (another)': { iss: 'svc2' },
  'wrong issuer (in capitals)': { iss: 'SVC' },
  'wrong issuer (none)': { iss: null },
  'wrong audience (another)': { aud: 'svc' },
  'wrong audience (one that begins alike)': { aud: 'svc-api2' },
  'wrong audience (others in a list)': { aud: ['a', 'b'] },
  'wrong audience (none)': { aud: null },
  'no expiry': { exp: null },
  'no role': { role: null },
  'unknown role': { role: 'auditor' },
};

/** Signs a party's token with changed claims, valid for years. Undefined if there is no key. */
export type SignOther = (party: CastName, claims: Claims) => string | undefined;

/** Credential with which a flow sends the token of an exchange. Undefined if a flow cannot get such a token. */
export function credentialOf(
  { auth, party, endpoint }: Exchange,
  before: readonly ReproStep[],
  {
    isFirst = false,
    sign,
  }: { readonly isFirst?: boolean; readonly sign?: SignOther | undefined } = {},
): Credential | undefined {
  const own = party as CastName;
  if (isFirst || auth === 'token at its end') return { kind: 'first', party: own };
  if (auth === 'none' || (endpoint && endpoints[endpoint].roles.length === 0)) return 'none';
  if (auth === 'own' || auth === 'minted as it should be') return own;
  const other = /^of (\w+)$/.exec(auth)?.[1];
  if (other !== undefined) return other as CastName;
  const text = malformed[auth];
  if (text !== undefined) return { kind: 'text', text };
  // For any forged signature: a good token with text after it has a wrong signature as well.
  if (auth.startsWith('forged')) return { kind: 'text', text: 'AAAA', after: own };
  if (auth === 'unsigned (none)') return { kind: 'unsigned', party: own };
  const claims = otherClaims[auth];
  if (claims) {
    const written = sign?.(own, claims);
    return written === undefined ? undefined : { kind: 'signed', party: own, claims, written };
  }
  if (auth.startsWith('expired')) return { kind: 'expired', party: own };
  const scheme = /^other scheme \((.+)\)$/.exec(auth)?.[1];
  if (scheme !== undefined) {
    const parts = [scheme === 'none' ? '' : `${scheme} `, ''];
    return { kind: 'header', header: 'authorization', parts, party: own };
  }
  const elsewhere = otherHeaders[auth];
  if (elsewhere) return { kind: 'header', ...elsewhere, party: own };
  if (!auth.startsWith('issued')) return undefined;
  const asked = before.flatMap((step) =>
    step.kind === 'call' && step.party === own && step.recorded.endpoint === 'token.create'
      ? [step.name]
      : [],
  );
  const step = asked.at(auth === 'issued (first of two)' ? -2 : -1);
  return step === undefined ? undefined : { kind: 'issued', step };
}
