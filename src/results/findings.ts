import type { Deviation } from '../spec/deviations.ts';
import type { EventName } from '../spec/events.ts';
import type { DepartureName } from '../spec/excuses.ts';
import type { Must } from './must.ts';
import type { FindingOutcome } from './verdicts.ts';

/** What was wrong with one exercise. */
export interface Violation {
  /** A sentence in the past tense, the same in every run: ids and values belong into the other fields. */
  readonly message: string;
  /** The kind of departure, where its requirement does not say it. */
  readonly deviation?: Deviation;
  /** The value that had to be there. */
  readonly expected?: unknown;
  /** All that had to be there, where that is no single value. */
  readonly must?: Must;
  readonly actual?: unknown;
  /** Names of fields that it is about, beside that of its requirement: any of them may be wrong. */
  readonly fields?: readonly string[];
  /** The event that did not come, where its requirement names none. */
  readonly event?: EventName;
  /** The defect of the token with which a request was let through. */
  readonly token?: string;
  /** Ids of exchanges and frames that show it. */
  readonly evidence: readonly string[];
  /**
   * Where an open question excuses it: in which circumstances it was seen. Once the target did otherwise in the same
   * circumstances again and again, it has answered the question, and the excuse is closed.
   */
  readonly circumstances?: string | undefined;
  /** No answer to the open question admits it, or this target has answered otherwise: it fails, whatever its level. */
  readonly closed?: true;
}

/** A departure that is no failure, and the open question for which it is none. */
export interface Excused extends Violation {
  /** `vague`: the words of the requirement are, and its entry in the catalogue names the question. */
  readonly departure: DepartureName | 'vague';
}

/** One exercise of a requirement, as a check or a rule saw it. The report is made of these. */
export interface Finding extends Partial<Violation> {
  readonly requirement: string;
  readonly outcome: FindingOutcome;
  /** How many equal findings this one counts for, itself included; one where absent. */
  readonly times?: number;
  readonly evidence: readonly string[];
}

/**
 * Collects what one check or one rule finds; passes are counted, not kept, since there may be millions. Properties and
 * not methods: of methods the compiler lets a wider kind of id through.
 */
export interface Findings<Id extends string> {
  /**
   * @param times how many equal passes it counts for
   * @param circumstances as those of a violation, which these passes may rule out
   */
  readonly pass: (
    requirement: Id,
    evidence: string,
    times?: number,
    circumstances?: string,
  ) => void;
  readonly fail: (requirement: Id, violation: Violation) => void;
  readonly warn: (requirement: Id, violation: Excused) => void;
  /** What was seen admits both answers. */
  readonly inconclusive: (requirement: Id, violation: Excused) => void;
  /** Passes or fails; answers `holds`. The violation is only put together when it is needed. */
  readonly assert: (
    requirement: Id,
    holds: boolean,
    evidence: string,
    violation: () => Violation,
  ) => boolean;
}

/** Findings of one requirement and outcome that are kept one by one; the rest are counted with the last of them. */
const maxDetailed = 20;

interface CountedFinding {
  times: number;
  readonly finding: Finding;
}

/** A question is answered by so many exercises at least, */
const timesThatClose = 20;
/** and by so many for each one that went otherwise. */
const timesAsOften = 20;

/** Whether a target has answered an open question: what it does now and then it has not ruled out. */
export const isAnswered = (asThat: number, otherwise: number): boolean =>
  asThat >= Math.max(timesThatClose, timesAsOften * otherwise);

/** Hears of every exercise one by one. */
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

/** @param circumstancesOf those of a requirement that an open question excuses, by the exchange or frame that shows them */
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
      if (last && kept.length >= maxDetailed) last.times += 1;
      else kept.push({ times: 1, finding: { requirement, outcome, ...what } });
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
      passes.set(circumstances, { times, finding });
    }
  };

  /** A departure as it counts when all is known. */
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
      ].map(({ times, finding }) => ({ ...inTheEnd(finding), ...(times > 1 && { times }) })),
  };
}
