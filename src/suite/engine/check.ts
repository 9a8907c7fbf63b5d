import type { Party, Target } from '../../client/contract.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import type { Random } from '../../random/random.ts';
import type { CastName, Needs } from '../../spec/requirements/requirement.ts';
import type { Violation } from '../../results/findings.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';

/** Drives parties to exercise requirements, and asserts only what a history cannot show. */
export interface Check {
  /** A stable name, as `order.cancel.by-outsider`; it never shifts with its place in a file. */
  readonly id: string;
  /** The situation that it drives and the content of the clause, in our words. */
  readonly title: string;
  /**
   * The requirements that it exercises. The rules judge them over the history; its own assertions judge only what a
   * history cannot show.
   */
  readonly requirements: readonly RequirementId[];
  readonly needs: Needs & { readonly parties: readonly CastName[] };
  /** Approximate duration if longer than its wait: it then starts together with checks that wait as long. */
  readonly takesMs?: number;
  /**
   * All of it runs as one quiet section (see CheckContext.exclusively): for checks that only walk over pages, which
   * any creation may shift, and that wait for nothing.
   */
  readonly exclusive?: true;
  /**
   * It is run again at ages of the run: after some minutes, after an hour, and on a new day. The report has one entry
   * for all of its runs. `in_turns`: one half of these checks is run at one age, and the other half at the next.
   */
  readonly ages?: true | 'in_turns';
  /**
   * Amounts, currencies and rates that its actions leave open are drawn, at the edges of the usual range. Absent: they
   * are round.
   */
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
  /** Records that a requirement was exercised, and if it held. Never throws; returns `holds`. */
  assert(requirement: RequirementId, holds: boolean, otherwise: Evidence): boolean;
  /** Like `assert`, but a failure is only a warning: for vague words, and consistency within a gap. */
  warnUnless(requirement: RequirementId, holds: boolean, otherwise: Evidence): boolean;
  /** Records that the evidence admits both outcomes. */
  inconclusive(requirement: RequirementId, reason: string): void;
  /**
   * Ends the check: its situation did not come about (a precondition failed). Earlier findings stand; the other
   * requirements are not exercised, with this reason.
   */
  notExercised(reason: string, seen?: readonly (Exchange | Frame)[]): never;
  /** Ends the check: only now it shows that this target lacks something that the check needs. */
  outOfScope(reason: string): never;
  /**
   * Announces a wait longer than the check's needs state, for example if this target's orders live for an hour. Ends
   * the check as out of scope if that is longer than the target's `max_wait`.
   */
  allowWait(ms: number, forWhat: string): void;
  /** Tells the rules that a control pushed this order off its path: its end and its times are the control's doing. */
  markDisturbed(intentId: string): void;
  /**
   * Runs a body during which no other check of this run calls the target. For short sequences of calls, like a walk
   * over pages: other calls wait meanwhile. Earlier operations (a settlement, an expiry) go on.
   */
  exclusively<T>(body: () => Promise<T>): Promise<T>;
  /**
   * Runs a body of a few calls between which no time is to pass. Like `exclusively` if time goes on by itself. If time
   * is driven over the network, it stands still meanwhile, and others may call.
   */
  inOneMoment<T>(body: () => Promise<T>): Promise<T>;
  /** No other check of this run changes anything while the body runs, which only reads; others may read meanwhile. */
  whileUnchanged<T>(body: () => Promise<T>): Promise<T>;
  /**
   * Runs a body whose calls go ahead of those that queue for the target's pace. For a few calls that must arrive
   * within a second of a deadline.
   */
  promptly<T>(body: () => Promise<T>): Promise<T>;
}

/** Keeps a check's id and its requirements typed in the file that defines it. */
export const defineCheck = (check: Check): Check => check;
