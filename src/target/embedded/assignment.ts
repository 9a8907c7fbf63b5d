import {
  type Assignment,
  type GapId,
  gapIds,
  gaps,
  referenceAnswers,
} from '../../spec/gaps/index.ts';
import { parseYaml, Problems, type SourceError, type SourceText } from '../../yaml/index.ts';

export type AssignmentResult =
  | { readonly ok: true; readonly assignment: Assignment }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

/** Reads a file of answers (`gap: answer`) for the reference; what it does not name keeps the usual answer. */
export function readAssignment(source: SourceText): AssignmentResult {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const problems = new Problems(source.file);
  const map = problems.map(parsed.tree, 'answers to gaps');
  const changes: { [id in GapId]?: string } = {};
  for (const { key, keyPlace, value } of map?.entries ?? []) {
    const id = gapIds.find((one) => one === key);
    if (id === undefined) {
      problems.unknownKey(key, keyPlace, 'the answers', gapIds);
      continue;
    }
    const written =
      value.kind === 'scalar' ? { ...value, value: value.written, quoted: true } : value;
    const answer = problems.word(written, gaps[id].values);
    if (answer !== undefined) changes[id] = answer;
  }
  if (problems.found.length > 0) return { ok: false, errors: problems.found };
  return { ok: true, assignment: assign(changes) };
}

/** The reference's usual answers with some changed. */
export const assign = (changes: { readonly [id in GapId]?: string }): Assignment =>
  ({ ...referenceAnswers, ...changes }) as Assignment;
