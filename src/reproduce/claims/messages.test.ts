import { expect, it } from 'vitest';
import { sourcesIn } from '../../../test/architecture/source.ts';

/** Claims are chosen by what a finding says: a sentence that nobody says any more would choose none, and nobody would see. */
it('looks for sentences that a rule or a check says', () => {
  const said = ['src/oracle', 'conformance']
    .flatMap((folder) => sourcesIn(folder))
    .map(({ text }) => text)
    .join('\n');
  const sought = sourcesIn('src/reproduce/claims').flatMap(({ text }) =>
    [...text.matchAll(/message(?:\.startsWith\(| === )'([^']+)'/g)].map(([, words = '']) => words),
  );
  expect(sought.length).toBeGreaterThan(8);
  expect(sought.filter((words) => !said.includes(words.trimEnd()))).toEqual([]);
});
