import type { Target } from '../client/contract.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import { planOf } from '../scenario/plan.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { castNames, requirements } from '../spec/requirements/index.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { referenceMemos } from '../target/embedded/create-reference.ts';
import type { Chosen } from './failures-of-check.ts';
import { controlsOf } from './failures-of-check.ts';
import { reproduceFailure } from './reproduce.ts';
import type { Recording } from './try-failure.ts';
import { loadWritten, type TrialTarget } from './try-reproduction.ts';
import type { FaultEvent } from '../reproduce/steps.ts';
import { wordsForFault } from '../scenario/language/fault-words.ts';
import type { FaultPlan } from '../scenario/language/model.ts';
import type { Fault } from '../simulation/plan.ts';

/** What struck a world, as a scenario says it; undefined where it has no word for it. */
function faultEventOf({ fault, ...when }: WorldRun['struck'][number]): FaultEvent | undefined {
  const planned = inScenarios(fault);
  if (!planned) return undefined;
  // Whoever fills the disk, or arms what faultEvents a write, goes on at once.
  const waits = planned.kind === 'restart' && planned.lostBytes === undefined;
  return { ...when, says: wordsForFault(planned), lastsMs: waits ? planned.ms : 0 };
}

/** What befalls one party's network, or a host that stands still, no scenario says. */
function inScenarios(fault: Fault): FaultPlan | undefined {
  if ('party' in fault) {
    const party = castNames.find((name) => name === fault.party);
    return party && fault.fault === 'streams drop' ? { kind: 'drop', party } : undefined;
  }
  switch (fault.fault) {
    case 'leg reverts':
      return { kind: 'revert', leg: fault.leg };
    case 'settlement stalls':
      return { kind: 'stall' };
    case 'operator withdraws':
      return { kind: 'withdraw' };
    case 'validation fails':
      return { kind: 'invalid' };
    case 'restart': {
      const { ms, tornBytes: lostBytes } = fault;
      return { kind: 'restart', ms, ...(lostBytes !== undefined && { lostBytes }) };
    }
    case 'disk full':
      return { kind: 'fill disk', ms: fault.ms };
    case 'host pauses':
      return undefined;
  }
}

/** Of one finding so many failures are tried. */
const mostFailures = 4;
/** Of a scenario that is longer, another failure of the same finding may make a shorter one. */
const mostSteps = 8;

/** A world's finding as a scenario that fails on its target for the same reason, or why there is none. */
export type WorldScenario = Written | { readonly ok: false; readonly reasons: readonly string[] };

interface Written {
  readonly ok: true;
  readonly text: string;
  /** As a reader counts them: what a repetition holds, once. */
  readonly steps: number;
  /** `claims`: a step fails. `rule`: only the rules of `assay play` tell. */
  readonly proof: 'claims' | 'rule';
}

const memoControls = controlsOf(
  Object.fromEntries(
    Object.entries(referenceMemos).map(([name, memo]) => [name, { order: { memo } }]),
  ),
);

/** What a world was played on, as far as a scenario of it depends on that; by default the embedded reference. */
export type PlayedOn = Pick<Target, 'clock' | 'controls'>;

function recordingOf(run: WorldRun, on?: PlayedOn): Recording {
  const { plan, history, context } = run;
  const { cast } = context;
  return {
    records: history.records,
    faultEvents: run.struck.flatMap((struck) => faultEventOf(struck) ?? []),
    controls: on ? controlsOf(on.controls) : memoControls,
    // Another target answers as it does, whatever was planned.
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
 * The failures that a finding stands for, with what was expected and seen. What no rule of the oracle tells is the
 * finding itself.
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

function chosenOf(finding: WorldFinding): Chosen {
  const {
    rule,
    requirements: [requirement],
    message,
    exchanges,
    expected,
  } = finding;
  const failure = {
    outcome: 'fail',
    message,
    exchanges,
    ...(expected !== undefined && { expected }),
  } as const;
  return {
    source: rule,
    driver: () => true,
    failure: requirement === undefined ? failure : { ...failure, requirement },
  };
}

/** @param shownBy what the head of the scenario names as its origin, such as the seed of the world. */
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
