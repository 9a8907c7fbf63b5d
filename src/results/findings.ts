import type { Deviation } from '../spec/deviations.ts';
import type { EventName } from '../spec/events.ts';
import type { DepartureName } from '../spec/excuses.ts';
import type { Must } from './must.ts';
import type { FindingOutcome } from './verdicts.ts';

/** Details of one exercise that went wrong. */
export interface Violation {
  /** A sentence in the past tense, identical in every run: ids and values belong in the other fields. */
  readonly message: string;
  /** The kind of departure, if its requirement does not state it. */
  readonly deviation?: Deviation;
  /** The value that had to be there. */
  readonly expected?: unknown;
  /** Condition on the value, if there is no single expected value. */
  readonly must?: Must;
  readonly actual?: unknown;
  /** Names of further fields that may be wrong, besides the field of its requirement. */
  readonly fields?: readonly string[];
  /** The event that did not come, if its requirement names none. */
  readonly event?: EventName;
  /** The defect of the token with which a request was let through. */
  readonly token?: string;
  /** Ids of exchanges and frames that show it. */
  readonly evidence: readonly string[];
  /**
   * Circumstances of the exercise, if an open question excuses the violation. If the target did otherwise many times in
   * the same circumstances, it has answered the question, and the excuse is closed.
   */
  readonly circumstances?: string | undefined;
  /** No answer to the open question admits it, or this target has answered otherwise: it fails at any level. */
  readonly closed?: true;
}

/** A departure that counts as no failure, with the open question that excuses it. */
export interface Excused extends Violation {
  /** `vague`: the requirement itself is vague, and its catalogue entry names the question. */
  readonly departure: DepartureName | 'vague';
}

/** One exercise of a requirement, as a check or a rule saw it. The report is made of these. */
export interface Finding extends Partial<Violation> {
  readonly requirement: string;
  readonly outcome: FindingOutcome;
  /** Number of equal findings that this one stands for, itself included. Absent: 1. */
  readonly times?: number;
  readonly evidence: readonly string[];
  /**
   * The record that shows it, then one record for each equal finding that is not kept. Absent: the last of `evidence`
   * alone.
   */
  readonly shownBy?: readonly string[];
}

/**
 * Collects the findings of one check or one rule. Passes are counted, not kept, since there may be millions. Properties
 * and not methods: for methods the compiler accepts a wider type of id.
 */
export interface Findings<Id extends string> {
  /**
   * @param times number of equal passes that it counts for
   * @param circumstances as in a violation; passes in the same circumstances may close its excuse
   */
  readonly pass: (
    requirement: Id,
    evidence: string,
    times?: number,
    circumstances?: string,
  ) => void;
  readonly fail: (requirement: Id, violation: Violation) => void;
  readonly warn: (requirement: Id, violation: Excused) => void;
  /** The evidence admits both answers. */
  readonly inconclusive: (requirement: Id, violation: Excused) => void;
  /** Passes or fails; returns `holds`. The violation is only built if it is needed. */
  readonly assert: (
    requirement: Id,
    holds: boolean,
    evidence: string,
    violation: () => Violation,
  ) => boolean;
}

/** Findings of one requirement and outcome that are kept one by one; the rest are counted with the last of them. */
const maxDetailed = 20;

/** The record of some evidence that shows a departure: the last one. The others led there. An id may be empty. */
const decisiveOf = (evidence: readonly string[]): string[] =>
  evidence.filter((id) => id !== '').slice(-1);

/** One record for each departure that a finding or a failure stands for. */
export const recordsThatShow = (
  { shownBy }: Pick<Finding, 'shownBy'>,
  evidence: readonly string[],
): readonly string[] => shownBy ?? decisiveOf(evidence);

interface CountedFinding {
  times: number;
  readonly finding: Finding;
  /** See `shownBy` of a finding. Empty for passes. */
  readonly shownBy: string[];
}

/** Minimum number of passes that answers an open question. */
const timesThatClose = 20;
/** Minimum number of passes for each departure. */
const timesAsOften = 20;

/** True if the target has answered an open question. A departure that is seen now and then keeps the question open. */
export const isAnswered = (asThat: number, otherwise: number): boolean =>
  asThat >= Math.max(timesThatClose, timesAsOften * otherwise);

