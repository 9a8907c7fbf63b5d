import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../architecture/source.ts';

/** Names and sources of the threads that a build script makes. */
const threadsIn = (script: string): readonly string[] =>
  [
    ...readFileSync(join(root, 'scripts', script), 'utf8').matchAll(/'([a-z]+-thread)': '(.+)'/g),
  ].map(([, name, source]) => `${name} ${source}`);

it('carries every thread that the command is built with', () => {
  expect(threadsIn('build-executable.js').length).toBeGreaterThan(2);
  expect(threadsIn('build-executable.js').toSorted()).toEqual(
    threadsIn('build-command.js').toSorted(),
  );
});
