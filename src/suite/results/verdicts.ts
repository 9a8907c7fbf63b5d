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

/** Where the document's own words are vague, nothing can be proven wrong: a departure is a warning at most. */
export const cappedByLevel = (level: 'must' | 'vague', outcome: FindingOutcome): FindingOutcome =>
  level === 'vague' && outcome === 'fail' ? 'warn' : outcome;

/**
 * What many chance sightings of one requirement come to. Rules judge whatever came by, so a sighting that
 * straddles a boundary says nothing against those that were clear: it counts only when it is all there is.
 */
export function verdictOfRuleFindings(outcomes: readonly FindingOutcome[]): Verdict {
  const clear = outcomes.filter((outcome) => outcome !== 'inconclusive');
  return worstVerdict<Verdict>(clear) ?? (outcomes.length > 0 ? 'inconclusive' : 'not_exercised');
}

/** What one judge (a check or a rule) says of one requirement. */
export interface SourceVerdict {
  readonly source: string;
  readonly verdict: Verdict;
  /** Set for whatever is no pass. */
  readonly reason?: string;
  /** How often it was exercised. */
  readonly exercised: number;
}

export interface CombinedVerdict {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly judgedBy: readonly string[];
  readonly exercised: number;
}

const reasonsOf = (some: readonly SourceVerdict[]): string | undefined => {
  const reasons = [...new Set(some.flatMap(({ reason }) => (reason ? [reason] : [])))];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
};

const withReason = (verdict: Verdict, reason: string | undefined) =>
  reason === undefined ? { verdict } : { verdict, reason };

/**
 * A requirement's verdict: the worst of whatever judged it. Judges that came to no judgement count only when
 * nobody did: then it is out of scope if all of them were, else not exercised.
 */
export function combineVerdicts(verdictsBySource: readonly SourceVerdict[]): CombinedVerdict {
  const said = verdictsBySource.filter(({ verdict }) => isDecisive(verdict));
  const judgedBy = said.map(({ source }) => source);
  const exercised = said.reduce((sum, sourceVerdict) => sum + sourceVerdict.exercised, 0);
  const verdict = worstVerdict(said.map((sourceVerdict) => sourceVerdict.verdict));
  if (verdict !== undefined) {
    const first = said.find((sourceVerdict) => sourceVerdict.verdict === verdict);
    const reason = verdict === 'pass' ? undefined : first?.reason;
    return { ...withReason(verdict, reason), judgedBy, exercised };
  }
  const outOfScope =
    verdictsBySource.length > 0 &&
    verdictsBySource.every((each) => each.verdict === 'out_of_scope');
  const silent: Verdict = outOfScope ? 'out_of_scope' : 'not_exercised';
  const reason =
    reasonsOf(verdictsBySource.filter((each) => each.verdict === silent)) ??
    'nothing that happened in this run shows it';
  return { verdict: silent, reason, judgedBy, exercised };
}
