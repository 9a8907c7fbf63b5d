import { createHash } from 'node:crypto';
import type { Catalogue } from './source-report.ts';

/** Tells suites apart: changes with any requirement's id or words, and with any check's or rule's id. */
export function suiteDigest(
  catalogue: Catalogue,
  checkIds: readonly string[],
  ruleIds: readonly string[],
): string {
  const requirements = Object.entries(catalogue).map(([id, { summary }]) => [id, summary]);
  const text = JSON.stringify([requirements, checkIds, ruleIds]);
  return createHash('sha256').update(text).digest('hex');
}
