/** Of a check or of a requirement, from best to worst; see design contract. */
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

/** What one exercise of a requirement showed. */
export type FindingOutcome = 'pass' | 'fail' | 'warn' | 'inconclusive';

/** Verdicts that say that something was exercised, or that we broke while exercising it. */
const decisive: readonly Verdict[] = ['pass', 'inconclusive', 'warn', 'fail', 'error'];
export const isDecisive = (verdict: Verdict): boolean => decisive.includes(verdict);

/** The worst of some verdicts; undefined of none. */
export function worstVerdict<V extends Verdict>(some: readonly V[]): V | undefined {
  return some.reduce<V | undefined>(
    (least, verdict) =>
      least === undefined || verdicts.indexOf(verdict) > verdicts.indexOf(least) ? verdict : least,
    undefined,
  );
}

/** Where the document's own words are vague, a departure is a warning, unless the target itself has answered (`closed`). */
export const cappedByLevel = (level: 'must' | 'vague', outcome: FindingOutcome): FindingOutcome =>
  level === 'vague' && outcome === 'fail' ? 'warn' : outcome;

/**
 * What a rule's many findings on one requirement come to. Rules judge whatever came by, so a finding that
 * straddles a boundary says nothing against those that were clear: it counts only when it is all there is.
 */
export function verdictOfRuleFindings(outcomes: readonly FindingOutcome[]): Verdict {
  const clear = outcomes.filter((outcome) => outcome !== 'inconclusive');
  return worstVerdict<Verdict>(clear) ?? (outcomes.length > 0 ? 'inconclusive' : 'not_exercised');
}

/** How many exercises failed, of how many. */
export interface FailedOf {
  readonly failed: number;
  readonly of: number;
}

/** How the exercises of a requirement that failed differ from those that passed. */
export interface Contrast {
  /** Circumstances that failures share and passes do not, by name: `{ "state": "SETTLED" }`. Absent: none stand out. */
  readonly in?: Readonly<Record<string, string>>;
  /** In those circumstances. */
  readonly there?: FailedOf;
  /** In all others. */
  readonly elsewhere?: FailedOf;
  /** Id of an exchange or frame that passed and is most like one that failed. */
  readonly passed?: string;
}

/** What somebody says of a requirement: a check, a rule, or a run of a part of the suite. */
export interface StatedVerdict {
  readonly verdict: Verdict;
  /** Set for every verdict but pass. */
  readonly reason?: string;
  /** How often it was exercised. */
  readonly exercised: number;
  /** How often it failed. Absent: never. */
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

/** That of the most failures, with the counts of others in the same circumstances. */
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
 * A requirement's verdict: the worst of whatever judged it. What came to no verdict counts only where nothing did:
 * then it is out of scope if all of them were, else not exercised.
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
