import type { Target } from '../client/contract.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import { planOf } from '../scenario/plan.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { castNames, requirements } from '../spec/requirements/index.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { type Chosen, controlsOf } from './failures-of-check.ts';
import { memoControls } from './judge-history.ts';
import { reproduceFailure } from './reproduce.ts';
import type { Recording } from './try-failure.ts';
import { loadWritten, type TrialTarget } from './try-reproduction.ts';
import type { FaultEvent } from '../reproduce/steps.ts';
import { plainFault } from '../simulation/plan.ts';
import type { FaultPlan } from '../faults/faults.ts';

/** A fault of a world in the scenario language. Undefined if it strikes a party that no scenario has. */
function faultEventOf({ fault, ...when }: WorldRun['struck'][number]): FaultEvent | undefined {
  if ('party' in fault && !castNames.some((name) => name === fault.party)) return undefined;
  const planned = plainFault(fault);
  // Only a plain restart is over with its step.
  const waits = planned.fault === 'restart' && planned.tornBytes === undefined;
  return { ...when, fault: planned as FaultPlan, lastsMs: waits ? planned.ms : 0 };
}

/** Maximum number of failures that are tried for one finding. */
const mostFailures = 4;
/** Length from which another failure of the same finding is tried for a shorter scenario. */
const mostSteps = 8;

/** A world's finding as a scenario that fails on its target for the same reason, or the reasons why there is none. */
export type WorldScenario = Written | { readonly ok: false; readonly reasons: readonly string[] };

interface Written {
  readonly ok: true;
  readonly text: string;
  /** Number of steps as written: repeated steps count once. */
  readonly steps: number;
  /** `claims`: a step fails. `rule`: only the rules of `assay play` show the failure. */
  readonly proof: 'claims' | 'rule';
}

/** Facts about a world's target that its scenario depends on. By default the embedded reference. */
export type PlayedOn = Pick<Target, 'clock' | 'controls'>;

function recordingOf(run: WorldRun, on?: PlayedOn): Recording {
  const { plan, history, context } = run;
  const { cast } = context;
  return {
    records: history.records,
    faultEvents: run.struck.flatMap((struck) => faultEventOf(struck) ?? []),
    controls: on ? controlsOf(on.controls) : memoControls,
    // The planned answers apply to the embedded reference only.
    ...(!on && { answers: plan.assignment }),
    facts: {
      clock: { kind: on?.clock.kind ?? 'virtual', offset: context.offset },
      parties: Object.fromEntries(
        castNames.flatMap((name) => {
          const party = plan.parties.find((one) => one.name === name);
          return party ? [[name, { role: party.role, baseUrl: '' }]] : [];
        }),
      ),
      party: (name) => ({ partyId: cast[name]?.partyId ?? '' }),
      answers: { get: (gap) => context.answers(gap) },
    },
  };
}

/**
 * Failures that a finding stands for, with expected and actual values. If no rule of the oracle reports it, the finding
 * itself.
 */
function failuresOf(run: WorldRun, finding: WorldFinding): readonly Chosen[] {
  const rules = allRules.filter(({ id }) => id === finding.rule);
  if (rules.length === 0) return [chosenOf(finding)];
  const judged = applyRules(rules, () => viewOf(run.history, run.context), requirements);
  return judged.flatMap(({ id, failures }) =>
    failures
      .filter(({ requirement = '' }) => finding.requirements.includes(requirement))
      .map((failure) => ({ source: id, driver: () => true, failure })),
  );
}

function chosenOf({ rule, requirements: [requirement], ...finding }: WorldFinding): Chosen {
  const { message, exchanges, expected } = finding;
  return {
    source: rule,
    driver: () => true,
    failure: {
      outcome: 'fail',
      message,
      exchanges,
      ...(expected !== undefined && { expected }),
      ...(requirement !== undefined && { requirement }),
    },
  };
}

/** @param shownBy origin in the head of the scenario, such as the seed of the world. */
export async function worldScenario(
  run: WorldRun,
  finding: WorldFinding,
  target: TrialTarget,
  shownBy: string,
  on?: PlayedOn,
): Promise<WorldScenario> {
  const failures = failuresOf(run, finding);
  const reasons = new Set<string>();
  let byRule: Written | undefined;
  let byClaims: Written | undefined;
  for (const chosen of failures.slice(0, mostFailures)) {
    const search = await reproduceFailure(chosen, shownBy, recordingOf(run, on), target);
    if (!search.ok) {
      for (const reason of search.reasons) reasons.add(reason);
      continue;
    }
    const { reproduction, proof } = search.found;
    const text = scenarioText(reproduction);
    const { steps } = planOf(loadWritten(text));
    const found = { ok: true, text, steps, proof } as const;
    if (proof === 'claims' && steps <= mostSteps) return found;
    if (proof === 'rule') byRule ??= found;
    else if (!byClaims || steps < byClaims.steps) byClaims = found;
  }
  return byClaims ?? byRule ?? { ok: false, reasons: [...reasons] };
}
