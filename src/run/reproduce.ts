import { type Chosen, failuresOf, type RecordedRun } from './failures-of-check.ts';
import { budgetFor, type Found, type Recording, type Search, tryFailure } from './try-failure.ts';
import type { TrialTarget } from './try-reproduction.ts';

/** Maximum number of findings that are tried. */
const mostFindings = 12;
/**
 * Number of findings that are still tried for a flow that fails by itself, once a flow is known that only rules judge.
 */
const mostAfterRule = 8;

/** Looks for the shortest flow that fails on the target for what the check found, and passes on our reference. */
export async function reproduce(
  run: RecordedRun,
  target: TrialTarget,
  wanted?: string,
): Promise<Search> {
  const reasons: string[] = [];
  const budget = budgetFor(run.facts, target.isSpent);
  let byRule: Found | undefined;
  let findings = 0;
  for (const chosen of variedFirst(failuresOf(run, wanted), run.records).slice(0, mostFindings)) {
    const tried = await tryFailure(chosen, run.check, run, { target, budget });
    if (!tried.ok) reasons.push(...tried.reasons);
    else if (tried.found.proof === 'claims') return tried;
    else byRule ??= tried.found;
    if (byRule && (findings += 1) >= mostAfterRule) break;
  }
  if (byRule) return { ok: true, found: byRule };
  return { ok: false, reasons: [...new Set(reasons)] };
}

/**
 * Sorts failures so that one of each kind and place comes before a second of the same: if one cannot be reproduced, a
 * similar one mostly cannot either.
 */
function variedFirst(
  failures: readonly Chosen[],
  records: RecordedRun['records'],
): readonly Chosen[] {
  /** The endpoint or the event of each record. */
  const places = new Map(
    records.flatMap((record) => {
      if (record.kind === 'end') return [];
      return [[record.id, record.kind === 'frame' ? record.event : (record.endpoint ?? '')]];
    }),
  );
  const seen = new Map<string, number>();
  const ranked = failures.map((chosen) => {
    const place = places.get(chosen.failure.exchanges.at(-1) ?? '') ?? '';
    const kind = `${chosen.failure.requirement} ${chosen.failure.message} ${place}`;
    const rank = seen.get(kind) ?? 0;
    seen.set(kind, rank + 1);
    return { chosen, rank };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ chosen }) => chosen);
}

/**
 * Reproduces one failure of any history: of a world, or read from a file. `shownBy`: origin that the head of the flow
 * names. `chosen.driver`: driver of the exchanges that the flow is made of.
 */
export const reproduceFailure = (
  chosen: Chosen,
  shownBy: string,
  recording: Recording,
  target: TrialTarget,
): Promise<Search> =>
  tryFailure(chosen, shownBy, recording, {
    target,
    budget: budgetFor(recording.facts, target.isSpent),
  });
