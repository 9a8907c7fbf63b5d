import { type Assignment, type GapId, referenceAnswers } from '../../spec/gaps/index.ts';
import { readYaml, type SourceError, type SourceText } from '../../yaml/index.ts';
import { gapAnswers } from '../file/gap-section.ts';

export type AssignmentResult =
  | { readonly ok: true; readonly assignment: Assignment }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

/** Reads a file of answers (`gap: answer`) for the reference; what it does not name keeps the usual answer. */
export function readAssignment(source: SourceText): AssignmentResult {
  const read = readYaml(source, gapAnswers('known'));
  return read.ok ? { ok: true, assignment: assign(read.value) } : read;
}

/** The reference's usual answers with some changed. */
export const assign = (changes: { readonly [id in GapId]?: string }): Assignment =>
  ({ ...referenceAnswers, ...changes }) as Assignment;
