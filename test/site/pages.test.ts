import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { navigation } from '../../scripts/site/navigation.ts';
import { withSiteLinks } from '../../scripts/site/links.ts';
import { siteSource, titleOf } from '../../scripts/site/pages.ts';
import { requirementPage } from '../../src/report/assemble.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { requirementIds } from '../../src/spec/requirements/index.ts';
import { root } from '../architecture/source.ts';

const { pages, pictures } = siteSource(root);

/** Anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/[\s_]+/g, '-');

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const proseOf = (text: string): string =>
  text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');

/** Links of a page that lead to no page, no heading and no picture. */
function deadLinks(page: string, text: string): readonly string[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .filter((address) => {
      const [path = '', hash] = address.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (pictures.includes(target)) return false;
      const there = pages.get(target);
      return there === undefined || (hash !== undefined && !anchorsOf(there).includes(hash));
    });
}

describe('the pages of the site', () => {
  it('hold every page of docs, without dead links', () => {
    const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(written.filter((name) => !pages.has(`docs/${name}`))).toEqual([]);
    expect([...pages].flatMap(([page, text]) => deadLinks(page, text))).toEqual([]);
    expect(pictures.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('have one for each requirement, where findings say that it is', () => {
    const told = requirementIds.map((id) => requirementPage(id)?.replace(/\.html$/, '.md') ?? id);
    expect(told.filter((path) => !pages.has(path))).toEqual([]);
    const page = pages.get('docs/requirements/order.cancel.executing-refused.md') ?? '';
    for (const part of ['An EXECUTING order cannot be cancelled.', 'order.cancels-too-late']) {
      expect(page).toContain(part);
    }
    expect(page).toContain('## How it fails');
    expect(page).toContain('## The usual remedy');
    const list = pages.get('docs/requirements.md') ?? '';
    expect(list).toContain('](./requirements/order.cancel.executing-refused.md)');
  });

  it('hold no prose that the generator would run as code', () => {
    const running = [...pages].filter(([, text]) => proseOf(text).includes('{{'));
    expect(running.map(([page]) => page)).toEqual([]);
  });

  it('show every endpoint and every event as a table', () => {
    const http = pages.get('docs/openapi.md') ?? '';
    const missing = Object.values(endpoints).filter(
      ({ method, path }) => !http.includes(`\`${method} ${path}\``),
    );
    expect(missing).toEqual([]);
    expect(pages.get('docs/asyncapi.md')).toContain('## quote_request_new');
  });

  it('are all in the navigation, but for those that a page lists', () => {
    const entries = navigation(pages).flatMap(({ items }) => items);
    const links = entries.map(({ link }) => link);
    expect(links).toEqual([...new Set(links)]);
    expect(links).toContain('/docs/target-file');
    expect(links).toContain('/docs/decisions/');
    const unlisted = [...pages.keys()].filter((path) => !/\/(decisions|requirements)\//.test(path));
    expect(links).toHaveLength(unlisted.length + 1);
    expect(entries.filter(({ text }) => text === 'Untitled')).toEqual([]);
  });
});

describe('links of a page', () => {
  const targets = { pages: new Set(['index.md', 'docs/a.md']), moved: { 'README.md': 'index.md' } };
  const shown = (text: string): string =>
    withSiteLinks('docs/a.md', text, targets, (path) => path.startsWith('src/'));

  it('lead to a page, or to the file in the source, or stay as they are without a target', () => {
    expect(shown('[first](../README.md#two)')).toBe('[first](./../index.md#two)');
    expect(shown('[the core](../src/core.ts)')).toBe('the core (`src/core.ts`)');
    expect(shown('[`core.ts`](../src/core.ts)')).toBe('`core.ts`');
    expect(shown('[gone](gone.md)')).toBe('[gone](gone.md)');
    expect(shown('[web](https://example.org/a)')).toBe('[web](https://example.org/a)');
  });

  it('are left as they are within code', () => {
    expect(shown('```md\n[the core](../src/core.ts)\n```')).toBe(
      '```md\n[the core](../src/core.ts)\n```',
    );
  });

  it('find the title', () => {
    expect(titleOf('text\n# Title\n## Other')).toBe('Title');
  });
});
