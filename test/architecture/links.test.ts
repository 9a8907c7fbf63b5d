import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source.ts';

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The files that a page links to, and those that it names as a path of the source. */
function filesNamedIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, path = '']) =>
    join(dirname(page), path),
  );
  const sources = [...text.matchAll(/`((?:src|conformance|mutants|test)\/[\w./-]+\.ts)`/g)];
  return [...links, ...sources.map(([, path = '']) => path)];
}

describe('documents', () => {
  // The changelog names files as they were called at the time of each release.
  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names files that exist', (page) => {
    expect(filesNamedIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
