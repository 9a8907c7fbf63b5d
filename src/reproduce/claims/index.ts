import type { Claim } from '../steps.ts';
import type { Case } from './evidence.ts';
import { eventClaims } from './events.ts';
import { fieldClaims } from './fields.ts';
import { listClaims, privacyClaims } from './lists.ts';
import { statusClaims } from './status.ts';

export type { Case } from './evidence.ts';

/**
 * What a finding says must hold, as claims on single answers and events. A finding is words and values, so there may be
 * several ways to say it, the likeliest first; playing them tells which one fails here and holds on a sound backend.
 */
export function claimsFor(one: Case): Claim[][] {
  const all = [
    ...statusClaims(one),
    ...listClaims(one),
    ...privacyClaims(one),
    ...eventClaims(one),
    ...fieldClaims(one),
  ];
  const seen = new Set<string>();
  return all.filter((claims) => {
    const text = JSON.stringify(claims);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
