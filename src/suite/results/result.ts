import type { FindingOutcome, Verdict } from './verdicts.ts';

/** One exercise of a requirement that was no pass, and what shows it. */
export interface Finding {
  readonly requirement: string;
  readonly outcome: Exclude<FindingOutcome, 'pass'>;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of exchanges and frames. */
  readonly evidence: readonly string[];
}

/** What one judge says of one of its requirements. */
export interface RequirementVerdict {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly exercised: number;
}

/** What one check or one rule came to. */
export interface CheckOrRuleResult {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string;
  /** One for each of `requirements`, in their order. */
  readonly judged: readonly RequirementVerdict[];
  /** The first few of each requirement. */
  readonly findings: readonly Finding[];
  /** How many findings were left out. */
  readonly omitted: number;
}

/** What the catalogue's requirement came to, after everything that judged it. */
export interface RequirementResult {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly judgedBy: readonly string[];
  readonly exercised: number;
}

/** One run of selected checks and all rules against one target. */
export interface RunResult {
  readonly checks: readonly CheckOrRuleResult[];
  readonly rules: readonly CheckOrRuleResult[];
  /** One for each requirement of the catalogue, in its order. */
  readonly requirements: readonly RequirementResult[];
  /** sha256 over the catalogue, the check ids and the rule ids: which suite this was. */
  readonly suiteDigest: string;
  /** Target time between the first call and the last. */
  readonly targetMs: number;
  /** Why the target could be asked no more before all checks had ended. Absent: it could. */
  readonly stopped?: string;
}

/** Findings that are kept of each requirement, so that a target that is wrong everywhere stays readable. */
export const findingsKept = 5;
