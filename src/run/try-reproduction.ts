import type { Tamper } from '../reference/http/index.ts';
import type { Assignment } from '../spec/gaps/index.ts';
import { load, type Scenario } from '../scenario/language/load.ts';
import { renderSourceErrors } from '../yaml/index.ts';
import { type ChosenTarget, type OpenOptions, openTarget, TargetLost } from './open.ts';
import { playOnReference } from './play-embedded.ts';
import type { PlayedScenario } from './play-run.ts';
import { onlyNeededParties, playTogether, transportFor } from './play-target.ts';

/** Target on which a reproduction must fail. */
export interface TrialTarget extends Pick<OpenOptions, 'secrets'> {
  readonly chosen: ChosenTarget;
  readonly seed: bigint;
  readonly tamper?: (() => Tamper) | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  /** True if no time is left for another trial. */
  readonly isSpent?: (() => boolean) | undefined;
}

/** Result of playing a scenario. `steps`: a step failed. `rule`: only a rule failed. */
export interface Trial {
  readonly failed: 'steps' | 'rule' | 'no';
  readonly messages: readonly string[];
  /** Requirements that rules found broken. For a finding without a requirement: the id of the rule. */
  readonly broken: ReadonlySet<string>;
  /** True if the play ended without a usable result. */
  readonly isUndecided: boolean;
}

/** Reads a generated scenario. If it cannot be read, that is our own bug. */
export function loadWritten(text: string): Scenario {
  const file = 'reproduction.yaml';
  const none = {
    read: () => ({ reason: 'none' }),
    resolve: (_: string, wanted: string) => wanted,
  };
  const loaded = load({ file, text }, none);
  const [scenario] = loaded.ok ? loaded.scenarios : [];
  if (scenario) return scenario;
  throw new Error(loaded.ok ? 'no scenario' : renderSourceErrors(loaded.errors, text));
}

export function trialOf({ played, rules }: Pick<PlayedScenario, 'played' | 'rules'>): Trial {
  const bad = rules.flatMap(({ id, failures }) =>
    failures.flatMap(({ outcome, requirement }) => (outcome === 'fail' ? (requirement ?? id) : [])),
  );
  const [first] = played.failures;
  return {
    failed: first ? 'steps' : bad.length > 0 ? 'rule' : 'no',
    messages: [
      ...played.failures.map(({ message }) => message),
      ...(played.reason ? [played.reason] : []),
    ],
    broken: new Set(bad),
    isUndecided: played.verdict !== 'pass' && played.verdict !== 'fail',
  };
}

const undecided = (why: string): Trial => ({
  failed: 'no',
  messages: [why],
  broken: new Set(),
  isUndecided: true,
});

/** Plays a scenario on our own sound reference. `answers`: answers to gaps, in place of those that it asks for. */
export const tryOnSound = async (
  text: string,
  seed: bigint,
  answers?: Assignment,
): Promise<Trial> =>
  trialOf(await playOnReference(loadWritten(text), { seed, keepsRecords: false, answers }));

/** Plays a scenario on the target on which it must fail. */
export async function tryOnTarget(text: string, target: TrialTarget): Promise<Trial> {
  const { chosen, seed, tamper, maxWaitMs, ratePerSecond, secrets } = target;
  const scenario = loadWritten(text);
  if (chosen.kind === 'embedded') {
    return trialOf(
      await playOnReference(scenario, { seed, keepsRecords: false, tamper, maxWaitMs }),
    );
  }
  const opening = await openTarget(onlyNeededParties(chosen, [scenario]), seed, {
    maxWaitMs,
    ratePerSecond,
    ...(secrets && { secrets }),
    ...transportFor([scenario]),
  });
  if (!opening.ok) throw new TargetLost(opening.problems.join('\n'));
  try {
    const inputs = { seed, keepsRecords: true, concurrency: 1, onPlayed: () => undefined };
    const { played, rules, endedEarly } = await playTogether([scenario], opening.target, inputs);
    const [only] = played;
    if (!only) throw new Error('nothing was played');
    return endedEarly ? undecided(endedEarly.detail) : trialOf({ played: only, rules });
  } finally {
    await opening.target.close();
  }
}
