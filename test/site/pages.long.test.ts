import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { requirementPage } from '../../src/report/assemble.ts';
import { requirementIds } from '../../src/spec/requirements/index.ts';
import { root } from '../architecture/source.ts';

// Below the project, since the generator's own code is found from there.
const work = mkdtempSync(join(root, 'site-test-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const made = (script: string, out: string) =>
  spawnSync(process.execPath, ['--import', 'tsx', script, out], { cwd: root, encoding: 'utf8' });

/** `ALL_PAGES=1` makes the whole site, as `npm run site` does: a minute longer. */
const isWhole = process.env['ALL_PAGES'] === '1';
const shown = requirementIds.filter((_, nth) => isWhole || nth % 20 === 0);

describe('the site', () => {
  it('is made offline, with pages of requirements, a search, and nothing from elsewhere', () => {
    const { status, stderr } = isWhole
      ? made('scripts/site/main.ts', relative(root, join(work, 'site')))
      : made('test/site/some-pages.ts', join(work, 'site'));
    expect(status === 0 ? '' : stderr).toBe('');
    const html = join(work, 'site/html');
    const missing = shown.filter((id) => !existsSync(join(html, requirementPage(id) ?? '')));
    expect(missing).toEqual([]);
    expect(shown.length).toBeGreaterThan(15);
    const files = readdirSync(html, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.includes('localSearchIndex'))).not.toEqual([]);
    const texts = files.filter((name) => /\.(html|css)$/.test(name));
    expect(texts.length).toBeGreaterThan(shown.length);
    const loading =
      /<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//;
    const loaded = texts.filter((name) => loading.test(readFileSync(join(html, name), 'utf8')));
    expect(loaded).toEqual([]);
  });

  it('is not made where a link leads nowhere', () => {
    const { status, stdout, stderr } = made('test/site/dead-link.ts', join(work, 'dead'));
    expect(status).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain('gone');
  });
});
