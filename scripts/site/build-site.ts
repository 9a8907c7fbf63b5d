import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { navigation } from './navigation.ts';
import type { SiteSource } from './pages.ts';

/**
 * Writes pages as Markdown to `pages` in a folder, and makes a site of them in `html` beside it. Nothing is fetched.
 * A link that leads nowhere fails.
 * @param root of the repository, where pictures are
 * @param out a folder of its own, which is made anew
 */
export async function buildSite(
  { pages, pictures }: SiteSource,
  root: string,
  out: string,
): Promise<void> {
  const source = join(out, 'pages');
  const write = (path: string, text: string): void => {
    const file = join(source, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  rmSync(out, { recursive: true, force: true });
  for (const [path, text] of pages) write(path, text);
  for (const path of pictures) cpSync(join(root, path), join(source, path));
  const config = {
    title: 'Assay',
    description: 'Conformance of backends of the Cross-Currency Settlement Service Interface',
    outDir: '../html',
    cacheDir: '../cache',
    ignoreDeadLinks: false,
    // Else each page holds the list of all of them.
    metaChunk: true,
    // Pages show what tables and targets say; none of it is markup or a link by accident.
    markdown: { html: false, linkify: false },
    themeConfig: {
      sidebar: navigation(pages),
      outline: [2, 3],
      search: { provider: 'local' },
    },
  };
  write('.vitepress/config.mjs', `export default ${JSON.stringify(config, undefined, 2)};\n`);
  await build(source);
}
