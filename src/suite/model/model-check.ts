import type { CastName } from '../../spec/requirements/index.ts';
import type { Check, Evidence, CheckContext } from '../engine/check.ts';
import type { Fields } from '../../protocol/answers.ts';
import {
  type Profile,
  sequencesOf,
  describeStep,
  type Sequence,
  sizeOf,
  type Step,
} from './sequences.ts';
import {
  callsOf,
  compareWithModel,
  modelRequirements,
  violationOf,
} from '../../oracle/model/linearize.ts';
import { longestMs, play, type PlayedOrder, type PlayedSequence } from './play-sequence.ts';
import { type Attempt, shrinkSteps } from '../../shrink/shrink-steps.ts';

/** One step made smaller, the smallest first. */
function smaller(step: Step): Step[] {
  if (step.do === 'at once') {
    const { commands } = step;
    const without = commands.map((_, left) => ({
      ...step,
      commands: commands.filter((__, index) => index !== left),
    }));
    return [...commands, ...(commands.length > 2 ? without : [])];
  }
  if (step.do === 'quote') {
    return [
      ...(step.validity === 'usual' ? [] : [{ ...step, validity: 'usual' as const }]),
      ...(step.rate === '1' ? [] : [{ ...step, rate: '1' }]),
    ];
  }
  return step.do === 'create' && step.maximum === 'tight' ? [{ ...step, maximum: 'ample' }] : [];
}

/**
 * The shortest sequence found that still shows the failure: leaves steps out and makes them smaller, as long as that
 * helps and there is time.
 * @param guess a shorter sequence that may show the failure already
 */
async function shrink(sequence: Sequence, guess: Sequence, attempt: Attempt<Sequence>) {
  const isShorter = guess.length < sequence.length && (await attempt(guess)) === 'shows';
  return shrinkSteps(isShorter ? guess : sequence, { smaller }, attempt);
}

export interface ModelCheck {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  /** Number of sequences that are played side by side. */
  readonly sequences: number;
}

/** Maximum number of sequences that are played to find a shorter one. */
const mostReplays = 30;

/** Bound of a check on a clock that cannot be moved. A run lasts longer anyhow, because of an order's life. */
const timeForAllMs = 60_000;

const settles = 'order.state.executing-to-settled';
const requirements = [...modelRequirements, settles] as const;
type Judged = (typeof requirements)[number];

/** A failure that the model does not explain, with the order that shows it. */
interface Failure {
  readonly requirement: Judged;
  readonly order: PlayedOrder;
  /** Index of the step by which it had happened. */
  readonly step: number;
  readonly evidence: Evidence;
}

interface SequenceOutcome {
  readonly failures: readonly Failure[];
  readonly exercised: readonly Judged[];
  readonly undecided: number;
}

function stuckAt(order: PlayedOrder, { stepOf }: PlayedSequence): Failure {
  const { operations } = order.history;
  return {
    requirement: settles,
    order,
    step: stepOf.get(operations.at(-1)?.id ?? '') ?? 0,
    evidence: {
      message: 'An order stayed on its way to settlement for 15 s.',
      must: { words: 'SETTLED within about 4 s' },
      actual: operations.findLast(({ status }) => status !== undefined)?.status ?? null,
      seen: operations.slice(-2).map(({ call }) => call.exchange),
    },
  };
}

function sequenceOutcomeOf(played: PlayedSequence): SequenceOutcome {
  const failures: Failure[] = [];
  const exercised: Judged[] = [];
  let undecided = 0;
  for (const order of played.orders) {
    const comparison = compareWithModel(order.history);
    if (comparison.kind === 'undecided') undecided += 1;
    else if (comparison.kind === 'kept') {
      exercised.push(...comparison.exercised.map(([requirement]) => requirement));
      if (order.history.seen.has('SETTLED')) exercised.push(settles);
      if (order.isStuck) failures.push(stuckAt(order, played));
    } else {
      failures.push({
        requirement: comparison.requirement,
        order,
        step: played.stepOf.get(comparison.culprit.id) ?? 0,
        evidence: {
          ...violationOf(comparison),
          seen: callsOf(comparison).map(({ exchange }) => exchange),
        },
      });
    }
  }
  return { failures, exercised, undecided };
}

