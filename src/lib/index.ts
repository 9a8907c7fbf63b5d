/**
 * Assay as a library: judge a backend, and write your own checks and rules. Heavy modules are loaded only when a
 * function needs them, so that a module of checks costs little to load.
 */
import type { CheckOptions, CheckOutcome } from './check.ts';

export type {
  GapAnswers,
  CallOptions,
  Control,
  Credential,
  EventStream,
  ListenOptions,
  Party,
  SigningKey,
  Target,
} from '../client/contract.ts';
export {
  type Check,
  defineCheck,
  type Evidence,
  type CheckContext,
} from '../suite/engine/check.ts';
export type { Progress } from '../suite/engine/progress.ts';
export type { RunOutcome, Verdict } from '../results/verdicts.ts';
export type {
  Exchange,
  Frame,
  History,
  HistoryRecord,
  StreamEnd,
  WireError,
} from '../history/records.ts';
export type {
  CheckReport,
  Failure,
  GapReport,
  RequirementReport,
  RunReport,
} from '../results/run-report.ts';
export type { Waiver } from '../report/waivers.ts';
export type { Rule } from '../oracle/rule.ts';
export { defineRule } from '../oracle/findings.ts';
export type { Finding, Findings, Violation } from '../results/findings.ts';
export type { HistoryView } from '../oracle/trace/history-view.ts';
export type { Random } from '../random/random.ts';
export type { Timeline } from '../timeline/timeline.ts';
export type { EndpointName, PathParams } from '../spec/endpoints.ts';
export type { GapId } from '../spec/gaps/index.ts';
export type { CastName, ControlName, Needs, RequirementId } from '../spec/requirements/index.ts';
export type { Role } from '../spec/vocabulary.ts';
export type { CheckOptions, CheckOutcome } from './check.ts';
export type { Seed } from './seed.ts';
export {
  type LoadedTarget,
  loadTarget,
  type LoadTargetOptions,
  type TargetAddresses,
} from './targets.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';

/**
 * Runs the suite against a target and judges all recorded traffic. The target is the embedded reference, a loaded
 * target file, or parties by their addresses. All checks run side by side on one timeline, so a run takes as long as
 * its longest wait.
 *
 * @returns `judged` with the report and the history, or why the target could not be judged
 * @throws UsageError if an option cannot be used: `target`, `suite`, `only` or `seed`
 */
export async function check(options: CheckOptions = {}): Promise<CheckOutcome> {
  const { checkTarget } = await import('./check.ts');
  return checkTarget(options);
}
