import { checks } from '../../conformance/index.ts';
import { mutationNamed } from '../../mutants/index.ts';
import { allRules } from '../oracle/index.ts';
import { type Requirement, type RequirementId, requirements } from '../spec/requirements/index.ts';
import { partTitles, rootOf } from '../spec/vocabulary.ts';
import { remedyOf } from './remedies/index.ts';
import type { RecordedFailure } from './recorded-failures.ts';
import recorded from './recorded-failures.json' with { type: 'json' };

/** A check or a rule. */
export interface Judge {
  readonly id: string;
  readonly title: string;
}

/** Handbook entry of one requirement. */
export interface HandbookEntry extends Requirement {
  readonly id: RequirementId;
  /** As "Part 4: endpoints". */
  readonly partTitle: string;
  readonly rules: readonly Judge[];
  readonly checks: readonly Judge[];
  /** Failure that the suite reports for a mutation that breaks the requirement. Absent: no mutation breaks it. */
  readonly example?: RecordedFailure & { readonly mistake: string };
  readonly remedy?: string;
}

const failures: Readonly<Record<string, RecordedFailure>> = recorded;

const judgesOf = (
  all: readonly (Judge & { readonly requirements: readonly string[] })[],
  requirement: string,
): readonly Judge[] =>
  all
    .filter(({ requirements: judged }) => judged.includes(requirement))
    .map(({ id, title }) => ({ id, title }));

export function handbookEntry(id: RequirementId): HandbookEntry {
  const requirement: Requirement = requirements[id];
  const failure = failures[id];
  const mistake = failure && mutationNamed(failure.mutation)?.summary;
  const remedy = requirement.unobservable === undefined ? remedyOf(id) : undefined;
  return {
    id,
    ...requirement,
    partTitle: partTitles[rootOf(requirement.part)],
    rules: judgesOf(allRules, id),
    checks: judgesOf(checks, id),
    ...(failure && mistake !== undefined && { example: { ...failure, mistake } }),
    ...(remedy !== undefined && { remedy }),
  };
}