const ordersOf = (step: Step): readonly string[] => {
  if (step.do === 'create') return [step.label];
  if (step.do === 'at once') return step.commands.map(({ order }) => order);
  return 'order' in step ? [step.order] : [];
};

/** The sequence without later steps and without the steps on other orders. */
const firstGuess = (sequence: Sequence, { step, order }: Failure) =>
  sequence.slice(0, step + 1).filter((one) => {
    const orders = ordersOf(one);
    return orders.length === 0
      ? one.do === 'wait' || one.do === 'await the deadline'
      : orders.includes(order.label);
  });

type Replay = (sequence: Sequence) => Promise<PlayedSequence | 'spent'>;

/** Bounds the replays: by their number if waiting costs nothing, else also by the time that is left. */
function replayer(t: CheckContext, endsAt: number): Replay {
  const { timeline, clock } = t.target;
  let replays = 0;
  return async (sequence: Sequence): Promise<PlayedSequence | 'spent'> => {
    if (replays >= mostReplays) return 'spent';
    if (clock.kind === 'system' && timeline.now() + longestMs > endsAt) return 'spent';
    if (clock.kind !== 'system') {
      if (longestMs > clock.maxWaitMs) return 'spent';
      t.allowWait(longestMs, 'a shorter sequence');
    }
    replays += 1;
    return play(t, sequence);
  };
}

interface Shrunk {
  readonly sequence: Sequence;
  readonly failure: Failure;
}

async function shrunk(found: Shrunk, guess: Sequence, again: Replay): Promise<Shrunk> {
  let best = found;
  await shrink(found.sequence, guess, async (sequence) => {
    const played = await again(sequence);
    if (played === 'spent') return 'spent';
    const failure = sequenceOutcomeOf(played).failures.find(
      ({ requirement }) => requirement === found.failure.requirement,
    );
    if (!failure) return 'shows not';
    best = { sequence, failure };
    return 'shows';
  });
  return best;
}

function report(t: CheckContext, { sequence, failure }: Shrunk, from: number): void {
  const { requirement, evidence } = failure;
  const actual: Fields = {
    reply: evidence.actual,
    commands: sequence.map(describeStep),
    ...(sizeOf(sequence) < from && { shrunk: `from ${from} commands to ${sizeOf(sequence)}` }),
  };
  t.assert(requirement, false, { ...evidence, actual });
}

/** State shared by the sequences of one check: the replays left, and the requirements already reported. */
interface SharedState {
  readonly again: Replay;
  readonly shown: Set<Judged>;
}

async function checkSequence(t: CheckContext, sequence: Sequence, common: SharedState) {
  const played = await play(t, sequence);
  const { failures, exercised, undecided } = sequenceOutcomeOf(played);
  for (const requirement of exercised) t.assert(requirement, true, { message: '' });
  if (undecided > 0) {
    const reason = 'too many orders of effects are possible to try them all';
    t.inconclusive('order.state.legal-under-race', reason);
  }
  for (const failure of failures) {
    // One mistake shows in many sequences: the first is enough.
    if (common.shown.has(failure.requirement)) continue;
    common.shown.add(failure.requirement);
    const guess = firstGuess(sequence, failure);
    report(t, await shrunk({ sequence, failure }, guess, common.again), sizeOf(sequence));
  }
}

const partiesOf: readonly CastName[] = ['sender', 'maker_a'];

/** A check that plays drawn sequences of commands side by side, and holds each order's history to the model. */
export const modelCheck = ({ id, title, profile, sequences }: ModelCheck): Check => ({
  id,
  title,
  requirements,
  needs: { parties: [...partiesOf], waitMs: longestMs },
  async run(t) {
    const { timeline } = t.target;
    const again = replayer(t, timeline.now() + timeForAllMs);
    const common = { again, shown: new Set<Judged>() };
    const drawn = await timeline.turn(() => sequencesOf(profile, t.random, sequences));
    await timeline.together(
      drawn.map((sequence, index) => [
        `${id} ${index + 1}`,
        () => checkSequence(t, sequence, common),
      ]),
    );
  },
});
