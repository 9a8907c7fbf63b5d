import type { Party, Target } from '../../client/contract.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import type { Random } from '../../random/random.ts';
import type { CastName, Needs } from '../../spec/requirements/requirement.ts';
import type { Violation } from '../../results/findings.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';

/** Drives parties in order to exercise requirements, and judges what only it can know. */
export interface Check {
  /** A stable name, as `order.cancel.by-outsider`; it never shifts with its place in a file. */
  readonly id: string;
  /** What it drives and what the clause says, in our words. */
  readonly title: string;
  /**
   * The requirements that it exercises. The rules judge them over the history; its own assertions judge only what a
   * history cannot show.
   */
  readonly requirements: readonly RequirementId[];
  readonly needs: Needs & { readonly parties: readonly CastName[] };
  /** About how long it takes where that is more than the wait that it needs: it begins with those that wait as long. */
  readonly takesMs?: number;
  /**
   * All of it runs as one quiet section (see CheckContext.quietly): for checks that only walk over pages, which any creation
   * may shift, and that wait for nothing.
   */
  readonly exclusive?: true;
  /**
   * It is run again when the run has gone on for some minutes, an hour, into a new day: all that it finds is one entry.
   * `in_turns`: of the checks that say so, one half is run at one age and the other half at the next.
   */
  readonly ages?: true | 'in_turns';
  /** Amounts, currencies and rates that its actions leave open are drawn, at the edges of what is usual. Absent: they are round. */
  readonly draws?: true;
  run(t: CheckContext): Promise<void>;
}

export interface Evidence extends Omit<Violation, 'evidence' | 'circumstances' | 'closed'> {
  readonly seen?: readonly (Exchange | Frame)[];
}

/** One run of one check. */
export interface CheckContext {
  readonly target: Target;
  readonly random: Random;
  /** See {@link Check.draws}. */
  readonly draws: boolean;
  party(name: CastName): Party;
  /** Records that a requirement was exercised, and whether it held. Never throws; answers `holds`. */
  assert(requirement: RequirementId, holds: boolean, otherwise: Evidence): boolean;
  /** As judge, for what can only be a warning: vague words, and consistency within a gap. */
  warnUnless(requirement: RequirementId, holds: boolean, otherwise: Evidence): boolean;
  /** Records that what was seen admits both answers. */
  inconclusive(requirement: RequirementId, reason: string): void;
  /**
   * Ends the check: what it wanted to exercise did not come about (the ground could not be laid). Whatever was
   * judged before stands; the rest is not exercised, with this reason.
   */
  notExercised(reason: string, seen?: readonly (Exchange | Frame)[]): never;
  /** Ends the check: this target does not offer what it takes, which showed only now. */
  outOfScope(reason: string): never;
  /**
   * Announces a wait longer than the check's needs said, as when this target's orders live for an hour. Ends the
   * check as out of scope where that is longer than the target's `max_wait`.
   */
  allowWait(ms: number, forWhat: string): void;
  /** Tells the rules that a control pushed this order off its path: its end and its times are the control's doing. */
  markDisturbed(intentId: string): void;
  /**
   * Runs a body during which no other check of this run calls the target. For short sequences of calls, like a walk
   * over pages: whoever wants to call meanwhile, waits. What was set off before (a settlement, an expiry) goes on.
   */
  exclusively<T>(body: () => Promise<T>): Promise<T>;
  /**
   * Runs a body of a few calls between which no time is to pass. As `exclusively` where time goes on by itself; where it
   * is moved over the network it stands meanwhile, and others may call.
   */
  inOneMoment<T>(body: () => Promise<T>): Promise<T>;
  /** No other check of this run changes anything while the body runs, which only reads; others may read meanwhile. */
  whileUnchanged<T>(body: () => Promise<T>): Promise<T>;
  /**
   * Runs a body whose calls go ahead of those that queue for the target's pace. For what must arrive within a second of
   * a deadline: a few calls, no more.
   */
  promptly<T>(body: () => Promise<T>): Promise<T>;
}

/** Keeps a check's id and its requirements typed where it is written. */
export const defineCheck = (check: Check): Check => check;
