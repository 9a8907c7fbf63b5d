import { expect, it } from 'vitest';
import { sourcesIn } from './source.ts';

/** Regular expressions of the rooms that make causes of findings: none of them reads a sentence or an id of ours. */
const owners: Readonly<Record<string, string>> = {
  'src/results/causes/index.ts': 'makes the id of a cause of names that a target gave',
  'src/results/causes/locate.ts': 'takes the ids out of the path of a request',
};

const expression = /(?:^|[=([{,:;!&|?]|\breturn)\s*\/(?![/*\s])|\bRegExp\(/;
const reading =
  /\.(?:test|exec|match\w*|search|startsWith|endsWith|includes|indexOf|split|slice|replace\w*)\(/;
const prose = /\b(?:message|summary|requirement|title)\b/;
/** What a sentence or an id is asked, or what is asked of one. */
const isRead = (line: string): boolean =>
  new RegExp(`${prose.source}(?: \\?\\? '')?(?:\\)|\\?|!)*${reading.source}`).test(line) ||
  new RegExp(`\\.(?:test|exec)\\([^)]*${prose.source}`).test(line);

/** The lines of a file, a chain of calls as one line. */
const linesOf = (code: string): string[] => code.replace(/\s*\n\s*(?=[.?])/g, '').split('\n');

const found = (holds: (line: string) => boolean): string[] =>
  sourcesIn('src/results')
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, code }) => (linesOf(code).some(holds) ? [path] : []));

it('src/results has no regular expressions but those that read what a target gave', () => {
  expect(found((line) => expression.test(line))).toEqual(Object.keys(owners));
});

it('src/results reads no message and no id of a requirement: findings and the catalogue say it as data', () => {
  expect(found(isRead)).toEqual([]);
  const samples = [
    "failure.message.startsWith('no ')",
    "(requirement ?? '').split('.')",
    "members.every(({ requirement }) => requirement.endsWith('.unique'))",
    'pattern.test(failure.message)',
    linesOf('failure.message\n  .match(words)')[0] ?? '',
  ];
  expect(samples.filter((line) => !isRead(line))).toEqual([]);
  expect(expression.test('  /_at$/.test(leaf) &&')).toBe(true);
});
