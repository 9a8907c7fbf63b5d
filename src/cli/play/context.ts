import type { TargetFlags } from '../choose-target.ts';
import type { Terminal } from '../terminal.ts';

export interface PlayFlags extends TargetFlags {
  readonly seed?: bigint | 'random';
  readonly dryRun?: true;
  readonly tag?: readonly string[];
  readonly maxWait?: number;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly watch?: true;
  readonly strict?: true;
}

/** What one run of `assay play` was asked for, and where it prints. */
export interface PlayContext {
  readonly seed: bigint;
  readonly flags: PlayFlags;
  readonly terminal: Terminal;
  readonly texts: ReadonlyMap<string, string>;
  readonly startedAt: string;
  readonly startedWallMs: number;
}
