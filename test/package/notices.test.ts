import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundledFiles, noticeOf, noticesText, packagesOf } from '../../scripts/third-party.js';
import { root } from '../architecture/source.ts';
import { runHere } from '../cli/command-here.ts';

/** The files of one bundle, made without writing it. */
async function filesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'unwritten',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    external: ['pg', 'pg-boss', 'vitest'],
    logLevel: 'silent',
  });
  return bundledFiles(metafile);
}

describe('the notices of bundled packages', () => {
  it('name every package within the command', async () => {
    const written = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const files = await filesOf('src/cli/main.ts');
    const packages = packagesOf(root, files).map((one) => noticeOf(root, one));
    expect(packages.length).toBeGreaterThan(5);
    const missing = packages.filter(
      ({ name, version, licence, text }) =>
        !written.includes(`${name} ${version} (${licence})\n\n${text}`),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('list the same packages as the bill of materials', () => {
    const written = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const named = [...written.matchAll(/^-{80}\n\n(\S+ \S+) \(\S+\)$/gm)].map(
      ([, one = '']) => one,
    );
    const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    expect(components.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
      named.toSorted(),
    );
  });

  it('refuse a package whose licence is not allowed', () => {
    const place = mkdtempSync(join(tmpdir(), 'assay-notices-'));
    const inside = join(place, 'node_modules/gpl-example');
    mkdirSync(inside, { recursive: true });
    const about = { name: 'gpl-example', version: '1.0.0', license: 'GPL-3.0-only', author: 'A' };
    writeFileSync(join(inside, 'package.json'), JSON.stringify(about));
    const refused = 'gpl-example 1.0.0 (GPL-3.0-only)';
    expect(() => noticesText(place, [join(inside, 'index.js')])).toThrow(refused);
    rmSync(place, { recursive: true });
  });

  it('are printed by --licenses', async () => {
    const { code, out } = await runHere(['--licenses'], root);
    expect(code).toBe(0);
    expect(out).toContain('fastify ');
  });
});
