import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tolerancesPage } from './tolerances-page.ts';

test('docs/tolerances.md tells the room that the rules leave; `npm run docs` writes it anew', () => {
  const page = readFileSync(new URL('../../docs/tolerances.md', import.meta.url), 'utf8');
  expect(page).toBe(tolerancesPage());
});
