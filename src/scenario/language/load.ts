import { ownLimits } from '../../history/limits.ts';
import { Checker } from './check.ts';
import { cellType } from './check-values.ts';
import type { Complain } from './infer-types.ts';
import {
  type ExampleRow,
  type ParsedScenario,
  type ReadFile,
  readFile,
  readTable,
  type Template,
} from './scenario-file.ts';
import { type Step, stepsIn } from './steps/index.ts';
import { named } from './types.ts';
import type { Advice, At, SourceError, SourceLocation, SourceText } from '../../yaml/index.ts';

/**
 * Total number of steps: those of templates and repetitions count each time. Each template is counted only once, even
 * if many steps use it.
 */
function stepCounter(templates: Scenario['templates']): (steps: readonly Step[]) => number {
  const known = new Map<readonly Step[], number>();
  const countAll = (steps: readonly Step[]): number => {
    const count = known.get(steps) ?? steps.reduce((sum, step) => sum + countOf(step), 0);
    known.set(steps, count);
    return count;
  };
  const countOf = (step: Step): number => {
    const inner = stepsIn(step, templates).reduce((sum, steps) => sum + countAll(steps), 0);
    // The length of a list is known only at run time: the budget of the run counts its rounds.
    const isCounted = step.kind === 'repeat' && typeof step.times === 'number';
    return 1 + inner * (isCounted ? step.times : step.kind === 'as_each' ? step.parties.length : 1);
  };
  return countAll;
}

/** A runnable scenario: one for each row of the examples. */
export interface Scenario {
  /** `<file name without extension>`, and `@<n>` of an example: the name in the history, in reports and for seeds. */
  readonly id: string;
  readonly title: string;
  readonly draft: ParsedScenario;
  readonly example?: ExampleRow;
  readonly templates: ReadonlyMap<string, Template>;
}

/** Template files that were already read: many scenarios share them. */
type TemplateCache = Map<string, { readonly text: string; readonly read: ReadFile }>;

export interface Sources {
  /** Values of `--set` by name; they replace defaults. */
  readonly values?: ReadonlyMap<string, string>;
  readonly cache?: TemplateCache;
  /** The text of a file, or the reason why it cannot be read. */
  read(file: string): string | { readonly reason: string };
  /** Resolves a `path` written in `file`. */
  resolve(file: string, path: string): string;
}

export type Loaded = {
  /** All files that were read, for showing their lines. */
  readonly texts: ReadonlyMap<string, string>;
} & (
  | { readonly ok: true; readonly scenarios: readonly Scenario[] }
  | { readonly ok: false; readonly errors: readonly SourceError[] }
);

/**
 * Reads a scenario file and its imports; reports all of their errors at once. A file of templates contains no scenario.
 */
export function load(source: SourceText, sources: Sources): Loaded {
  const texts = new Map([[source.file, source.text]]);
  const errors: SourceError[] = [];
  const { content, errors: found } = readFile(source);
  errors.push(...found);
  const complain = (at: SourceLocation, message: string, more: Advice = {}) => {
    errors.push({ ...at, message, ...more });
  };
  if (content?.kind === 'templates') {
    const templates = byName(content.templates, complain);
    new Checker(templates, complain).templates(content.templates);
    return errors.length > 0 ? { ok: false, errors, texts } : { ok: true, scenarios: [], texts };
  }
  if (!content) return { ok: false, errors, texts };
  const reading = { sources, texts, errors };
  const draft = {
    ...content.draft,
    values: givenValues(content.draft, sources, complain),
    examples: examplesOf(content.draft, reading),
  };
  // Without rows, every use of a column would be an error as well.
  if (draft.examplesFrom && draft.examples.length === 0) return { ok: false, errors, texts };
  const imported = draft.imports.flatMap((path) => importOf(draft, path, reading));
  const templates = byName([...imported, ...draft.templates], complain);
  new Checker(templates, complain).scenario(draft);
  // A template that uses itself is already reported; counting its steps would not end.
  if (errors.length === 0) refuseTooManySteps(draft, templates, complain);
  if (errors.length > 0) return { ok: false, errors: unique(errors), texts };
  return { ok: true, scenarios: rowsOf(draft, templates), texts };
}

