import { wholeDeviations } from '../../spec/deviations.ts';
import type { Claim } from '../steps.ts';
import type { Case } from './evidence.ts';
import { eventClaims } from './events.ts';
import { alikeClaims, listClaims, pageClaims } from './lists.ts';
import { privacyClaims } from './privacy.ts';
import { relationClaims } from './relations.ts';
import { grantClaims, statusClaims } from './status.ts';
import { askedClaims, foundClaims, valueClaims } from './values.ts';

export type { Case } from './evidence.ts';
export { lineClaims } from './lines.ts';

type Maker = (one: Case) => Claim[][];

const ofFields: readonly Maker[] = [pageClaims, relationClaims, valueClaims, privacyClaims];
const ofWholes: readonly Maker[] = [statusClaims, eventClaims, listClaims];
const rest: readonly Maker[] = [foundClaims, grantClaims];

/**
 * Sets of claims on single answers and events that may express a finding, made of its places, its deviation and its
 * values. The likeliest first. Playing them shows which one fails on the target and holds on a sound backend.
 */
export function claimsFor(one: Case): Claim[][] {
  const isWhole = wholeDeviations.has(one.deviation ?? 'other');
  const makers = isWhole
    ? [askedClaims, ...ofWholes, ...ofFields, alikeClaims, ...rest]
    : [askedClaims, ...ofFields, alikeClaims, ...ofWholes, ...rest];
  const all = makers.flatMap((make) => make(one));
  const seen = new Set<string>();
  return [...all, ...all.flatMap(ofEach), ...all.flatMap(orRefused)].filter((claims) => {
    const text = JSON.stringify(claims);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** Variant of value claims that also holds if a sound backend refuses the request: then there is no wrong answer. */
function orRefused(claims: readonly Claim[]): Claim[][] {
  if (!claims.every((claim) => claim.kind === 'value')) return [];
  return [claims.map((claim) => ({ ...claim, orRefused: true }))];
}

/** Variant of value claims on all items of a list, since another run may show the failure at another item. */
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
