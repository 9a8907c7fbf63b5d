import type { RequirementId } from '../spec/requirements/index.ts';
import type { Finding, Rule } from './rule.ts';
import type { HistoryView } from './trace/history-view.ts';

/** What was wrong with one exercise. */
export interface Violation {
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly evidence: readonly string[];
}

/** Collects what a rule sees; passes are counted, not kept, since there may be millions. */
export interface Findings<Id extends string> {
  /** @param times how many passes alike it stands for */
  pass(requirement: Id, evidence: string, times?: number): void;
  fail(requirement: Id, violation: Violation): void;
  warn(requirement: Id, violation: Violation): void;
  /** What was seen admits both answers. */
  inconclusive(requirement: Id, violation: Violation): void;
  /** Passes or fails; answers `holds`. The blame is only put together when it is needed. */
  assert(requirement: Id, holds: boolean, evidence: string, violation: () => Violation): boolean;
}

/** Blames of one requirement and outcome that are told one by one; the rest are counted with the last of them. */
const maxDetailed = 20;

interface CountedFinding {
  times: number;
  readonly finding: Finding;
}

function createFindings(): Findings<RequirementId> & { collected(): Finding[] } {
  const passes = new Map<RequirementId, CountedFinding>();
  const fails = new Map<string, CountedFinding[]>();

  const violation =
    (outcome: 'fail' | 'warn' | 'inconclusive') =>
    (requirement: RequirementId, what: Violation) => {
      const key = `${outcome} ${requirement}`;
      const kept = fails.get(key) ?? [];
      if (kept.length === 0) fails.set(key, kept);
      const last = kept.at(-1);
      if (last && kept.length >= maxDetailed) last.times += 1;
      else kept.push({ times: 1, finding: { requirement, outcome, ...what } });
    };
  const fail = violation('fail');

  const pass = (requirement: RequirementId, evidence: string, times = 1): void => {
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
      [...passes.values(), ...[...fails.values()].flat()].map(({ times, finding }) =>
        times === 1 ? finding : { ...finding, times },
      ),
  };
}

/** Keeps a rule to the requirements that it announces, at compile time. */
export function defineRule<const Id extends RequirementId>(rule: {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly Id[];
  judge(view: HistoryView, findings: Findings<Id>): void;
}): Rule {
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    judge(view) {
      const findings = createFindings();
      rule.judge(view, findings);
      return findings.collected();
    },
  };
}
