import { beforeAll, describe, it, type TestContext } from 'vitest';
import type { Check } from '../suite/engine/check.ts';
import { unexercisedParts } from '../results/run-outcome.ts';
import {
  type CheckReport,
  partHeading,
  partName,
  partTitle,
  type RunReport,
} from '../report/index.ts';
import { requirements } from '../spec/requirements/index.ts';
import { rootOf } from '../spec/vocabulary.ts';
import { type CheckOptions, type CheckOutcome, checkTarget, selected, suiteOf } from './check.ts';
import { failureOf } from './failure.ts';
import type { LoadedTarget, TargetAddresses } from './targets.ts';
import { UsageError } from './usage-error.ts';

export type { CheckOptions } from './check.ts';
export { type LoadedTarget, loadTarget, type TargetAddresses } from './targets.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';

type GivenTarget = LoadedTarget | TargetAddresses;

export interface ConformanceOptions extends Omit<CheckOptions, 'target' | 'onProgress'> {
  /** A function is called before the run, so that your own hook may start the backend first. */
  readonly target?: GivenTarget | (() => GivenTarget | Promise<GivenTarget>);
  /** Name of the test group; `conformance` by default. */
  readonly name?: string;
  /** Time limit of the whole run, in host milliseconds; no limit by default. */
  readonly timeoutMs?: number;
}

/**
 * Makes every check and every rule a test of the calling file. All checks run in one run, in a hook before the first
 * test, and each test reports the verdict of its check: a failed check fails with its evidence, a check that could not
 * be exercised is skipped with the reason.
 *
 * @throws UsageError `suite` or `only`, while tests are being collected
 */
export function conformance(options: ConformanceOptions = {}): void {
  const { name = 'conformance', timeoutMs = 0, target, ...rest } = options;
  const suite = suiteOf(options);
  const { checks } = selected(suite.checks, options.only);

  describe(name, () => {
    let run: PlayedScenario | undefined;
    beforeAll(async () => {
      const given = typeof target === 'function' ? await target() : target;
      run = judgedBy(await checkTarget({ ...rest, ...(given && { target: given }) }));
    }, timeoutMs);

    for (const [part, some] of countsByPart(checks)) {
      describe(part, () => {
        for (const { id, title } of some) {
          it(`${title} (${id})`, (context) => tell(context, run, run?.report.checks, id));
        }
      });
    }
    describe('over everything that was seen', () => {
      for (const { id, title } of suite.rules) {
        it(`${title} (${id})`, (context) => tell(context, run, run?.report.rules, id));
      }
    });
    it('enough could be judged, and every waiver came true', () => concluded(run?.report));
  });
}

type PlayedScenario = Extract<CheckOutcome, { readonly kind: 'judged' }>;

function judgedBy(outcome: CheckOutcome): PlayedScenario {
  if (outcome.kind === 'judged') return outcome;
  throw new UsageError('target', [`the target is ${outcome.kind}`, ...outcome.problems]);
}

/** Fails if nearly everything was skipped: no other test would fail then. */
function concluded(report: RunReport | undefined): void {
  if (!report) throw new Error('the run did not come to its end');
  const { preflight = [], waivers = [] } = report;
  const unmet = waivers.filter(({ status }) => status === 'broken');
  const dark = report.outcome === 'incomplete' ? unexercisedParts(report) : [];
  const problems = [
    ...preflight,
    ...unmet.map(({ id, problem }) => `the waiver of ${id}: ${problem ?? 'it did not come true'}`),
    ...dark.map((part) => `nothing of ${partName(part)} (${partTitle(part)}) could be judged`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (report.outcome === 'incomplete') throw new Error('nothing could be judged');
}

/** Checks grouped by part, in the order of the document; checks without requirements come last. */
function countsByPart(checks: readonly Check[]): ReadonlyMap<string, readonly Check[]> {
  const groups = new Map<string, Check[]>();
  for (const check of checks) {
    const [first] = check.requirements;
    const root = first === undefined ? undefined : rootOf(requirements[first].part);
    const name = root === undefined ? 'Several parts' : partHeading(root);
    groups.set(name, [...(groups.get(name) ?? []), check]);
  }
  return groups;
}

/** Passes, fails or skips a test according to the verdict of its check or rule. */
async function tell(
  context: TestContext,
  run: PlayedScenario | undefined,
  judges: readonly CheckReport[] | undefined,
  id: string,
): Promise<void> {
  const judge = judges?.find((one) => one.id === id);
  if (!run || !judge) return context.skip('the run did not come to it');
  const reason = judge.reason === undefined ? '' : `: ${judge.reason.split('\n')[0]}`;
  switch (judge.verdict) {
    case 'pass':
      return undefined;
    case 'fail':
      if (judge.waived !== undefined) return context.skip(`known failure: ${judge.waived}`);
      throw failureOf(run.report, run.history, judge);
    case 'warn':
      return void (await context.annotate(`warning${reason}`, 'warning'));
    case 'error':
      throw new Error(`a fault of the suite or of a check of yours${reason}`);
    case 'inconclusive':
      return context.skip(`inconclusive${reason}`);
    case 'not_exercised':
      return context.skip(`not exercised${reason}`);
    case 'out_of_scope':
      return context.skip(`out of scope${reason}`);
  }
}
