import type { FindingOutcome } from './verdicts.ts';

/** What was wrong with one exercise. */
export interface Violation {
  /** A sentence in the past tense, the same in every run: ids and values belong into the other fields. */
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of exchanges and frames that show it. */
  readonly evidence: readonly string[];
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
  /** @param times how many equal passes it counts for */
  readonly pass: (requirement: Id, evidence: string, times?: number) => void;
  readonly fail: (requirement: Id, violation: Violation) => void;
  readonly warn: (requirement: Id, violation: Violation) => void;
  /** What was seen admits both answers. */
  readonly inconclusive: (requirement: Id, violation: Violation) => void;
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

export function createFindings(): Findings<string> & { collected(): Finding[] } {
  const passes = new Map<string, CountedFinding>();
  const violations = new Map<string, CountedFinding[]>();

  const violation =
    (outcome: Exclude<FindingOutcome, 'pass'>) => (requirement: string, what: Violation) => {
      const key = `${outcome} ${requirement}`;
      const kept = violations.get(key) ?? [];
      if (kept.length === 0) violations.set(key, kept);
      const last = kept.at(-1);
      if (last && kept.length >= maxDetailed) last.times += 1;
      else kept.push({ times: 1, finding: { requirement, outcome, ...what } });
    };
  const fail = violation('fail');

  const pass = (requirement: string, evidence: string, times = 1): void => {
    const kept = passes.get(requirement);
    if (kept) kept.times += times;
    else {
      const finding = { requirement, outcome: 'pass', evidence: [evidence] } as const;
      passes.set(requirement, { times, finding });
    }
  };

  return {
    pass,
    fail,
    warn: violation('warn'),
    inconclusive: violation('inconclusive'),
    assert(requirement, holds, evidence, otherwise) {
      if (holds) pass(requirement, evidence);
      else fail(requirement, otherwise());
      return holds;
    },
    collected: () =>
      [...passes.values(), ...[...violations.values()].flat()].map(({ times, finding }) =>
        times === 1 ? finding : { ...finding, times },
      ),
  };
}
