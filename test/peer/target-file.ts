import { peerParties } from './parties.ts';
import type { Peer } from './server.ts';

export interface TargetFileOptions {
  readonly maxWait?: string;
  /** Parties that are left out. */
  readonly without?: readonly string[];
}

/** The target file of a peer: its parties, its clock, and the ways to make a settlement fail. */
export function targetFile(
  peer: Peer,
  name: string,
  clock: 'host' | 'hand',
  { maxWait = '90s', without = [] }: TargetFileOptions = {},
): string {
  const parties = peerParties
    .filter(({ key }) => !without.includes(key))
    .map(({ key, role }) => `  ${key}: { role: ${role}, base_url: "${peer.origin}/${key}" }`);
  const time =
    clock === 'host'
      ? ['clock:', '  kind: system', `  max_wait: ${maxWait}`]
      : [
          'clock:',
          '  kind: controlled',
          `  now: { get: "${peer.origin}/_clock", at: /now }`,
          `  advance: { post: "${peer.origin}/_clock", body: { ms: $ms } }`,
        ];
  const controls = [
    'controls:',
    '  fail_settlement: { order: { memo: "!revert" } }',
    '  stall_settlement: { order: { memo: "!stall" } }',
    '  withdraw_order: { order: { memo: "!withdraw" } }',
    '  fail_validation: { order: { memo: "!invalid" } }',
  ];
  return [`name: ${name}`, 'participants:', ...parties, ...time, ...controls, ''].join('\n');
}
