import type { Requirement } from '../../spec/requirements/index.ts';
import { type Finding, findingsKept, type RequirementVerdict } from './result.ts';
import { cappedByLevel, type FindingOutcome, type Verdict } from './verdicts.ts';

export type Catalogue = Readonly<Record<string, Requirement>>;

export interface FindingDetail {
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly evidence: readonly string[];
}

/** Collects what one judge sees, requirement by requirement. */
export interface FindingLog {
  /** Counts an exercise; anything but a pass is kept, up to a few of each requirement. */
  add(requirement: string, outcome: FindingOutcome, detail?: FindingDetail, times?: number): void;
  /** One entry for each requirement; `silent` tells the verdict of those never exercised. */
  judged(
    verdictOf: (outcomes: readonly FindingOutcome[]) => Verdict,
    silent: { readonly verdict: Verdict; readonly reason?: string },
  ): RequirementVerdict[];
  readonly kept: readonly Finding[];
  readonly omitted: number;
}

/** Throws on a requirement that the judge did not announce or the catalogue does not have: both are ours. */
export function createFindingLog(announced: readonly string[], catalogue: Catalogue): FindingLog {
  const seen = new Map<string, Map<FindingOutcome, number>>(announced.map((id) => [id, new Map()]));
  const kept: Finding[] = [];
  let omitted = 0;

  const firstReason = (requirement: string, verdict: Verdict) =>
    kept.find((finding) => finding.requirement === requirement && finding.outcome === verdict)
      ?.message;

  return {
    kept,
    get omitted() {
      return omitted;
    },
    add(requirement, observed, detail, times = 1) {
      const outcomes = seen.get(requirement);
      const level = catalogue[requirement]?.level;
      if (!outcomes) throw new Error(`judges ${requirement}, which it does not announce`);
      if (!level) throw new Error(`judges ${requirement}, which the catalogue does not have`);
      const outcome = cappedByLevel(level, observed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + times);
      if (outcome === 'pass') return;
      // The limit is per outcome: many warnings must not hide the one failure.
      const alike = kept.filter(
        (finding) => finding.requirement === requirement && finding.outcome === outcome,
      );
      if (alike.length < findingsKept) {
        const shown = detail ?? { message: 'no message was given', evidence: [] };
        kept.push({ requirement, outcome, ...shown });
        omitted += times - 1;
      } else omitted += times;
    },
    judged: (verdictOf, silent) =>
      [...seen].map(([requirement, outcomes]) => {
        if (outcomes.size === 0) return { requirement, ...silent, exercised: 0 };
        const verdict = verdictOf([...outcomes.keys()]);
        const reason = verdict === 'pass' ? undefined : firstReason(requirement, verdict);
        return {
          requirement,
          verdict,
          ...(reason !== undefined && { reason }),
          exercised: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
        };
      }),
  };
}
