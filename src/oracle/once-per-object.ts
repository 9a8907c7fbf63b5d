import type { RequirementId } from '../spec/requirements/index.ts';
import type { Findings } from './findings.ts';

/** What came of one look at an object. */
interface Look<Id> {
  readonly passed: readonly Id[];
  readonly failed: boolean;
}

/** Judges objects that come again and again, as the items of lists do: each is looked at once, and counted. */
export interface OncePerObject<Id> {
  /** @param look says the same whenever the same object is looked at; one that failed is looked at each time */
  judge(object: object, source: string, look: () => Look<Id>): void;
  /** To be called last: counts what came again. */
  count(): void;
}

export function oncePerObject<Id extends RequirementId>(findings: Findings<Id>): OncePerObject<Id> {
  const known = new Map<
    object,
    { readonly passed: readonly Id[]; readonly source: string; again: number }
  >();
  return {
    judge(object, source, look) {
      const before = known.get(object);
      if (before) {
        before.again += 1;
        return;
      }
      const { passed, failed } = look();
      for (const id of passed) findings.pass(id, source);
      if (!failed) known.set(object, { passed, source, again: 0 });
    },
    count() {
      for (const { passed, source, again } of known.values()) {
        if (again > 0) for (const id of passed) findings.pass(id, source, again);
      }
    },
  };
}
