import type { RequiredCoverage } from '../results/coverage.ts';
import type { ProfileName } from '../run/profiles.ts';
import type { SimulationOptions } from '../simulation/outcome.ts';
import type { Shard } from '../suite/engine/plan.ts';

/** Values of the options of all commands, by camel-case name. A command has those that its help lists. */
export interface Flags {
  readonly allowHost?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at?: number;
  readonly baseUrl?: readonly string[];
  readonly baseline?: string;
  readonly campaign?: string;
  readonly checks?: readonly string[];
  readonly chunk?: number;
  readonly clock?: 'system' | 'virtual';
  /** False for `--no-color`. */
  readonly color?: boolean;
  readonly concurrency?: number;
  readonly depth?: SimulationOptions['depth'];
  readonly diff?: string;
  readonly drain?: true;
  readonly dryRun?: true;
  /** A file; `-` is standard output. */
  readonly events?: string;
  readonly explain?: true;
  readonly export?: 'sh' | 'scenario';
  readonly faults?: string;
  readonly format?: string;
  readonly from?: bigint;
  readonly gaps?: string;
  readonly har?: string;
  readonly host?: string;
  readonly journal?: string;
  /** Standard output is for a program: text for people goes to standard error. */
  readonly json?: true;
  readonly judge?: true;
  /** Milliseconds, as `maxWait` and `until`. */
  readonly lease?: number;
  readonly markdown?: string;
  readonly matrix?: true;
  readonly maxWait?: number;
  readonly merge?: true;
  readonly mutation?: string;
  readonly name?: string;
  readonly network?: string;
  readonly nightly?: true;
  readonly only?: readonly string[];
  readonly onlyFailed?: string;
  readonly open?: string;
  readonly out?: string;
  readonly plan?: string;
  readonly port?: number;
  readonly profile?: ProfileName;
  readonly queue?: string;
  readonly quiet?: true;
  readonly rate?: number;
  readonly report?: string;
  readonly requireCoverage?: RequiredCoverage;
  readonly requirement?: string;
  readonly runId?: string;
  readonly seed?: bigint;
  readonly seeds?: number;
  /** `NAME=VALUE` each. */
  readonly set?: readonly string[];
  readonly shard?: Shard;
  /** False for `--no-shrink`. */
  readonly shrink?: boolean;
  readonly steps?: number;
  readonly strict?: true;
  readonly tag?: readonly string[];
  readonly target?: string;
  readonly to?: string;
  readonly ui?: true;
  readonly until?: number;
  readonly wait?: true;
  readonly waivers?: string;
  readonly watch?: true;
  readonly workers?: number;
  readonly world?: string;
  readonly write?: true;
  readonly writeTarget?: string;
}

/** Flags of a command whose `--seed` has a default. */
export interface SeededFlags extends Flags {
  readonly seed: bigint;
}
