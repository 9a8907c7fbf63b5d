// Bundles each page of src/ui/ into one file of dist/ui/ that needs no other: styles and script stand inside of it, and
// its Content-Security-Policy lets run nothing but them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** A folder of src/ui/ with an index.html is a page. */
export const pagesIn = (root) =>
  readdirSync(join(root, 'src/ui')).filter((name) =>
    existsSync(join(root, 'src/ui', name, 'index.html')),
  );

/**
 * @param outdir below the root
 * @returns the files that the pages hold
 */
export async function buildUi(root, outdir = 'dist') {
  const folder = join(root, outdir, 'ui');
  mkdirSync(folder, { recursive: true });
  const files = await Promise.all(
    pagesIn(root).map(async (name) => {
      const path = join(folder, `${name}.html`);
      const draft = `${path}.${process.pid}.tmp`;
      const { html, modules } = await page(join(root, 'src/ui', name));
      writeFileSync(draft, html);
      renameSync(draft, path);
      return modules;
    }),
  );
  return files.flat();
}

async function page(folder) {
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      // Colours of both themes stand side by side, as browsers read them since 2024.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const sourceOf = (ending) =>
    String(output.find(({ fileName }) => fileName.endsWith(ending))?.source ?? '');
  const script = output
    .filter(({ type }) => type === 'chunk')
    .map(({ code }) => code.trim())
    .join('\n')
    // Nothing inside of a script may look like its end, or like the start of a comment.
    .replace(/<(?=\/script|!--|script)/gi, '\\x3C');
  return {
    html: inlined(sourceOf('.html'), script, sourceOf('.css').trim()),
    modules: output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])),
  };
}

/** The page with its code inside. `connect-src` is left to the page: a report asks nobody, a cockpit its own server. */
function inlined(html, script, style) {
  const parts = html
    .replace(/<link rel="stylesheet"[^>]*>\s*/g, '')
    .replace(/<script type="module"[^>]*><\/script>\s*/g, '')
    .replace('SCRIPT-HASH', hash(script))
    .replace('STYLE-HASH', hash(style))
    .split(/(<\/head>|<\/body>)/);
  // Never by a replacement text: `$&` stands in what is bundled.
  const before = {
    '</head>': `<style>${style}</style>\n`,
    '</body>': `<script type="module">${script}</script>\n`,
  };
  return parts.map((part) => `${before[part] ?? ''}${part}`).join('');
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
