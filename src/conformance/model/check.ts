import type { CastName } from '../../spec/requirements/index.ts';
import { type Check, defineCheck, type Evidence, type Trial } from '../check.ts';
import type { Fields } from '../moves/index.ts';
import { type Profile, sequencesOf } from './generate.ts';
import { judgeStory, replyTold } from './judge.ts';
import { type Blamed, modelRequirements, sentences } from './sentences.ts';
import type { Story } from './operations.ts';
import { longestMs, play, type Played } from './play.ts';
import { shrink } from './shrink.ts';
import { type Sequence, sizeOf, type Step, told } from './steps.ts';

export interface ModelCheck {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  /** How many sequences are played side by side. */
  readonly sequences: number;
}

/** Most sequences that are played to find a shorter one. */
const mostReplays = 30;

/** On a clock that cannot be moved a check ends by then: a run lasts longer anyhow, for an order's life. */
const timeForAllMs = 60_000;

/** Something that the model does not explain, with how it came about. */
interface Failure {
  readonly requirement: Blamed;
  readonly story: Story;
  /** Up to which step it had come about. */
  readonly step: number;
  readonly evidence: Omit<Evidence, 'message'>;
}

interface Outcome {
  readonly failures: readonly Failure[];
  readonly exercised: readonly Blamed[];
  readonly undecided: number;
}

const seenAtMost = 12;

function stuckAt(story: Story, { stepOf }: Played): Failure {
  const last = story.operations.at(-1);
  return {
    requirement: 'order.state.executing-to-settled',
    story,
    step: stepOf.get(last?.id ?? '') ?? 0,
    evidence: {
      expected: 'SETTLED within about 4 s',
      actual: story.operations.findLast(({ status }) => status !== undefined)?.status ?? null,
      seen: story.operations.slice(-2).map(({ exchange }) => exchange),
    },
  };
}

function outcomeOf(played: Played): Outcome {
  const failures: Failure[] = [];
  const exercised: Blamed[] = [];
  let undecided = 0;
  for (const story of played.stories) {
    const judgement = judgeStory(story);
    if (judgement.kind === 'kept') exercised.push(...judgement.exercised);
    else if (judgement.kind === 'undecided') undecided += 1;
    else {
      const { requirement, culprit, before, possible } = judgement;
      const changing = before.filter(({ kind }) => kind !== 'read' && kind !== 'quotes');
      failures.push({
        requirement,
        story,
        step: played.stepOf.get(culprit.id) ?? 0,
        evidence: {
          ...(possible && { expected: `what follows from an order that is ${possible.status}` }),
          actual: replyTold(culprit),
          seen: [...changing, culprit].slice(-seenAtMost).map(({ exchange }) => exchange),
        },
      });
    }
    if (judgement.kind === 'kept' && played.stuck.includes(story)) {
      failures.push(stuckAt(story, played));
    }
  }
  return { failures, exercised, undecided };
}

const ordersOf = (step: Step): readonly string[] => {
  if (step.do === 'create') return [step.label];
  if (step.do === 'at once') return step.commands.map(({ order }) => order);
  return 'order' in step ? [step.order] : [];
};

/** What is left of a sequence without what came later and what was done to other orders. */
const guessOf = (sequence: Sequence, { step, story }: Failure, labels: Labels): Sequence =>
  sequence.slice(0, step + 1).filter((one) => {
    const orders = ordersOf(one);
    return orders.length === 0
      ? one.do === 'wait' || one.do === 'await the deadline'
      : orders.includes(labels.get(story.intentId) ?? '');
  });

type Labels = ReadonlyMap<string, string>;

const labelsOf = (sequence: Sequence, played: Played): Labels =>
  new Map(
    played.stories.flatMap(({ intentId, operations }) => {
      const creation = operations.find(({ kind }) => kind === 'create');
      const step = sequence[played.stepOf.get(creation?.id ?? '') ?? -1];
      return step?.do === 'create' ? [[intentId, step.label] as const] : [];
    }),
  );

type Replay = (sequence: Sequence) => Promise<Played | 'spent'>;

/** How long replays may go on: where waiting costs nothing their number is the bound, else what is left of the time. */
function replayer(trial: Trial, endsAt: number): Replay {
  const { timeline, clock } = trial.target;
  let replays = 0;
  return async (sequence: Sequence): Promise<Played | 'spent'> => {
    if (replays >= mostReplays) return 'spent';
    if (clock.kind === 'system' && timeline.now() + longestMs > endsAt) return 'spent';
    if (clock.kind !== 'system') {
      if (longestMs > clock.maxWaitMs) return 'spent';
      trial.mayWait(longestMs, 'a shorter sequence');
    }
    replays += 1;
    return play(trial, sequence);
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
    const failure = outcomeOf(played).failures.find(
      ({ requirement }) => requirement === found.failure.requirement,
    );
    if (!failure) return 'shows not';
    best = { sequence, failure };
    return 'shows';
  });
  return best;
}

function report(trial: Trial, { sequence, failure }: Shrunk, from: number): void {
  const { requirement, evidence } = failure;
  const actual: Fields = {
    reply: evidence.actual,
    commands: sequence.map(told),
    ...(sizeOf(sequence) < from && { shrunk: `from ${from} commands to ${sizeOf(sequence)}` }),
  };
  trial.judge(requirement, false, { ...evidence, message: sentences[requirement], actual });
}

/** What the sequences of one check share: the replays that are left, and what has been shown already. */
interface Common {
  readonly again: Replay;
  readonly shown: Set<Blamed>;
}

async function judgeSequence(trial: Trial, sequence: Sequence, common: Common): Promise<void> {
  const played = await play(trial, sequence);
  const { failures, exercised, undecided } = outcomeOf(played);
  for (const requirement of exercised) trial.judge(requirement, true, { message: '' });
  if (undecided > 0) {
    const reason = 'too many orders of effects are possible to try them all';
    trial.undecided('order.state.legal-under-race', reason);
  }
  for (const failure of failures) {
    // One mistake shows in many sequences: the first is enough.
    if (common.shown.has(failure.requirement)) continue;
    common.shown.add(failure.requirement);
    const guess = guessOf(sequence, failure, labelsOf(sequence, played));
    report(trial, await shrunk({ sequence, failure }, guess, common.again), sizeOf(sequence));
  }
}

const partiesOf: readonly CastName[] = ['sender', 'maker_a'];

/** A check that plays drawn sequences of commands side by side, and holds each order's history to the model. */
export const modelCheck = ({ id, title, profile, sequences }: ModelCheck): Check =>
  defineCheck({
    id,
    title,
    requirements: modelRequirements,
    needs: { parties: [...partiesOf], waitMs: longestMs },
    async run(trial) {
      const { timeline } = trial.target;
      const again = replayer(trial, timeline.now() + timeForAllMs);
      const common = { again, shown: new Set<Blamed>() };
      const drawn = await timeline.turn(() => sequencesOf(profile, trial.random, sequences));
      await timeline.together(
        drawn.map((sequence, index) => [
          `${id} ${index + 1}`,
          () => judgeSequence(trial, sequence, common),
        ]),
      );
    },
  });
