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

/** What somebody says of a requirement: a check, a rule, or a run of a part of the suite. */
export interface StatedVerdict {
  readonly verdict: Verdict;
  /** Set for every verdict but pass. */
  readonly reason?: string;
  /** How often it was exercised. */
  readonly exercised: number;
}

const reasonsOf = (some: readonly StatedVerdict[]): string | undefined => {
  const reasons = [...new Set(some.flatMap(({ reason }) => (reason ? [reason] : [])))];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
};

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
    return { verdict, ...(reason !== undefined && { reason }), exercised };
  }
  const allOut = stated.length > 0 && stated.every((each) => each.verdict === 'out_of_scope');
  const silent: Verdict = allOut ? 'out_of_scope' : 'not_exercised';
  const reason =
    reasonsOf(stated.filter((each) => each.verdict === silent)) ??
    'nothing that happened in this run shows it';
  return { verdict: silent, reason, exercised };
}
