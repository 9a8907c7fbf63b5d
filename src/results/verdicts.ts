import type { Contrast, FailedOf } from './contrast.ts';

/** Verdicts of a check or a requirement, from best to worst; see design contract. */
export const verdicts = [
  'pass',
  'out_of_scope',
  'not_exercised',
  'inconclusive',
  'warn',
  'fail',
  'error',
] as const;
export type Verdict = (typeof verdicts)[number];

export type RunOutcome = 'conformant' | 'nonconformant' | 'incomplete' | 'error';

/** Result of one exercise of a requirement. */
export type FindingOutcome = 'pass' | 'fail' | 'warn' | 'inconclusive';

/** Verdicts after an exercise, or after an error of assay during one. */
const decisive: readonly Verdict[] = ['pass', 'inconclusive', 'warn', 'fail', 'error'];
export const isDecisive = (verdict: Verdict): boolean => decisive.includes(verdict);

/** The worst of some verdicts. Undefined if there are none. */
export function worstVerdict<V extends Verdict>(some: readonly V[]): V | undefined {
  return some.reduce<V | undefined>(
    (least, verdict) =>
      least === undefined || verdicts.indexOf(verdict) > verdicts.indexOf(least) ? verdict : least,
    undefined,
  );
}

/**
 * If the document's own words are vague, a departure is a warning, unless the target itself has answered (`closed`).
 */
export const cappedByLevel = (level: 'must' | 'vague', outcome: FindingOutcome): FindingOutcome =>
  level === 'vague' && outcome === 'fail' ? 'warn' : outcome;

/**
 * Verdict on one requirement from a rule's many findings. Rules judge all traffic, so an inconclusive finding at a
 * boundary says nothing against the clear ones: it counts only if there is no clear finding.
 */
export function verdictOfRuleFindings(outcomes: readonly FindingOutcome[]): Verdict {
  const clear = outcomes.filter((outcome) => outcome !== 'inconclusive');
  return worstVerdict<Verdict>(clear) ?? (outcomes.length > 0 ? 'inconclusive' : 'not_exercised');
}

/** Verdict on a requirement by one judge: a check, a rule, or a run of a part of the suite. */
export interface StatedVerdict {
  readonly verdict: Verdict;
  /** Set for every verdict but pass. */
  readonly reason?: string;
  /** Number of exercises. */
  readonly exercised: number;
  /** Number of failures. Absent: none. */
  readonly failed?: number;
  /** Absent: no rule saw both failures and passes. */
  readonly contrast?: Contrast;
}

const reasonsOf = (some: readonly StatedVerdict[]): string | undefined => {
  const reasons = [...new Set(some.flatMap(({ reason }) => (reason ? [reason] : [])))];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
};

const sumOf = (one: FailedOf, other: FailedOf): FailedOf => ({
  failed: one.failed + other.failed,
  of: one.of + other.of,
});

/** The contrast with the most failures. Counts of others in the same circumstances are added. */
function combineContrasts(stated: readonly StatedVerdict[]): Contrast | undefined {
  const [most, ...others] = stated
    .toSorted((one, other) => (other.failed ?? 0) - (one.failed ?? 0))
    .flatMap(({ contrast }) => contrast ?? []);
  if (!most?.there || !most.elsewhere) return most;
  const circumstances = JSON.stringify(most.in);
  let { there, elsewhere } = most;
  for (const other of others) {
    if (!other.there || !other.elsewhere || JSON.stringify(other.in) !== circumstances) continue;
    there = sumOf(there, other.there);
    elsewhere = sumOf(elsewhere, other.elsewhere);
  }
  return { ...most, there, elsewhere };
}

/**
 * Verdict on a requirement: the worst of those that judged it. If none did, it is out of scope if all of them were,
 * else not exercised.
 */
export function combineVerdicts(stated: readonly StatedVerdict[]): StatedVerdict {
  const decided = stated.filter(({ verdict }) => isDecisive(verdict));
  const exercised = decided.reduce((sum, each) => sum + each.exercised, 0);
  const verdict = worstVerdict(decided.map((each) => each.verdict));
  if (verdict !== undefined) {
    const reason =
      verdict === 'pass' ? undefined : decided.find((each) => each.verdict === verdict)?.reason;
    const failed = decided.reduce((sum, each) => sum + (each.failed ?? 0), 0);
    const contrast = combineContrasts(decided);
    return {
      verdict,
      ...(reason !== undefined && { reason }),
      exercised,
      ...(failed > 0 && { failed }),
      ...(contrast && { contrast }),
    };
  }
  const allOut = stated.length > 0 && stated.every((each) => each.verdict === 'out_of_scope');
  const silent: Verdict = allOut ? 'out_of_scope' : 'not_exercised';
  const reason =
    reasonsOf(stated.filter((each) => each.verdict === silent)) ??
    'nothing that happened in this run shows it';
  return { verdict: silent, reason, exercised };
}
