import type { Claim } from '../steps.ts';
import type { Case } from './evidence.ts';
import { alikeClaims, askedClaims, senderClaims } from './agreement.ts';
import { eventClaims } from './events.ts';
import { heartbeatClaims } from './heartbeats.ts';
import { pageClaims } from './pages.ts';
import { fieldClaims } from './fields.ts';
import { listClaims, privacyClaims } from './lists.ts';
import { moneyClaims } from './money.ts';
import { timeClaims } from './times.ts';
import { grantClaims, statusClaims } from './status.ts';

export type { Case } from './evidence.ts';

/**
 * What a finding says must hold, as claims on single answers and events. A finding is words and values, so there may be
 * several ways to say it, the likeliest first; playing them tells which one fails here and holds on a sound backend.
 */
export function claimsFor(one: Case): Claim[][] {
  const all = [
    ...senderClaims(one),
    ...statusClaims(one),
    ...pageClaims(one),
    ...askedClaims(one),
    ...alikeClaims(one),
    ...timeClaims(one),
    ...moneyClaims(one),
    ...listClaims(one),
    ...heartbeatClaims(one),
    ...privacyClaims(one),
    ...eventClaims(one),
    ...fieldClaims(one),
    ...grantClaims(one),
  ];
  const seen = new Set<string>();
  return [...all, ...all.flatMap(ofEach), ...all.flatMap(orRefused)].filter((claims) => {
    const text = JSON.stringify(claims);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** The same for a request that a sound backend refuses: then there is no answer to be wrong. */
function orRefused(claims: readonly Claim[]): Claim[][] {
  if (!claims.every((claim) => claim.kind === 'value')) return [];
  return [claims.map((claim) => ({ ...claim, orRefused: true }))];
}

/** The same of all items of a list, where another run may show it of another one. */
function ofEach(claims: readonly Claim[]): Claim[][] {
  const widened = claims.map((claim) => {
    if (claim.kind !== 'value' || claim.path.length < 3) return claim;
    const path = claim.path.map((part) =>
      typeof part === 'object' ? ({ each: true } as const) : part,
    );
    return { ...claim, path };
  });
  return [widened];
}
