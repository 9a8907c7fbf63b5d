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

export type Outcome = 'conformant' | 'nonconformant' | 'incomplete' | 'error';

/** What one exercise of a requirement showed. */
export type ObservedOutcome = 'pass' | 'fail' | 'warn' | 'inconclusive';

/** Verdicts that say that something was exercised, or that we broke while exercising it. */
const decisive: readonly Verdict[] = ['pass', 'inconclusive', 'warn', 'fail', 'error'];
export const isDecisive = (verdict: Verdict): boolean => decisive.includes(verdict);

/** The worst of some verdicts; undefined of none. */
export function worst<V extends Verdict>(some: readonly V[]): V | undefined {
  return some.reduce<V | undefined>(
    (least, verdict) =>
      least === undefined || verdicts.indexOf(verdict) > verdicts.indexOf(least) ? verdict : least,
    undefined,
  );
}

/** Where the document's own words are vague, nothing can be proven wrong: a departure is a warning at most. */
export const capped = (level: 'must' | 'vague', outcome: ObservedOutcome): ObservedOutcome =>
  level === 'vague' && outcome === 'fail' ? 'warn' : outcome;

/**
 * What many chance sightings of one requirement come to. Rules judge whatever came by, so a sighting that
 * straddles a boundary says nothing against those that were clear: it counts only when it is all there is.
 */
export function verdictOfSightings(outcomes: readonly ObservedOutcome[]): Verdict {
  const clear = outcomes.filter((outcome) => outcome !== 'inconclusive');
  return worst<Verdict>(clear) ?? (outcomes.length > 0 ? 'inconclusive' : 'not_exercised');
}

/** What one judge (a check or a rule) says of one requirement. */
export interface Judgement {
  readonly judge: string;
  readonly verdict: Verdict;
  /** Set for whatever is no pass. */
  readonly reason?: string;
  /** How often it was exercised. */
  readonly exercised: number;
}

export interface Judged {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly judgedBy: readonly string[];
  readonly exercised: number;
}

const reasonsOf = (some: readonly Judgement[]): string | undefined => {
  const reasons = [...new Set(some.flatMap(({ reason }) => (reason ? [reason] : [])))];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
};

const withReason = (verdict: Verdict, reason: string | undefined) =>
  reason === undefined ? { verdict } : { verdict, reason };

/**
 * A requirement's verdict: the worst of whatever judged it. Judges that came to no judgement count only when
 * nobody did: then it is out of scope if all of them were, else not exercised.
 */
export function combine(judgements: readonly Judgement[]): Judged {
  const said = judgements.filter(({ verdict }) => isDecisive(verdict));
  const judgedBy = said.map(({ judge }) => judge);
  const exercised = said.reduce((sum, judgement) => sum + judgement.exercised, 0);
  const verdict = worst(said.map((judgement) => judgement.verdict));
  if (verdict !== undefined) {
    const first = said.find((judgement) => judgement.verdict === verdict);
    const reason = verdict === 'pass' ? undefined : first?.reason;
    return { ...withReason(verdict, reason), judgedBy, exercised };
  }
  const outOfScope =
    judgements.length > 0 && judgements.every((each) => each.verdict === 'out_of_scope');
  const silent: Verdict = outOfScope ? 'out_of_scope' : 'not_exercised';
  const reason =
    reasonsOf(judgements.filter((each) => each.verdict === silent)) ??
    'nothing that happened in this run shows it';
  return { verdict: silent, reason, judgedBy, exercised };
}
