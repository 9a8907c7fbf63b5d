import type { Needs } from '../spec/requirements/index.ts';

/** Needs for exercising a requirement: parties of the standard cast, the longest wait, controls. Empty if undefined. */
export function needsText(needs: Needs | undefined): string {
  if (!needs) return '';
  return [
    ...(needs.parties ?? []),
    ...(needs.waitMs === undefined ? [] : [`${Math.ceil(needs.waitMs / 1000)} s`]),
    ...(needs.controls ?? []),
    ...(needs.signing ? ['a signing key'] : []),
  ].join(', ');
}
