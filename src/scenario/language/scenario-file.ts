import { type Gap, type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { castNames } from '../../spec/requirements/requirement.ts';
import {
  parseCsv,
  parseYaml,
  type SourceError,
  type SourceText,
  suggestion,
  type YamlNode,
} from '../../yaml/index.ts';
import type { JsonSchema } from './json-schema.ts';
import { type ParsedScenario, type ExampleRow, kindsOfValue, type Template } from './model.ts';
import { Reader } from './reader.ts';
import {
  anyArg,
  type At,
  described,
  type Entry,
  listOf,
  mapOf,
  oneOf,
  trueShape,
  readEntries,
  readPartial,
  record,
  recordSchema,
  type Shape,
  literalText,
} from './shapes.ts';
import { nameShape } from './steps/act.ts';
import { stepList } from './steps/index.ts';
import { definitions } from './steps/schema.ts';

const parameter = record(
  'a parameter',
  { kind: oneOf('a kind of value', kindsOfValue), default: anyArg },
  ['kind'],
);
/** `amount: decimal`, or `amount: { kind: decimal, default: "100.00" }`. */
const parameterShape: Shape<Template['takes'][number]['value']> = {
  read(node, reader) {
    if (node.kind === 'scalar') {
      const kind = oneOf('a kind of value', kindsOfValue).read(node, reader);
      return kind && { kind: kind.value };
    }
    const read = parameter.read(node, reader);
    return read && { kind: read.kind.value, ...(read.default && { otherwise: read.default }) };
  },
  schema: { anyOf: [{ enum: kindsOfValue }, parameter.schema] },
};

const templateBody = record(
  'a template',
  {
    takes: described(
      mapOf(parameterShape, 'parameters by name', /^[A-Za-z_]\w*$/),
      'The parameters: a kind each, or a kind and a default.',
    ),
    steps: stepList,
    gives: described(listOf(nameShape, 'names'), 'Saved names that its users may save.'),
  },
  ['steps'],
);
const templates = mapOf(templateBody, 'templates by name');

const row: Shape<ExampleRow> = {
  read(node, reader) {
    const cells = mapOf(anyArg, 'an example', /^[A-Za-z_]\w*$/).read(node, reader);
    return cells && { at: reader.location(node.place), cells };
  },
  schema: { type: 'object' },
};

/** A list of rows, or rows by name. */
const table: Shape<readonly ExampleRow[]> = {
  read(node, reader) {
    if (node.kind !== 'map') return listOf(row, 'examples').read(node, reader);
    if (node.entries.length === 0) return reader.problems.wrong(node, 'examples, at least one');
    const named = mapOf(row, 'examples', /^\S.*$/).read(node, reader);
    return named?.map(({ key, value }) => ({ ...value, name: key }));
  },
  schema: { anyOf: [listOf(row, 'examples').schema, { type: 'object', minProperties: 1 }] },
};

const tableFile = literalText('the path of a .csv, .json or .yaml file', /\.(?:csv|json|ya?ml)$/);

/** Rows, or the path of a file with rows. */
const rows: Shape<readonly ExampleRow[] | At<string>> = {
  read: (node, reader) =>
    node.kind === 'scalar' ? tableFile.read(node, reader) : table.read(node, reader),
  schema: { anyOf: [table.schema, tableFile.schema] },
};

const needs = record('needs', {
  clock: described(
    oneOf('a kind of clock', ['driven']),
    'driven: a virtual or a controlled clock, which is exact to the millisecond.',
  ),
  alone: described(
    trueShape,
    'The scenario counts what is on the target, so nobody else may use it meanwhile. A target file allows it by alone: true.',
  ),
});

export const scenarioFields = {
  scenario: described(literalText('a title'), 'The title, one sentence.'),
  verifies: described(
    listOf(literalText('the id of a requirement'), 'requirements'),
    'Ids of the requirements that it exercises.',
  ),
  parties: described(
    listOf(oneOf('a party', castNames), 'parties'),
    'Parties whose event streams are open from the start. A party that only acts needs no entry.',
  ),
  tags: described(listOf(literalText('a tag', /^[\w.-]+$/), 'tags'), 'Words for `--tag`.'),
  needs: described(needs, 'Conditions on the target: `clock: driven`, `alone: true`.'),
  gaps: described(
    mapOf(
      literalText('an answer, in quotes where it is a number'),
      'answers to gaps',
      /^[a-z_.]+$/,
    ),
    'Answers to gaps that the scenario is written for.',
  ),
  imports: described(
    listOf(literalText('a path'), 'paths'),
    'Files of templates, by paths relative to this file.',
  ),
  templates: described(templates, 'Steps by name, for `use`.'),
  values: described(
    mapOf(anyArg, 'values by name', /^[A-Za-z_]\w*$/),
    'Values by name, each with its default. `--set NAME=VALUE` gives another.',
  ),
  examples: described(
    rows,
    'Rows of values, as a list, by name, or as the path of a .csv, .json or .yaml file: the scenario runs once for each.',
  ),
  setup: described(stepList, 'Steps that run first.'),
  steps: described(stepList, 'The flow.'),
  always: described(stepList, 'Steps that run last, after a failure too.'),
} as const;

const templateFileFields = { templates };

type SourceFile =
  | { readonly kind: 'scenario'; readonly draft: ParsedScenario }
  | { readonly kind: 'templates'; readonly templates: readonly Template[] };

export interface ReadFile {
  readonly content?: SourceFile;
  readonly errors: readonly SourceError[];
}

/** Reads one file without its imports. */
export function readFile(source: SourceText): ReadFile {
  const parsed = parseYaml(source);
  if (!parsed.ok) return { errors: cutExpressions(parsed.errors, source.text) };
  const reader = new Reader(source.file);
  const content = readTop(parsed.tree, reader);
  return { ...(content && { content }), errors: reader.problems.found };
}

/** Reads a file of examples alone. */
export function readTable(source: SourceText): {
  readonly rows: readonly ExampleRow[];
  readonly errors: readonly SourceError[];
} {
  const parsed = source.file.endsWith('.csv') ? parseCsv(source) : parseYaml(source);
  if (!parsed.ok) return { rows: [], errors: parsed.errors };
  const reader = new Reader(source.file);
  const read = table.read(parsed.tree, reader);
  return { rows: read ?? [], errors: reader.problems.found };
}

/** Merges YAML errors on one line: an expression that braces cut in two looks like several errors, but is one. */
function cutExpressions(errors: readonly SourceError[], text: string): readonly SourceError[] {
  const lines = text.split('\n');
  const said = new Set<number>();
  return errors.flatMap((error) => {
    if (!lines[error.line - 1]?.includes('${')) return [error];
    if (said.has(error.line)) return [];
    said.add(error.line);
    return [{ ...error, hint: 'inside { } and [ ] an expression stands in quotes: "${...}"' }];
  });
}

function readTop(node: YamlNode, reader: Reader): SourceFile | undefined {
  if (node.kind !== 'map') return reader.problems.wrong(node, 'a scenario, as a mapping');
  const at = reader.location(node.place);
  const keys = node.entries.map(({ key }) => key);
  if (keys.length === 1 && keys[0] === 'templates') {
    const read = readEntries(
      'a file of templates',
      templateFileFields,
      ['templates'],
      node.entries,
      at,
      reader,
    );
    return read && { kind: 'templates', templates: templatesOf(read.templates) };
  }
  const required = ['scenario', 'steps'];
  const read = readPartial('a scenario', scenarioFields, required, node.entries, at, reader);
  checkGapAnswers(read.gaps ?? [], reader);
  return {
    kind: 'scenario',
    draft: {
      file: reader.problems.file,
      title: read.scenario ?? { value: 'a scenario without a title', at },
      verifies: read.verifies ?? [],
      parties: read.parties ?? [],
      tags: read.tags ?? [],
      drivenClock: read.needs?.clock !== undefined,
      alone: read.needs?.alone === true,
      gaps: read.gaps ?? [],
      imports: read.imports ?? [],
      templates: templatesOf(read.templates ?? []),
      values: read.values ?? [],
      ...(read.examples && 'value' in read.examples
        ? { examples: [], examplesFrom: read.examples }
        : { examples: read.examples ?? [] }),
      setup: read.setup ?? [],
      steps: read.steps ?? [{ kind: 'broken', at, saves: [] }],
      always: read.always ?? [],
    },
  };
}

const templatesOf = (
  entries: readonly Entry<NonNullable<ReturnType<typeof templateBody.read>>>[],
): Template[] =>
  entries.map(({ key, at, value }) => ({
    at,
    name: key,
    takes: value.takes ?? [],
    steps: value.steps,
    gives: value.gives ?? [],
  }));

/** Accepts only answers that the reference can be built with: a scenario with others could be played nowhere. */
function checkGapAnswers(answers: readonly Entry<At<string>>[], reader: Reader): void {
  for (const { key, at, value } of answers) {
    const gap: Gap | undefined = Object.hasOwn(gaps, key) ? gaps[key as GapId] : undefined;
    const hint = suggestion(gap ? value.value : key, gap?.values ?? gapIds);
    const more = hint === undefined ? {} : { hint };
    if (!gap) reader.problems.add(at, `no gap is named ${JSON.stringify(key)}`, more);
    else if (!gap.values.includes(value.value)) {
      const expected = `one of ${gap.values.join(', ')}`;
      reader.problems.add(value.at, `found ${JSON.stringify(value.value)}`, { expected, ...more });
    }
  }
}

/** The JSON Schema of scenario files and of template files, for editors. */
export function scenarioSchema(): JsonSchema {
  const scenario = recordSchema(scenarioFields, ['scenario', 'steps']);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Assay scenario',
    description: 'A timed flow of several parties, or a file of templates that scenarios share.',
    anyOf: [scenario, recordSchema(templateFileFields, ['templates'])],
    definitions,
  };
}
