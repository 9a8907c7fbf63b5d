import { runOutcomeOf } from '../results/run-outcome.ts';
import type {
  CauseReport,
  RunReport,
  UnwaivedFailure,
  WaiverReport,
} from '../results/run-report.ts';
import type { Deviation } from '../spec/deviations.ts';
import { causesIn } from './causes.ts';
import {
  type FailureFound,
  failuresIn,
  knownCause,
  type KnownFailure,
  markKnown,
} from './known.ts';
import { isJudged } from '../results/coverage.ts';

/** A failure that is known and accepted for now. */
export type Waiver = (FailureWaiver | CauseWaiver) & {
  readonly reason: string;
  /** Last day (UTC) on which it is accepted, as `2027-03-31`. Absent: until it is fixed. */
  readonly until?: string;
};

/** Covers the failures of one check, scenario, rule or requirement that have one deviation, one message or both. */
interface FailureWaiver {
  /** Id of a check, a scenario, a rule or a requirement. */
  readonly id: string;
  readonly deviation?: Deviation;
  /** Message of the failure, or a part of it. */
  readonly message?: string;
}

/** Covers every failure of one cause, and no other. */
interface CauseWaiver {
  /** Id of the cause in the report. */
  readonly cause: string;
}

/** Scope of a run. A waiver of something outside the scope is neither met nor broken. */
export interface WaiverScope {
  /** Ids of all existing checks, scenarios and rules, run or not. */
  readonly suiteIds: ReadonlySet<string>;
  readonly extent: 'whole' | 'part';
}

const names = ({ id }: FailureWaiver, { judge, failure }: FailureFound): boolean =>
  id === judge.id || id === failure.requirement;

const takes = (waiver: Waiver, found: FailureFound): boolean =>
  'cause' in waiver
    ? found.causes.includes(waiver.cause)
    : names(waiver, found) &&
      (waiver.deviation === undefined || found.failure.deviation === waiver.deviation) &&
      (waiver.message === undefined || found.failure.message.includes(waiver.message));

/** True if the last day of a waiver is before the day of the run, both in UTC. A waiver that is over covers nothing. */
function isOver({ until }: Waiver, { run }: RunReport): boolean {
  return until !== undefined && until < run.finished_at.slice(0, 'YYYY-MM-DD'.length);
}

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
  return isJudged(verdict)
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

/** Report on a waiver, with its status, from every failure and cause of the run. */
function waiverReport(
  waiver: Waiver,
  report: RunReport,
  all: readonly FailureFound[],
  causes: readonly CauseReport[],
  scope: WaiverScope,
): WaiverReport {
  const { reason, until = '' } = waiver;
  const standing = isOver(waiver, report)
    ? broken(`it was accepted until ${until}: mend it, or name a later day`)
    : all.some((one) => takes(waiver, one))
      ? ({ status: 'met' } as const)
      : 'cause' in waiver
        ? causeUnmet(waiver, report, causes, scope)
        : unmet(waiver, report, all, scope);
  if (!('cause' in waiver)) {
    const { id, message = '', deviation } = waiver;
    return { id, reason, message, ...(deviation && { deviation }), ...standing };
  }
  const message = causes.find(({ id }) => id === waiver.cause)?.title ?? '';
  return { id: waiver.cause, kind: 'cause', reason, message, ...standing };
}

/** Failures that no waiver covers; each message of each judge once. */
function unwaivedOf(
  all: readonly FailureFound[],
  waivers: readonly Waiver[],
): readonly UnwaivedFailure[] {
  const found = new Map<string, UnwaivedFailure>();
  for (const one of all) {
    if (waivers.some((waiver) => takes(waiver, one))) continue;
    const { judge, failure, causes } = one;
    const { requirement, message } = failure;
    const near = waivers.find((waiver) => !('cause' in waiver) && names(waiver, one));
    const reason =
      near && 'id' in near
        ? near.message === undefined
          ? `the waiver of ${near.id} speaks of another deviation: ${near.deviation}`
          : `the waiver of ${near.id} speaks of another message: ${near.message}`
        : 'no waiver names it';
    found.set(JSON.stringify([judge.id, requirement, message]), {
      id: judge.id,
      ...(requirement !== undefined && { requirement }),
      causes,
      message,
      reason,
    });
  }
  return [...found.values()];
}

/** A waiver as an entry of the list of known failures. */
const entryOf = (waiver: Waiver): KnownFailure =>
  'cause' in waiver
    ? knownCause(waiver.cause, waiver.reason)
    : { takes: (found) => takes(waiver, found), reason: waiver.reason };

/**
 * Marks the failures that waivers cover, and computes the outcome without them. Verdicts and counts stay as they are.
 */
export function applyWaivers(
  report: RunReport,
  declared: readonly Waiver[],
  scope: WaiverScope = { suiteIds: new Set(), extent: 'whole' },
): RunReport {
  const waivers = declared.filter((waiver) => !isOver(waiver, report));
  const all = failuresIn(report);
  const marked = markKnown(report, waivers.map(entryOf));
  const { causes = [] } = marked;
  const unwaived = unwaivedOf(all, waivers);
  return {
    ...marked,
    outcome: runOutcomeOf(marked),
    waivers: declared.map((waiver) => waiverReport(waiver, report, all, causes, scope)),
    ...(unwaived.length > 0 && { unwaived }),
  };
}

/**
 * The waivers file of a run: a waiver of each failing cause, and of each failure without a cause, that has none yet. The
 * reasons say since when; a person writes better ones.
 */
export function toWaivers(report: RunReport): string {
  const causes = causesIn(report);
  const since = `since ${report.run.finished_at.slice(0, 'YYYY-MM-DD'.length)}`;
  const left = failuresIn(report).filter(({ judge }) => judge.waived === undefined);
  const ofCauses = causes.flatMap(({ id, title, waived }) => {
    const isOpen = waived === undefined && left.some((one) => one.causes.includes(id));
    return isOpen ? [{ cause: id, reason: `${since}: ${title}` }] : [];
  });
  const others = left.filter((one) => one.causes.length === 0);
  const ofOthers = others.map(({ judge: { id }, failure: { message, deviation } }) => ({
    id,
    ...(deviation ? { deviation } : { message }),
    reason: `${since}: ${message}`,
  }));
  const items = new Set([...ofCauses, ...ofOthers].map(itemText));
  return items.size === 0 ? 'waivers: []\n' : `waivers:\n${[...items].join('')}`;
}

/** A waiver as an item of a list in YAML, whose double-quoted strings may be those of JSON. */
const itemText = (waiver: Waiver): string =>
  Object.entries(waiver)
    .map(
      ([key, text], index) => `${index === 0 ? '  - ' : '    '}${key}: ${JSON.stringify(text)}\n`,
    )
    .join('');
