import { existsSync, readFileSync } from 'node:fs';

/** A page of src/ui, as `npm run build` makes it. */
type UiPage = 'report' | 'cockpit';

/** Beside the folder of chunks where the command is bundled; from the source, in the project's own dist/. */
const places = ['../ui/', '../../dist/ui/'] as const;

/**
 * The page's markup, whole and without its data.
 * @throws where the project was not built
 */
export function uiPage(name: UiPage): string {
  for (const place of places) {
    const file = new URL(`${place}${name}.html`, import.meta.url);
    if (existsSync(file)) return readFileSync(file, 'utf8');
  }
  throw new Error(`dist/ui/${name}.html is missing: run \`npm run build\``);
}
