import type { Control, Target } from '../client/contract.ts';
import type { HistoryRecord } from '../history/records.ts';
import { isBySelf } from '../history/worlds.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { driverOf } from '../reproduce/driver.ts';
import { type ControlFields, controlOf } from '../reproduce/steps-of-history.ts';
import { type Drivers, ordersOf } from '../reproduce/slice.ts';
import type { Failure, RunReport } from '../results/run-report.ts';
import { controls as controlNames, requirements } from '../spec/requirements/index.ts';
import { applyRules, ruleContext, type TargetFacts } from '../suite/engine/apply-rules.ts';

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
  const own = report.checks
    .filter(({ id }) => id === check)
    .flatMap(({ id, failures }) =>
      failures.map((failure) => ({ source: id, driver: id, failure })),
    );
  const alone = records.filter((record) => record.by === check || isBySelf(record));
  const context = ruleContext(run.facts, disturbedIn(run));
  const judged = applyRules(allRules, () => viewOf({ records: alone }, context), requirements);
  const known = new Set(
    report.rules.flatMap(({ id, failures }) =>
      failures.map(({ requirement }) => `${id} ${requirement}`),
    ),
  );
  const ofRules = judged.flatMap(({ id, failures }) =>
    failures
      .filter(({ requirement }) => known.has(`${id} ${requirement}`))
      .filter(({ exchanges }) => driverOf(records, exchanges) === check)
      .map((failure) => ({ source: id, driver: check, failure })),
  );
  const before = report.rules.flatMap(({ id, failures }) =>
    failures.map((failure) => ({
      source: id,
      driver: driverOf(records, failure.exchanges) ?? '',
      failure,
    })),
  );
  return [...own, ...ofRules, ...before]
    .filter(({ failure }) => failure.outcome === 'fail' || failure.outcome === 'warn')
    .filter(({ failure }) => wanted === undefined || failure.requirement === wanted)
    .toSorted((a, b) => weight(a.failure) - weight(b.failure));
}

const weight = ({ outcome }: Failure): number => (outcome === 'fail' ? 0 : 1);

/** Orders that were created with the fields of a control. */
function disturbedIn({ records, controls }: RecordedRun): ReadonlySet<string> {
  const pushed = records.filter(
    (record) => record.kind === 'exchange' && controlOf(record, controls) !== undefined,
  );
  return new Set(pushed.flatMap((record) => (record.kind === 'exchange' ? ordersOf(record) : [])));
}
