import { expect, it } from 'vitest';
import { sourcesIn } from './source.ts';

/** Regular expressions of the rooms that make causes and exports of findings: none reads a finding's sentence or id. */
const owners: Readonly<Record<string, string>> = {
  'src/reproduce/credentials.ts': 'reads the name that a history gives to a token',
  'src/reproduce/fold.ts': 'takes the names out of the steps of a scenario',
  'src/reproduce/head.ts': 'writes any text on one line',
  'src/reproduce/scenario-calls.ts': 'makes a name of what a token states',
  'src/reproduce/script/clock.ts': 'reads placeholders of a target file',
  'src/reproduce/script/values.ts': 'quotes any text for bash',
  'src/reproduce/session-scenario.ts': 'knows headers of clients by their names',
  'src/reproduce/steps-of-history.ts': 'knows values that a sender made up by their form',
  'src/results/causes/index.ts': 'makes the id of a cause of names that a target gave',
  'src/results/causes/locate.ts': 'takes the ids out of the path of a request',
};

const expression = /(?:^|[=([{,:;!&|?]|\breturn)\s*\/(?![/*\s])|\bRegExp\(/;
const reading =
  /\.(?:test|exec|match\w*|search|startsWith|endsWith|includes|indexOf|split|slice|replace\w*)\(/;
const prose = /\b(?:message|summary|requirement|title|expected|actual)\b/;
/** What a sentence or an id is asked, or what is asked of one. */
const isRead = (line: string): boolean =>
  new RegExp(`${prose.source}(?: \\?\\? '')?(?:\\)|\\?|!)*${reading.source}`).test(line) ||
  new RegExp(`\\.(?:test|exec)\\([^)]*${prose.source}`).test(line);

/** The lines of a file, a chain of calls as one line. */
const linesOf = (code: string): string[] => code.replace(/\s*\n\s*(?=[.?])/g, '').split('\n');

const found = (holds: (line: string) => boolean): string[] =>
  ['src/reproduce', 'src/results']
    .flatMap(sourcesIn)
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, code }) => (linesOf(code).some(holds) ? [path] : []));

it('rooms that take findings have no regular expressions but those whose owner says what they read', () => {
  expect(found((line) => expression.test(line))).toEqual(Object.keys(owners));
});

it('they read no message and no id of a requirement: findings and the catalogue say it as data', () => {
  expect(found(isRead)).toEqual([]);
  const samples = [
    "failure.message.startsWith('no ')",
    "(requirement ?? '').split('.')",
    "members.every(({ requirement }) => requirement.endsWith('.unique'))",
    'pattern.test(failure.message)',
    "expected.startsWith('a 4xx')",
    linesOf('failure.message\n  .match(words)')[0] ?? '',
  ];
  expect(samples.filter((line) => !isRead(line))).toEqual([]);
  expect(expression.test('  /_at$/.test(leaf) &&')).toBe(true);
});
