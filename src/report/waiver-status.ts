import { isDecisive } from '../results/verdicts.ts';
import type { CauseReport, RunReport, WaiverReport } from '../results/run-report.ts';
import {
  isOver,
  type CauseWaiver,
  type FailureFound,
  type FailureWaiver,
  names,
  takes,
  type Waiver,
  type WaiverScope,
} from './waiver.ts';

type Standing = Pick<WaiverReport, 'status' | 'problem'>;

const broken = (problem: string): Standing => ({ status: 'broken', problem });
const untested = (problem: string): Standing => ({ status: 'untested', problem });

/** Status of a waiver of a check, a rule or a requirement that covers no failure. */
function unmet(
  waiver: FailureWaiver,
  report: RunReport,
  all: readonly FailureFound[],
  { suiteIds }: WaiverScope,
): Standing {
  const other = all.find((found) => names(waiver, found));
  if (other) return broken(`it fails otherwise: ${other.failure.message}`);
  const subject = [...report.checks, ...report.rules, ...report.requirements].find(
    ({ id }) => id === waiver.id,
  );
  if (!subject) {
    const isOfPlay = waiver.id.includes('/');
    if (isOfPlay !== (report.scenarios !== undefined)) return untested('it was not run');
    return suiteIds.has(waiver.id) ? untested('it was not run') : broken('nothing has this id');
  }
  const { verdict } = subject;
  const isClear = isDecisive(verdict) && verdict !== 'error' && verdict !== 'inconclusive';
  return isClear
    ? broken('it no longer fails: take the waiver away')
    : untested(`it was not judged: ${verdict}`);
}

/** Status of a waiver of a cause without failures. */
function causeUnmet(
  { cause }: CauseWaiver,
  { preflight = [], run }: RunReport,
  causes: readonly CauseReport[],
  { extent }: WaiverScope,
): Standing {
  if (causes.some(({ id }) => id === cause)) {
    return broken('it only warns, which needs no waiver: take it away');
  }
  if (extent === 'part') {
    return untested('no failure has this cause, and only a part of the suite was run');
  }
  if (preflight.length > 0 || run.ended_early)
    return untested('no failure has this cause, and the run was cut short');
  return broken('no failure has this cause: it is mended, or its id is another');
}

/**
 * Report on a waiver, with its status.
 * @param found every failure and cause of the run
 */
export function waiverReport(
  waiver: Waiver,
  report: RunReport,
  found: { readonly all: readonly FailureFound[]; readonly causes: readonly CauseReport[] },
  scope: WaiverScope,
): WaiverReport {
  const { all, causes } = found;
  const { reason, until = '' } = waiver;
  const standing = isOver(waiver, report)
    ? broken(`it was accepted until ${until}: mend it, or name a later day`)
    : all.some((one) => takes(waiver, one))
      ? ({ status: 'met' } as const)
      : 'cause' in waiver
        ? causeUnmet(waiver, report, causes, scope)
        : unmet(waiver, report, all, scope);
  if (!('cause' in waiver)) return { id: waiver.id, reason, message: waiver.message, ...standing };
  const message = causes.find(({ id }) => id === waiver.cause)?.title ?? '';
  return { id: waiver.cause, kind: 'cause', reason, message, ...standing };
}