/** Reads a given value as the kind of its default. */
function givenValues(
  { values }: ParsedScenario,
  { values: given }: Sources,
  complain: Complain,
): ParsedScenario['values'] {
  return values.map((entry) => {
    const written = given?.get(entry.key);
    const { value: otherwise } = entry;
    if (written === undefined) return entry;
    const isText = otherwise.kind !== 'plain' || typeof otherwise.value === 'string';
    const value = isText ? written : plainValue(written);
    const own = { kind: 'plain', at: otherwise.at, value, written } as const;
    const [type, expected] = [cellType(own), cellType(otherwise)];
    if (expected.kind === 'unknown' || type.kind === expected.kind) return { ...entry, value: own };
    complain(otherwise.at, `--set ${entry.key}=${written} is ${named(type)}`, {
      expected: `${named(expected)}, as the default is`,
    });
    return entry;
  });
}

/** Value as YAML reads it without quotes. */
const plainValue = (written: string): string | number | boolean =>
  /^(true|false)$/.test(written)
    ? written === 'true'
    : /^-?\d{1,15}$/.test(written)
      ? Number(written)
      : written;

/** Counts steps before any other code walks them: fifty templates that each use the previous one twice never end. */
function refuseTooManySteps(
  { setup, steps, always, title }: ParsedScenario,
  templates: ReadonlyMap<string, Template>,
  complain: Complain,
): void {
  const countAll = stepCounter(templates);
  const most = ownLimits['scenario.steps'];
  const all = [...setup, ...steps, ...always];
  const count = countAll(all);
  if (count <= most) return;
  const place = all.find((step) => countAll([step]) > most) ?? title;
  complain(place.at, `the scenario takes ${count} steps, repetitions and templates counted`, {
    expected: `at most ${most} (scenario.steps)`,
  });
}

/** Removes duplicates: a template that several scenarios share is checked with each, with the same problems. */
const unique = (errors: readonly SourceError[]): SourceError[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

interface Reading {
  readonly sources: Sources;
  readonly texts: Map<string, string>;
  readonly errors: SourceError[];
}

/** File that a scenario names by a path; undefined if it cannot be read. */
function sourceAt(
  draft: ParsedScenario,
  path: At<string>,
  { sources, texts, errors }: Reading,
): SourceText | undefined {
  const file = sources.resolve(draft.file, path.value);
  const text = sources.cache?.get(file)?.text ?? sources.read(file);
  if (typeof text === 'object') {
    errors.push({ ...path.at, message: `${JSON.stringify(file)}: ${text.reason}` });
    return undefined;
  }
  texts.set(file, text);
  return { file, text };
}

function examplesOf(draft: ParsedScenario, reading: Reading): readonly ExampleRow[] {
  const source = draft.examplesFrom && sourceAt(draft, draft.examplesFrom, reading);
  if (!source) return draft.examples;
  const { rows, errors } = readTable(source);
  reading.errors.push(...errors);
  return rows;
}

function importOf(draft: ParsedScenario, path: At<string>, reading: Reading): readonly Template[] {
  const source = sourceAt(draft, path, reading);
  if (!source) return [];
  const { file, text } = source;
  const { sources, errors } = reading;
  const read = sources.cache?.get(file)?.read ?? readFile(source);
  sources.cache?.set(file, { text, read });
  const { content, errors: own } = read;
  errors.push(...own);
  if (content?.kind === 'scenario') {
    errors.push({ ...path.at, message: 'a scenario', expected: 'a file of templates alone' });
  }
  return content?.kind === 'templates' ? content.templates : [];
}

function byName(
  templates: readonly Template[],
  complain: (at: SourceLocation, message: string) => void,
): ReadonlyMap<string, Template> {
  const found = new Map<string, Template>();
  for (const template of templates) {
    const { key, at } = template;
    if (found.has(key)) complain(at, `a second template named ${JSON.stringify(key)}`);
    found.set(key, template);
  }
  return found;
}

function rowsOf(draft: ParsedScenario, templates: ReadonlyMap<string, Template>): Scenario[] {
  const id = draft.file.replace(/\.ya?ml$/, '');
  const title = draft.title.value.trim();
  if (draft.examples.length === 0) return [{ id, title, draft, templates }];
  return draft.examples.map((example, index) => {
    const shown = example.cells.map(({ key, value }) =>
      value.kind === 'plain' ? `${key} ${value.written}` : key,
    );
    return {
      id: `${id}@${index + 1}`,
      title: `${title} (${example.name ?? shown.join(', ')})`,
      draft,
      example,
      templates,
    };
  });
}
