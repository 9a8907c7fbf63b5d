import { dataIn, isObject } from '../history/json.ts';
import type { Exchange, HistoryRecord } from '../history/records.ts';
import { tokenOf } from '../history/token-label.ts';
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

/** Malformed tokens, by the detail of their label. */
const malformed: Readonly<Record<string, string>> = {
  'one word': 'token',
  'the word undefined': 'undefined',
  'the word null': 'null',
  'three words': 'not.a.token',
  dots: '..',
};

/** Good tokens in a wrong header, by the detail of their label. */
const otherHeaders: Readonly<Record<string, { header: string; parts: readonly string[] }>> = {
  header: { header: 'x-access-token', parts: ['', ''] },
  cookie: { header: 'cookie', parts: ['access_token=', '; token=', ''] },
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

/** Changed claims of tokens that are signed with the target's own key, by their label. */
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

/** Credential with which a flow sends the token of an exchange. Undefined if a flow cannot get such a token. */
export function credentialOf(
  { auth, party, endpoint }: Exchange,
  before: readonly ReproStep[],
  {
    isFirst = false,
    canSign = false,
  }: { readonly isFirst?: boolean; readonly canSign?: boolean } = {},
): Credential | undefined {
  const own = party as CastName;
  const { kind, detail } = tokenOf(auth);
  if (isFirst) return { kind: 'first', party: own };
  if (endpoint && endpoints[endpoint].roles.length === 0) return 'none';
  switch (kind) {
    case 'none':
      return 'none';
    case 'own':
    case 'minted':
      return own;
    case 'of':
      return detail as CastName;
    case 'token at its end':
      return { kind: 'first', party: own };
    case 'expired':
      return { kind: 'expired', party: own };
    case 'malformed': {
      const text = malformed[detail];
      return text === undefined ? undefined : { kind: 'text', text };
    }
    case 'forged':
      // A flow can add text to a token, but not empty or halve its signature: a backend that takes only such a token
      // refuses this one, and the trial of the flow shows it.
      return { kind: 'text', text: 'AAAA', after: own };
    case 'unsigned':
      return detail === 'none' ? { kind: 'unsigned', party: own } : undefined;
    case 'other scheme':
      return {
        kind: 'header',
        header: 'authorization',
        parts: [detail === 'none' ? '' : `${detail} `, ''],
        party: own,
      };
    case 'other place': {
      const elsewhere = otherHeaders[detail];
      return elsewhere && { kind: 'header', ...elsewhere, party: own };
    }
    case 'issued': {
      const asked = before.flatMap((step) =>
        step.kind === 'call' && step.party === own && step.recorded.endpoint === 'token.create'
          ? [step.name]
          : [],
      );
      const step = asked.at(detail === 'first of two' ? -2 : -1);
      return step === undefined ? undefined : { kind: 'issued', step };
    }
    case 'wrong issuer':
    case 'wrong audience':
    case 'no expiry':
    case 'no role':
    case 'unknown role': {
      const claims = otherClaims[auth];
      return claims && canSign ? { kind: 'signed', party: own, claims } : undefined;
    }
    case 'altered':
    case 'foreign key':
    case 'other':
      return undefined;
  }
}
