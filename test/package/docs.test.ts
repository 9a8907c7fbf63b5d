import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withExamples } from '../../scripts/examples-in-docs.ts';
import { root } from '../architecture/source.ts';

describe('docs/library.md', () => {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

  it('shows the examples as they are (npm run docs writes them)', () => {
    expect(page).toBe(withExamples(page));
  });

  it('shows every example', () => {
    const shown = [...page.matchAll(/^<!-- examples\/(.+) -->$/gm)].map(([, name]) => name);
    expect(new Set(shown)).toEqual(
      new Set(readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))),
    );
  });

  it('tells of every entry point', () => {
    const text = readFileSync(join(root, 'package.json'), 'utf8');
    const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, unknown>> };
    const entries = Object.keys(exports).map((path) => path.replace(/^\./, 'assay'));
    const told = entries.filter((name) => page.includes(`\`${name}\``));
    expect(told).toEqual(entries.filter((name) => name !== 'assay/package.json'));
  });
});
