import type { Tamper } from '../src/reference/http/index.ts';
import { type RequirementId, requirements } from '../src/spec/requirements/index.ts';
import type { Part } from '../src/spec/vocabulary.ts';

/** The reference with one mistake in it, as somebody who implements the document might make it. */
export interface Mutation {
  readonly id: string;
  /** Where the document says what it breaks. */
  readonly part: Part;
  /** Requirements that it breaks; the one that it is about comes first. Others may break with them. */
  readonly breaks: readonly RequirementId[];
  /** How, as a sentence. */
  readonly summary: string;
  /** Made anew for each world, so that nothing is remembered from one to the next. */
  readonly tamper: () => Tamper;
}

/** A mutation as it is written down. */
export interface Written {
  readonly id: string;
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  readonly summary: string;
  readonly tamper: () => Tamper;
}

export const placed = (written: Written): Mutation => ({
  ...written,
  part: requirements[written.breaks[0]].part,
});
