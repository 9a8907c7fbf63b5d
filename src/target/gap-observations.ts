import { gapIds, type GapId } from '../spec/gaps/index.ts';
import { groupBy } from '../history/group-by.ts';

/** One place in a history that shows a target's answer to a gap. */
export interface GapObservation {
  readonly gap: GapId;
  readonly answer: string;
  /** Endpoint or party that the answer may legitimately depend on; answers are compared within one subject only. */
  readonly subject?: string;
  /** Ids of exchanges and frames. */
  readonly evidence: readonly string[];
}

/** Declared and observed answer of a target to one gap. */
export interface GapFinding {
  readonly gap: GapId;
  readonly declared?: string;
  readonly observed?: string;
  /** False if the target answered differently on different occasions, or differently from the declared answer. */
  readonly consistent: boolean;
  /** For an inconsistency, the answers that were seen; empty otherwise. */
  readonly seen: readonly string[];
  readonly evidence: readonly string[];
}

export type DeclaredAnswers = { readonly [id in GapId]?: string };

/** A finding for every gap that was declared or seen, in the order of the register. */
export function gapFindingsOf(
  observations: readonly GapObservation[],
  declared: DeclaredAnswers = {},
): readonly GapFinding[] {
  const byGap = groupBy(observations, ({ gap }) => gap);
  return gapIds.flatMap((gap) => {
    const own = byGap.get(gap) ?? [];
    const stated = declared[gap];
    if (own.length === 0 && stated === undefined) return [];
    return [gapFindingOf(gap, own, stated)];
  });
}

function gapFindingOf(
  gap: GapId,
  observations: readonly GapObservation[],
  declared: string | undefined,
): GapFinding {
  const counts = new Map<string, number>();
  for (const { answer } of observations) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  // The most frequent answer; among equals the one seen first.
  const observed = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  const differing = differingAnswers(observations);
  const denied = declared !== undefined && observed !== undefined && declared !== observed;
  const consistent = differing.length === 0 && !denied;
  return {
    gap,
    ...(declared !== undefined && { declared }),
    ...(observed !== undefined && { observed }),
    consistent,
    seen: consistent ? [] : [...new Set([...differing, ...(denied ? [observed] : [])])],
    evidence: firstEvidence(observations),
  };
}

/** Exchanges and frames that a finding is shown with. */
const shownEvidence = 5;

/** The first few of what may be tens of thousands. */
function firstEvidence(observations: readonly GapObservation[]): readonly string[] {
  const ids = new Set<string>();
  for (const { evidence } of observations) {
    for (const id of evidence) ids.add(id);
    if (ids.size >= shownEvidence) break;
  }
  return [...ids].slice(0, shownEvidence);
}

function differingAnswers(observations: readonly GapObservation[]): readonly string[] {
  const bySubject = new Map<string, Set<string>>();
  for (const { subject = '', answer } of observations) {
    bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(answer));
  }
  return [...bySubject.values()].flatMap((answers) => (answers.size > 1 ? [...answers] : []));
}
