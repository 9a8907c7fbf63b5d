import type { TargetFlags } from '../choose-target.ts';

export interface CheckFlags extends TargetFlags {
  /** Modules with a user's own checks and rules. */
  readonly checks?: readonly string[];
  readonly only?: readonly string[];
  readonly out?: string;
  readonly maxWait?: number;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly seed?: bigint | 'random';
  readonly waivers?: string;
  readonly strict?: true;
  /** Of the embedded reference. */
  readonly mutation?: string;
  readonly dryRun?: true;
}
