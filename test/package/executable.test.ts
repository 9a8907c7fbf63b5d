import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../architecture/source.ts';

const textOf = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

it('carries every thread that the command starts', () => {
  const [, names = ''] = /type ThreadName = (.+);/.exec(textOf('src', 'cli', 'threads.ts')) ?? [];
  const started = [...names.matchAll(/'([a-z]+-thread)'/g)].map(([, name]) => name);
  const built = [...textOf('scripts', 'build-command.js').matchAll(/'([a-z]+-thread)': '(.+)'/g)];
  expect(started.length).toBeGreaterThan(2);
  expect(built.map(([, name]) => name)).toEqual(started);
  for (const [, , source = ''] of built) expect(existsSync(join(root, source))).toBe(true);
});
