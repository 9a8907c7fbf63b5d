import type { Needs } from '../spec/requirements/index.ts';

/** What exercises a requirement: parties of the standard cast, the longest wait, controls. Empty where nothing does. */
export function needsText(needs: Needs | undefined): string {
  if (!needs) return '';
  return [
    ...(needs.parties ?? []),
    ...(needs.waitMs === undefined ? [] : [`${Math.ceil(needs.waitMs / 1000)} s`]),
    ...(needs.controls ?? []),
    ...(needs.signing ? ['a signing key'] : []),
  ].join(', ');
}
