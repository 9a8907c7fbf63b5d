import type { Clock } from '../../timeline/clock/clock.ts';
import { random as randomOf } from '../../random/random.ts';
import {
  type CastMember,
  createWorld,
  standardOperator,
  standardParties,
  type Tamper,
  unseededKey,
  type World,
  worldConfigOf,
} from '../../reference/http/index.ts';
import { type JournalHead, journalHead, type OpenJournal } from '../../reference/journal/index.ts';
import { formatSeed } from '../../random/seed.ts';
import { type Assignment, referenceAnswers } from '../../spec/gaps/index.ts';
import type { ControlName } from '../../spec/requirements/requirement.ts';

export interface ReferenceOptions {
  readonly clock: Clock;
  readonly seed: bigint;
  /** Names one of several worlds of one seed: the same parties, and ids of its own. */
  readonly world?: string | undefined;
  readonly assignment?: Assignment;
  /** Replaces the standard cast. */
  readonly cast?: readonly CastMember[];
  readonly tamper?: Tamper | undefined;
  /** Journal to continue from and write to. Its head is from `referenceHead`: same seed, world and assignment. */
  readonly journal?: OpenJournal;
  /** Replaces the draws for each command. */
  readonly entropy?: () => string;
}

/** Start time of an embedded reference: nothing of the host goes in, so runs are alike to the byte. */
export const referenceStartMs = Date.parse('2030-01-01T00:00:00.000Z');

/**
 * Start time for the whole suite: half an hour before a day ends, so that checks run through midnight without a day of
 * heartbeats on every stream before it.
 */
export const checkStartMs = referenceStartMs - 1_800_000;

type Made = Pick<ReferenceOptions, 'seed' | 'world' | 'assignment' | 'cast'>;

function partsOf({ seed, world, cast, assignment = referenceAnswers }: Made) {
  const random = randomOf(seed).fork('reference');
  return {
    random: world === undefined ? random : random.fork(world),
    assignment,
    parties: standardParties(random, cast),
    operator: standardOperator(random),
  };
}

/** A reference backend for each of the standard cast, over one state. */
export function createReference(options: ReferenceOptions): World {
  const { clock, tamper, journal, entropy } = options;
  return createWorld({
    clock,
    ...partsOf(options),
    ...(tamper && { tamper }),
    ...(journal && { journal }),
    ...(entropy && { entropy }),
  });
}

/** The head of a new journal for a reference that is made with the same options. */
export function referenceHead(
  options: Made & {
    readonly clock: 'system' | 'virtual';
    readonly mutation?: string | undefined;
    /** Milliseconds since the epoch. */
    readonly startedAt: number;
  },
): JournalHead {
  const { seed, clock, mutation, startedAt } = options;
  const parts = partsOf(options);
  const signingKey = unseededKey(parts.assignment['token.algorithm']);
  const origin = {
    seed: formatSeed(seed),
    clock,
    ...(mutation !== undefined && { mutation }),
    ...(signingKey && { signingKey }),
  };
  return journalHead(origin, worldConfigOf(parts), startedAt);
}

/** Memos that push one order of the reference off its path. */
export const referenceMemos: Readonly<Record<ControlName, string>> = {
  fail_settlement: '!revert',
  stall_settlement: '!stall',
  withdraw_order: '!withdraw',
  fail_validation: '!invalid',
};
