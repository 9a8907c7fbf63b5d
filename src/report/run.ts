import type { Outcome, Verdict } from '../conformance/verdicts.ts';

/** `report.json`, the source of every other format. Keys in this order. */
export interface RunReport {
  readonly format: 'assay.report/1';
  readonly outcome: Outcome;
  readonly suite: { readonly version: string; readonly digest: string };
  readonly target: {
    readonly name: string;
    readonly participants: Readonly<
      Record<string, { readonly role: string; readonly base_url: string }>
    >;
    readonly clock: {
      readonly kind: string;
      readonly max_wait_ms?: number;
      readonly offset_ms?: number;
    };
  };
  readonly run: {
    readonly seed: string;
    readonly started_at: string;
    readonly finished_at: string;
    readonly wall_ms: number;
    readonly target_ms: number;
  };
  readonly totals: {
    readonly requirements: Readonly<Record<Verdict, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  readonly requirements: readonly RequirementReport[];
  readonly checks: readonly CheckReport[];
  readonly gaps: readonly GapReport[];
}

export interface RequirementReport {
  readonly id: string;
  readonly part: string;
  readonly level: 'must' | 'vague';
  readonly summary: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly judged_by: readonly string[];
  readonly exercised: number;
}

export interface Failure {
  readonly requirement?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly exchanges: readonly string[];
}

export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly failures: readonly Failure[];
}

export interface GapReport {
  readonly id: string;
  readonly part: string;
  readonly question: string;
  readonly declared?: string;
  readonly observed?: string;
  readonly consistent: boolean;
  readonly unlocks: number;
}
