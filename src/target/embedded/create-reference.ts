import type { Clock } from '../../timeline/clock/clock.ts';
import { random as randomOf } from '../../random/random.ts';
import {
  type CastMember,
  createWorld,
  type JournalSink,
  standardOperator,
  standardParties,
  type Tamper,
  type World,
} from '../../reference/http/index.ts';
import { type Assignment, referenceAnswers } from '../../spec/gaps/index.ts';
import type { ControlName } from '../../spec/requirements/requirement.ts';

export interface ReferenceOptions {
  readonly clock: Clock;
  readonly seed: bigint;
  /** Names one of several worlds of one seed: the same parties, and ids of its own. */
  readonly world?: string;
  readonly assignment?: Assignment;
  /** In place of the standard cast. */
  readonly cast?: readonly CastMember[];
  readonly tamper?: Tamper;
  readonly journal?: JournalSink;
}

/** Where the time of an embedded reference starts: nothing of the host goes in, so runs are alike to the byte. */
export const referenceStartMs = Date.parse('2030-01-01T00:00:00.000Z');

/** A reference backend for each of the standard cast, over one state. */
export function createReference(options: ReferenceOptions): World {
  const random = randomOf(options.seed).fork('reference');
  return createWorld({
    clock: options.clock,
    random: options.world === undefined ? random : random.fork(options.world),
    assignment: options.assignment ?? referenceAnswers,
    parties: standardParties(random, options.cast),
    operator: standardOperator(random),
    ...(options.tamper && { tamper: options.tamper }),
    ...(options.journal && { journal: options.journal }),
  });
}

/** Memos that push one order of the reference off its path. */
export const referenceMemos: Readonly<Record<ControlName, string>> = {
  fail_settlement: '!revert',
  stall_settlement: '!stall',
  withdraw_order: '!withdraw',
  fail_validation: '!invalid',
};
