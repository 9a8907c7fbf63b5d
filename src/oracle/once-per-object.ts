import type { RequirementId } from '../spec/requirements/index.ts';
import type { Findings } from './findings.ts';

/** Result of judging one object. */
interface Look<Id> {
  readonly passed: readonly Id[];
  readonly failed: boolean;
}

/** Judges objects that come again and again, as the items of lists do: each is looked at once, and counted. */
export interface OncePerObject<Id> {
  /** @param look judges the object, always with the same result; an object that failed is judged each time */
  judge(object: object, source: string, look: () => Look<Id>): void;
  /** To be called last: counts the repeated objects. */
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
