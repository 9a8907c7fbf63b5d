import { existsSync, readFileSync } from 'node:fs';
import { getAsset, isSea } from 'node:sea';

/** A page of src/ui, as `npm run build` makes it. */
type UiPage = 'report' | 'cockpit';

/** From a bundled thread, from a chunk of the command, and from the source. */
const places = ['./ui/', '../ui/', '../../dist/ui/'] as const;

/**
 * The page's markup, whole and without its data.
 * @throws where the project was not built
 */
export function uiPage(name: UiPage): string {
  if (isSea()) return getAsset(`ui/${name}.html`, 'utf8');
  for (const place of places) {
    const file = new URL(`${place}${name}.html`, import.meta.url);
    if (existsSync(file)) return readFileSync(file, 'utf8');
  }
  throw new Error(`dist/ui/${name}.html is missing: run \`npm run build\``);
}
