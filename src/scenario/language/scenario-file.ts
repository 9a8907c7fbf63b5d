import { type Gap, type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { nameShape } from './actions.ts';
import { type Step, stepList } from './steps/index.ts';
import { definitions } from './steps/schema.ts';
import {
  type At,
  described,
  type Entry,
  type JsonSchema,
  listOf,
  literalText,
  mapOf,
  oneOf,
  parseCsv,
  parseYaml,
  type ReadBy,
  Reader,
  record,
  type Shape,
  type SourceError,
  type SourceLocation,
  type SourceText,
  suggestion,
  trueShape,
  type YamlNode,
} from '../../yaml/index.ts';
import { anyArg, type Arg } from './arg.ts';

const kindOfValue = oneOf('a kind of value', [
  'text',
  'decimal',
  'moment',
  'duration',
  'number',
  'order',
  'quote',
]);
const parameter = record('a parameter', { kind: kindOfValue, default: anyArg }, ['kind']);
/** `amount: decimal`, or `amount: { kind: decimal, default: "100.00" }`. */
const parameterShape: Shape<Omit<ReadBy<typeof parameter>, 'at'>> = {
  read(node, reader) {
    if (node.kind !== 'scalar') return parameter.read(node, reader);
    const kind = kindOfValue.read(node, reader);
    return kind && { kind };
  },
  schema: { anyOf: [kindOfValue.schema, parameter.schema] },
};

const templateBody = record(
  'a template',
  {
    takes: described(
      mapOf(parameterShape, 'parameters by name'),
      'The parameters: a kind each, or a kind and a default.',
    ),
    steps: stepList,
    gives: described(listOf(nameShape, 'names'), 'Saved names that its users may save.'),
  },
  ['steps'],
);
export type Template = Entry<ReadBy<typeof templateBody>>;
const templates = mapOf(templateBody, 'templates by name', /^[A-Za-z_][\w ]*$/);

export interface ExampleRow {
  readonly at: SourceLocation;
  /** Absent in a list of rows. */
  readonly name?: string;
  readonly cells: readonly Entry<Arg>[];
}

const rowCells = mapOf(anyArg, 'an example');
const row: Shape<ExampleRow> = {
  read(node, reader) {
    const cells = rowCells.read(node, reader);
    return cells && { at: reader.location(node.place), cells };
  },
  schema: { type: 'object' },
};

const rowList = listOf(row, 'examples');
/** A list of rows, or rows by name. */
const table: Shape<readonly ExampleRow[]> = {
  read(node, reader) {
    if (node.kind !== 'map') return rowList.read(node, reader);
    if (node.entries.length === 0) return reader.wrong(node, 'examples, at least one');
    const named = mapOf(row, 'examples', /^\S.*$/).read(node, reader);
    return named?.map(({ key, value }) => ({ ...value, name: key }));
  },
  schema: { anyOf: [rowList.schema, { type: 'object', minProperties: 1 }] },
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

export const scenarioKeys = record(
  'a scenario',
  {
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
      mapOf(anyArg, 'values by name'),
      'Values by name, each with its default. `--set NAME=VALUE` gives another.',
    ),
    examples: described(
      rows,
      'Rows of values, as a list, by name, or as the path of a .csv, .json or .yaml file: the scenario runs once for each.',
    ),
    setup: described(stepList, 'Steps that run first.'),
    steps: described(stepList, 'The flow.'),
    always: described(stepList, 'Steps that run last, after a failure too.'),
  },
  ['scenario', 'steps'],
);

const templateFile = record('a file of templates', { templates }, ['templates']);

/** A scenario as parsed from its file. */
export interface ParsedScenario {
  readonly file: string;
  readonly title: At<string>;
  readonly verifies: readonly At<string>[];
  readonly parties: readonly At<CastName>[];
  readonly tags: readonly At<string>[];
  readonly drivenClock: boolean;
  /** The scenario counts existing data, so it needs a target that nobody else uses. */
  readonly alone: boolean;
  readonly gaps: readonly Entry<At<string>>[];
  readonly imports: readonly At<string>[];
  readonly templates: readonly Template[];
  /** Defaults of the values, or the values from the command line. */
  readonly values: readonly Entry<Arg>[];
  readonly examples: readonly ExampleRow[];
  /** Path of the file with the examples. */
  readonly examplesFrom?: At<string>;
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly always: readonly Step[];
}

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
  return { ...(content && { content }), errors: reader.found };
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
  return { rows: read ?? [], errors: reader.found };
}

/** Adds a hint where braces or brackets cut an expression in two. */
const cutExpressions = (errors: readonly SourceError[], text: string): readonly SourceError[] =>
  errors.map((error) => {
    const line = text.split('\n')[error.line - 1] ?? '';
    if (!/\$(?:\{|[A-Za-z_][\w.]*\[)/.test(line)) return error;
    const hint = 'inside { } and [ ], put ${...} and $name.items[0] in quotes';
    return { ...error, hint };
  });

function readTop(node: YamlNode, reader: Reader): SourceFile | undefined {
  if (node.kind !== 'map') return reader.wrong(node, 'a scenario, as a mapping');
  const at = reader.location(node.place);
  const keys = node.entries.map(({ key }) => key);
  if (keys.length === 1 && keys[0] === 'templates') {
    const read = templateFile.readEntries(node.entries, at, reader);
    return read && { kind: 'templates', templates: read.templates };
  }
  const read = scenarioKeys.readSome(node.entries, at, reader);
  checkGapAnswers(read.gaps ?? [], reader);
  return {
    kind: 'scenario',
    draft: {
      file: reader.file,
      title: read.scenario ?? { value: 'a scenario without a title', at },
      verifies: read.verifies ?? [],
      parties: read.parties ?? [],
      tags: read.tags ?? [],
      drivenClock: read.needs?.clock !== undefined,
      alone: read.needs?.alone !== undefined,
      gaps: read.gaps ?? [],
      imports: read.imports ?? [],
      templates: read.templates ?? [],
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

/** Accepts only answers that the reference can be built with: a scenario with others could be played nowhere. */
function checkGapAnswers(answers: readonly Entry<At<string>>[], reader: Reader): void {
  for (const { key, at, value } of answers) {
    const gap: Gap | undefined = Object.hasOwn(gaps, key) ? gaps[key as GapId] : undefined;
    const hint = suggestion(gap ? value.value : key, gap?.values ?? gapIds);
    if (!gap) reader.add(at, `no gap is named ${JSON.stringify(key)}`, { hint });
    else if (!gap.values.includes(value.value)) {
      const expected = `one of ${gap.values.join(', ')}`;
      reader.add(value.at, `found ${JSON.stringify(value.value)}`, { expected, hint });
    }
  }
}

/** The JSON Schema of scenario files and of template files, for editors. */
export const scenarioSchema = (): JsonSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Assay scenario',
  description: 'A timed flow of several parties, or a file of templates that scenarios share.',
  anyOf: [scenarioKeys.schema, templateFile.schema],
  definitions,
});
