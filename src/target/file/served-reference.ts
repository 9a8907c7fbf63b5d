import type { ControlName } from '../../spec/requirements/requirement.ts';
import type { Address } from '../../reference/http/index.ts';
import { referenceMemos } from '../embedded/create-reference.ts';
import { draftTarget, systemClockSection } from './draft-target-file.ts';

export interface ServedReference {
  readonly addresses: readonly Address[];
  readonly clock: 'system' | 'virtual';
  /** The key that its tokens are signed with, in a file beside the target file. */
  readonly signing: { readonly alg: string; readonly keyFile: string };
}

/** A ready-made target file for a reference that is being served. */
export function referenceTargetFile({ addresses, clock, signing }: ServedReference): string {
  const [first] = addresses;
  if (!first) throw new Error('a served reference has at least one party');
  const { origin } = new URL(first.baseUrl);
  const controls = (Object.entries(referenceMemos) as [ControlName, string][]).map(
    ([name, memo]) => `  ${name}: { order: { memo: ${JSON.stringify(memo)} } }`,
  );
  return draftTarget({
    name: 'the reference, served',
    participants: addresses.map(({ party, baseUrl }) => ({
      name: party.name,
      role: party.role,
      baseUrl,
    })),
    sections: [
      clock === 'system' ? systemClockSection : virtualClockSection(origin),
      [
        '# Lets the suite mint expired, misissued and forged tokens instead of waiting for them.',
        `signing: { alg: ${signing.alg}, private_key: { file: ${JSON.stringify(signing.keyFile)} } }`,
      ].join('\n'),
      ['# Memos that push one order off its path.', 'controls:', ...controls].join('\n'),
    ],
  });
}

const virtualClockSection = (
  origin: string,
): string => `# Time stands still until it is told to move.
clock:
  kind: controlled
  now: { get: "${origin}/_sim/clock", at: /now_ms }
  advance: { post: "${origin}/_sim/clock/advance", body: { expected_now: $now, ms: $ms } }`;
