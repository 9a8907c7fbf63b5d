import type { Target } from '../client/contract.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import type { Failure } from '../results/run-report.ts';
import { kindOfMessage } from '../simulation/judge-run.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { castNames, requirements } from '../spec/requirements/index.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { referenceMemos } from '../target/embedded/create-reference.ts';
import type { Chosen } from './failures-of-check.ts';
import { controlsOf } from './failures-of-check.ts';
import { type Recording, reproduceFailure } from './reproduce.ts';
import type { TrialTarget } from './try-reproduction.ts';

/** A world's finding as a scenario that fails on its target for the same reason, or why there is none. */
export type WorldScenario =
  | {
      readonly ok: true;
      readonly text: string;
      readonly steps: number;
      /** `claims`: a step fails. `rule`: only the rules of `assay play` tell. */
      readonly proof: 'claims' | 'rule';
    }
  | { readonly ok: false; readonly reasons: readonly string[] };

const memoControls = controlsOf(
  Object.fromEntries(
    Object.entries(referenceMemos).map(([name, memo]) => [name, { order: { memo } }]),
  ),
);

/** What a world was played on, as far as a scenario of it depends on that; the embedded reference unless told. */
export type PlayedOn = Pick<Target, 'clock' | 'controls'>;

function recordingOf({ plan, history, context }: WorldRun, on?: PlayedOn): Recording {
  const { cast } = context;
  return {
    records: history.records,
    controls: on ? controlsOf(on.controls) : memoControls,
    facts: {
      clock: { kind: on?.clock.kind ?? 'virtual', offset: context.offset },
      parties: Object.fromEntries(
        castNames.flatMap((name) => {
          const party = plan.parties.find((one) => one.name === name);
          return party ? [[name, { role: party.role, baseUrl: '' }]] : [];
        }),
      ),
      party: (name) => ({ partyId: cast[name]?.partyId ?? '' }),
    },
  };
}

/** The same finding with what was expected and seen, as rules tell it; what only the inside tells has neither. */
function failureOf(run: WorldRun, finding: WorldFinding): Failure | undefined {
  const [requirement] = finding.requirements;
  if (requirement === undefined) return undefined;
  const rules = allRules.filter(({ id }) => id === finding.rule);
  const judged = applyRules(rules, () => viewOf(run.history, run.context), requirements);
  const alike = judged
    .flatMap(({ failures }) => failures)
    .filter((one) => one.requirement === requirement)
    .find(({ message }) => kindOfMessage(message) === kindOfMessage(finding.message));
  const { message, exchanges } = finding;
  return alike ?? { requirement, outcome: 'fail', message, exchanges };
}

/** @param shownBy what the head of the scenario names as its origin, such as the seed of the world. */
export async function worldScenario(
  run: WorldRun,
  finding: WorldFinding,
  target: TrialTarget,
  shownBy: string,
  on?: PlayedOn,
): Promise<WorldScenario> {
  const failure = failureOf(run, finding);
  if (!failure) return { ok: false, reasons: ['it can only be seen from the inside'] };
  const chosen: Chosen = { source: finding.rule, driver: () => true, failure };
  const search = await reproduceFailure(chosen, shownBy, recordingOf(run, on), target);
  if (!search.ok) return { ok: false, reasons: search.reasons };
  const { reproduction, proof } = search.found;
  return {
    ok: true,
    text: scenarioText(reproduction),
    steps: reproduction.steps.length,
    proof,
  };
}
