import type { RequirementId } from '../spec/requirements/index.ts';
import type { Observation, Rule } from './rule.ts';
import type { HistoryView } from './view.ts';

/** What was wrong with one exercise. */
export interface Blame {
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly evidence: readonly string[];
}

/** Collects what a rule sees; passes are counted, not kept, since there may be millions. */
export interface Tally<Id extends string> {
  /** @param times how many passes alike it stands for */
  pass(requirement: Id, evidence: string, times?: number): void;
  fail(requirement: Id, blame: Blame): void;
  warn(requirement: Id, blame: Blame): void;
  /** What was seen admits both answers. */
  undecided(requirement: Id, blame: Blame): void;
  /** Passes or fails; answers `holds`. The blame is only put together when it is needed. */
  judge(requirement: Id, holds: boolean, evidence: string, blame: () => Blame): boolean;
}

/** Blames of one requirement and outcome that are told one by one; the rest are counted with the last of them. */
const told = 20;

interface Kept {
  times: number;
  readonly observation: Observation;
}

function createTally(): Tally<RequirementId> & { observations(): Observation[] } {
  const passes = new Map<RequirementId, Kept>();
  const blames = new Map<string, Kept[]>();

  const blame =
    (outcome: 'fail' | 'warn' | 'inconclusive') => (requirement: RequirementId, what: Blame) => {
      const key = `${outcome} ${requirement}`;
      const kept = blames.get(key) ?? [];
      if (kept.length === 0) blames.set(key, kept);
      const last = kept.at(-1);
      if (last && kept.length >= told) last.times += 1;
      else kept.push({ times: 1, observation: { requirement, outcome, ...what } });
    };
  const fail = blame('fail');

  const pass = (requirement: RequirementId, evidence: string, times = 1): void => {
    const kept = passes.get(requirement);
    if (kept) kept.times += times;
    else {
      const observation = { requirement, outcome: 'pass', evidence: [evidence] } as const;
      passes.set(requirement, { times, observation });
    }
  };

  return {
    pass,
    fail,
    warn: blame('warn'),
    undecided: blame('inconclusive'),
    judge(requirement, holds, evidence, otherwise) {
      if (holds) pass(requirement, evidence);
      else fail(requirement, otherwise());
      return holds;
    },
    observations: () =>
      [...passes.values(), ...[...blames.values()].flat()].map(({ times, observation }) =>
        times === 1 ? observation : { ...observation, times },
      ),
  };
}

/** Keeps a rule to the requirements that it announces, at compile time. */
export function defineRule<const Id extends RequirementId>(rule: {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly Id[];
  judge(view: HistoryView, tally: Tally<Id>): void;
}): Rule {
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    judge(view) {
      const tally = createTally();
      rule.judge(view, tally);
      return tally.observations();
    },
  };
}
