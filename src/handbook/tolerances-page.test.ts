import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Requirement, requirements } from '../spec/requirements/index.ts';
import { beyondFinding } from '../../mutants/beyond-finding.ts';
import { mutations } from '../../mutants/index.ts';
import { excuses, tolerancesPage } from './tolerances-page.ts';

test('docs/tolerances.md tells every excuse; `npm run docs` writes it anew', () => {
  const page = readFileSync(new URL('../../docs/tolerances.md', import.meta.url), 'utf8');
  expect(page).toBe(tolerancesPage());
});

test('every requirement of vague words names the open question that excuses a departure', () => {
  const catalogue = Object.entries<Requirement>(requirements);
  const unexplained = catalogue.filter(([, { level, excuse }]) => (level === 'vague') !== !!excuse);
  expect(unexplained.map(([id]) => id)).toEqual([]);
});

test('each excuse has a mutation inside its bounds that is found, or is listed as beyond finding', () => {
  const inside = [...mutations.flatMap((one) => one.inside ?? []), ...Object.keys(beyondFinding)];
  expect(inside.toSorted()).toEqual(excuses.map(({ id }) => id).toSorted());
});
