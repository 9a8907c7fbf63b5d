import type { Control, Target } from '../client/contract.ts';
import type { HistoryRecord } from '../history/records.ts';
import { isBySelf } from '../history/worlds.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { driverOf } from '../reproduce/driver.ts';
import type { Drivers } from '../reproduce/slice.ts';
import type { ControlFields } from '../reproduce/steps-of-history.ts';
import type { Failure, RunReport } from '../results/run-report.ts';
import type { SourceReport } from '../results/source-report.ts';
import { controls as controlNames, requirements } from '../spec/requirements/index.ts';
import { applyRules, ruleContext, type TargetFacts } from '../suite/engine/apply-rules.ts';
import { disturbedBy } from './judge-history.ts';

/** Parts of a run of one check that a reproduction of its failures needs. */
export interface RecordedRun {
  readonly check: string;
  readonly report: Pick<RunReport, 'checks' | 'rules'>;
  readonly records: readonly HistoryRecord[];
  readonly facts: TargetFacts & Pick<Target, 'signing'>;
  readonly controls: readonly ControlFields[];
}

/** The controls of a target that are fields of its orders. */
export const controlsOf = (
  controls: {
    readonly [name in keyof Target['controls']]?: Pick<Control, 'order'>;
  },
): readonly ControlFields[] =>
  controlNames.flatMap((name) => {
    const fields = controls[name]?.order;
    return fields ? [{ name, fields }] : [];
  });

/** A failure with its driver. */
export interface Chosen {
  readonly source: string;
  /** Driver of the exchanges that the failure rests on. */
  readonly driver: Drivers;
  readonly failure: Failure;
}

/** Failures that rest on requests of the check, its own first. If there are none: those of requests before it. */
export function failuresOf(run: RecordedRun, wanted: string | undefined): readonly Chosen[] {
  const { check, report, records } = run;
  const each = (
    judges: readonly Pick<SourceReport, 'id' | 'failures'>[],
    driverFor: (failure: Failure) => string,
  ): readonly Chosen[] =>
    judges.flatMap(({ id, failures }) =>
      failures.map((failure) => ({ source: id, driver: driverFor(failure), failure })),
    );
  const driverIn = ({ exchanges }: Failure): string => driverOf(records, exchanges) ?? '';
  const own = each(
    report.checks.filter(({ id }) => id === check),
    () => check,
  );
  const alone = records.filter((record) => record.by === check || isBySelf(record));
  const context = ruleContext(run.facts, new Set(disturbedBy(run.controls, records)));
  const judged = applyRules(allRules, () => viewOf({ records: alone }, context), requirements);
  const before = each(report.rules, driverIn);
  const keyOf = ({ source, failure }: Chosen): string => `${source} ${failure.requirement}`;
  const known = new Set(before.map(keyOf));
  const ofRules = each(judged, driverIn).filter(
    (one) => known.has(keyOf(one)) && one.driver === check,
  );
  return [...own, ...ofRules, ...before]
    .filter(({ failure }) => failure.outcome === 'fail' || failure.outcome === 'warn')
    .filter(({ failure }) => wanted === undefined || failure.requirement === wanted)
    .toSorted((a, b) => weight(a.failure) - weight(b.failure));
}

const weight = ({ outcome }: Failure): number => (outcome === 'fail' ? 0 : 1);
