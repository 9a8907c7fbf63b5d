import type { RunReport } from '../results/run-report.ts';
import { shardOption } from './shards.ts';

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const plain = /^[\w@%+=:,./-]+$/;

/** A word as a shell takes it for one: in quotes where it needs them. */
export const shellWord = (text: string): string => (plain.test(text) ? text : shellQuoted(text));

/**
 * What a replay is given besides what is replayed, so that it judges the same target with the same draws. A report
 * that does not say how it was started still names its parties: only the embedded reference needs no word of them.
 */
export function replayWords({ run, target }: RunReport, seed = run.seed): string {
  const isEmbedded = target.clock.kind === 'virtual';
  const addresses = Object.entries(target.participants).flatMap(([name, party]) => [
    '--base-url',
    `${name}=${party.base_url}`,
  ]);
  const words = run.started_with ?? (isEmbedded ? [] : addresses);
  // Of a report that was merged and does not say of which run something is, one of its seeds.
  return [...words, '--seed', seed.split(',')[0] ?? seed].map(shellWord).join(' ');
}

/** The command that makes a run again: the same part of the suite, of the same target, with the same draws. */
export function checkCommand(report: RunReport): string {
  const { only = [], profile, shard } = report.coverage?.part ?? {};
  const shardWord = shard && shardOption(shard);
  const chosen = [
    ...only.flatMap((pattern) => ['--only', pattern]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(shardWord === undefined ? [] : ['--shard', shardWord]),
  ];
  return ['assay check', ...chosen.map(shellWord), replayWords(report)].join(' ');
}
