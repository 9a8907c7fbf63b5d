import { createHash } from 'node:crypto';
import type { HistoryRecord } from '../history/records.ts';

/** Hash chain over all records, with their moments, in order. */
export interface WorldHash {
  readonly hash: string;
  /**
   * Values of the chain after every `checkpointEvery` records. Two runs are compared from the last checkpoint that they
   * share.
   */
  readonly checkpoints: readonly string[];
}

export const checkpointEvery = 64;

export function hashOf(records: readonly HistoryRecord[]): WorldHash {
  const checkpoints: string[] = [];
  let hash = '';
  for (let start = 0; start < records.length; start += checkpointEvery) {
    const chain = createHash('sha256').update(hash);
    for (const record of records.slice(start, start + checkpointEvery))
      chain.update(JSON.stringify(record)).update('\n');
    hash = chain.digest('hex');
    checkpoints.push(hash);
  }
  return { hash: hash || createHash('sha256').digest('hex'), checkpoints };
}

/** One run of a world, with everything that is needed to compare it with another. */
export interface HashedRun extends WorldHash {
  readonly records: readonly HistoryRecord[];
}

/**
 * Index of the first record that differs between two runs of one world, and both records; undefined if none differs.
 */
export interface Parting {
  readonly at: number;
  readonly first: HistoryRecord | undefined;
  readonly second: HistoryRecord | undefined;
}

export function partingOf(one: HashedRun, other: HashedRun): Parting | undefined {
  if (one.hash === other.hash) return undefined;
  // A chain that differs once differs ever after, so a binary search finds the first checkpoint that differs.
  let low = 0;
  let high = Math.min(one.checkpoints.length, other.checkpoints.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (one.checkpoints[middle] === other.checkpoints[middle]) low = middle + 1;
    else high = middle;
  }
  const longest = Math.max(one.records.length, other.records.length);
  for (let at = low * checkpointEvery; at < longest; at += 1) {
    const [first, second] = [one.records[at], other.records[at]];
    if (JSON.stringify(first) !== JSON.stringify(second)) return { at, first, second };
  }
  return undefined;
}