/** Called for every exercise. */
export type ExerciseListener = (
  requirement: string,
  outcome: FindingOutcome,
  evidence: readonly string[],
  times: number,
) => void;

/** The passes and departures of one requirement. If an open question excuses it, they are counted by circumstances. */
interface Counts {
  readonly circumstancesOf: ((evidence: string) => string | undefined) | undefined;
  readonly passes: Map<string | undefined, CountedFinding>;
  readonly departures: Map<string, number>;
}

/** @param circumstancesOf circumstances by exchange or frame id, for a requirement that an open question excuses */
export function createFindings(
  circumstancesOf: (requirement: string) => Counts['circumstancesOf'] = () => undefined,
  exercised?: ExerciseListener,
): Findings<string> & { collected(): Finding[] } {
  const counts = new Map<string, Counts>();
  const violations = new Map<string, CountedFinding[]>();

  function countsOf(requirement: string): Counts {
    const known = counts.get(requirement);
    if (known) return known;
    const of = circumstancesOf(requirement);
    const now = { circumstancesOf: of, passes: new Map(), departures: new Map() };
    counts.set(requirement, now);
    return now;
  }

  const violation =
    (outcome: Exclude<FindingOutcome, 'pass'>) =>
    (requirement: string, excused: Violation & Partial<Excused>) => {
      const { departure: _, ...what } = excused;
      const { circumstances } = what;
      exercised?.(requirement, outcome, what.evidence, 1);
      if (circumstances !== undefined) {
        const { departures } = countsOf(requirement);
        departures.set(circumstances, (departures.get(circumstances) ?? 0) + 1);
      }
      const key = [outcome, requirement, circumstances].join(' ');
      const kept = violations.get(key) ?? [];
      if (kept.length === 0) violations.set(key, kept);
      const last = kept.at(-1);
      const shownBy = decisiveOf(what.evidence);
      if (last && kept.length >= maxDetailed) {
        last.times += 1;
        const equal = kept.find(({ finding }) => finding.message === what.message);
        equal?.shownBy.push(...shownBy);
      } else kept.push({ times: 1, finding: { requirement, outcome, ...what }, shownBy });
    };
  const fail = violation('fail');

  const pass: Findings<string>['pass'] = (requirement, evidence, times = 1, given) => {
    exercised?.(requirement, 'pass', [evidence], times);
    const { passes, circumstancesOf } = countsOf(requirement);
    const circumstances = given ?? circumstancesOf?.(evidence);
    const kept = passes.get(circumstances);
    if (kept) kept.times += times;
    else {
      const finding = { requirement, outcome: 'pass', evidence: [evidence] } as const;
      passes.set(circumstances, { times, finding, shownBy: [] });
    }
  };

  /** Final form of a departure: a failure if its excuse was closed. */
  const inTheEnd = ({ circumstances, ...found }: Finding): Finding => {
    if (circumstances === undefined || found.closed) return found;
    const { passes, departures } = countsOf(found.requirement);
    const otherwise = passes.get(circumstances);
    if (!otherwise || !isAnswered(otherwise.times, departures.get(circumstances) ?? 0))
      return found;
    return {
      ...found,
      outcome: 'fail',
      message: `${found.message}, where it was not in the same circumstances again and again`,
      evidence: [...found.evidence, ...otherwise.finding.evidence],
      closed: true,
    };
  };

  return {
    pass,
    fail,
    warn: violation('warn'),
    inconclusive: violation('inconclusive'),
    assert(requirement, holds, evidence, otherwise) {
      if (holds) pass(requirement, evidence);
      else
        fail(requirement, {
          circumstances: countsOf(requirement).circumstancesOf?.(evidence),
          ...otherwise(),
        });
      return holds;
    },
    collected: () =>
      [
        ...[...counts.values()].flatMap(({ passes }) => [...passes.values()]),
        ...[...violations.values()].flat(),
      ].map(({ times, finding, shownBy }) => ({
        ...inTheEnd(finding),
        ...(times > 1 && { times }),
        ...(shownBy.length > 0 && { shownBy }),
      })),
  };
}
