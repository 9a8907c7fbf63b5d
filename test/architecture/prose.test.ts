import { expect, it } from 'vitest';
import { sourcesIn } from './source.ts';

/** Regular expressions of rooms that have few: none reads a finding's sentence or id. */
const owners: Readonly<Record<string, string>> = {
  'src/reproduce/collapse-repeats.ts': 'takes the names out of the steps of a scenario',
  'src/reproduce/scenario-calls.ts': 'makes a name of what a token states',
  'src/reproduce/scenario.ts': 'writes any text on one line',
  'src/reproduce/script/script.ts': 'reads placeholders of a target file',
  'src/reproduce/script/values.ts': 'quotes any text for bash',
  'src/reproduce/session-scenario.ts': 'knows headers of clients by their names',
  'src/reproduce/steps-of-history.ts': 'knows values that a sender made up by their form',
  'src/results/causes/index.ts': 'makes the id of a cause of names that a target gave',
  'src/results/causes/locate.ts': 'takes the ids out of the path of a request',
};

/** Rooms that take the facts of a finding as data. */
const rooms = ['cli', 'handbook', 'oracle', 'report', 'reproduce', 'results', 'run'].map(
  (room) => `src/${room}`,
);

/** Files of these rooms that read a text or an id which others wrote. */
const readers: Readonly<Record<string, string>> = {
  'src/cli/campaign/database-retry.ts': 'reads an error of a database driver without a code',
  'src/cli/campaign/submit.ts': 'reads the id of a campaign that a user gave',
  'src/cli/program.ts': 'cuts an internal error to its first line',
  'src/cli/replay/command.ts': 'makes the name of a file of an id',
  'src/oracle/rules/privacy/leak-detection.ts': 'reads the ids of parties',
  'src/oracle/rules/quotes/selection.ts': 'asks whether a state is one of those expected',
  'src/oracle/trace/lower-case-ids.ts': 'reads the ids of orders and quotes',
  'src/report/waivers.ts':
    'tells a scenario by the slash in the id that a user gave, and looks for the words of a waiver',
  'src/reproduce/claims/values.ts': 'takes the id of a party apart',
  'src/run/own-suite.ts': 'reads the ids and patterns that a user gave',
};

const expression = /(?:^|[=([{,:;!&|?]|\breturn)\s*\/(?![/*\s])|\bRegExp\(/;
const reading =
  /\.(?:test|exec|match\w*|search|startsWith|endsWith|includes|(?:lastI|i)ndexOf|split|slice|replace\w*)\(/;
const prose =
  /\b(?:message|summary|requirement|title|reason|says|sentence|expected|actual|id|by)\b/;
/** True if a line reads a sentence or an id: a call of a method on it, or a pattern tried on it. */
const isRead = (line: string): boolean =>
  new RegExp(`${prose.source}(?: \\?\\? '')?(?:\\)|\\?|!)*${reading.source}`).test(line) ||
  new RegExp(`\\.(?:test|exec)\\([^)]*${prose.source}`).test(line);

/** The lines of a file, a chain of calls as one line. */
const linesOf = (code: string): string[] => code.replace(/\s*\n\s*(?=[.?])/g, '').split('\n');

const found = (folders: readonly string[], holds: (line: string) => boolean): string[] =>
  folders
    .flatMap((folder) => sourcesIn(folder))
    // Tests may read sentences: they check the words of messages.
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, code }) => (linesOf(code).some(holds) ? [path] : []));

it('rooms that have few regular expressions have none but those whose owner says what they read', () => {
  const few = ['src/handbook', 'src/reproduce', 'src/results'];
  expect(found(few, (line) => expression.test(line))).toEqual(Object.keys(owners));
});

it('no message and no id of ours is read: findings, records and the catalogue say it as data', () => {
  expect(found(rooms, isRead)).toEqual(Object.keys(readers));
  const samples = [
    "failure.message.startsWith('no ')",
    "(requirement ?? '').split('.')",
    "members.every(({ requirement }) => requirement.endsWith('.unique'))",
    "records.filter(({ by }) => by.startsWith('party.'))",
    "id.slice(0, id.lastIndexOf('#'))",
    'pattern.test(failure.message)',
    "expected.startsWith('a 4xx')",
    linesOf('failure.message\n  .match(words)')[0] ?? '',
  ];
  expect(samples.filter((line) => !isRead(line))).toEqual([]);
  expect(expression.test('  /_at$/.test(leaf) &&')).toBe(true);
});

it('a comment begins with the thing that it is about, and not with a question word', () => {
  const opening =
    /(?:\/\*\*?|\/\/|^ +\*) (?:What|Whether|Whoever|Whose|Where|How|Those|Whatever)\b/;
  const samples = ['What', 'Where'].flatMap((word) => [
    `/** ${word} an answer is. */`,
    `  // ${word}.`,
  ]);
  expect(samples.every((line) => opening.test(line))).toBe(true);
  const vague = ['src', 'conformance', 'mutants', 'test', 'bench', 'scripts', 'examples']
    .flatMap((folder) => sourcesIn(folder))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (opening.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
  expect(vague).toEqual([]);
});
