import type { RunReport } from '../results/run-report.ts';
import { shardOption } from './shards.ts';

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const plain = /^[\w@%+=:,./-]+$/;

/** One word for a shell, in quotes if necessary. */
export const shellWord = (text: string): string => (plain.test(text) ? text : shellQuoted(text));

/**
 * Options with which a replay tests the same target with the same seed. If the report does not have the options of its
 * run, the base URLs of its parties are used; the embedded reference needs none.
 */
export function replayWords({ run, target }: RunReport, seed = run.seed): string {
  const isEmbedded = target.clock.kind === 'virtual';
  const addresses = Object.entries(target.participants).flatMap(([name, party]) => [
    '--base-url',
    `${name}=${party.base_url}`,
  ]);
  const words = run.started_with ?? (isEmbedded ? [] : addresses);
  // For a merged report without the seed of the failure: one of its seeds.
  return [...words, '--seed', seed.split(',')[0] ?? seed].map(shellWord).join(' ');
}

/** Command that repeats a run: the same part of the suite, the same target, the same seed. */
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
