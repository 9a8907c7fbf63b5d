import { existsSync, readFileSync } from 'node:fs';
import { getAsset, isSea } from 'node:sea';
import { usageFailure } from './command.ts';

/** A page of src/ui, as `npm run build` makes it. */
type UiPage = 'report' | 'cockpit';

/** Relative to a bundled thread, to a chunk of the command, and to the source. */
const places = ['./', '../', '../../dist/'] as const;

/**
 * The text of a file that `npm run build` makes and that is shipped with the command.
 * @throws a usage error if the project was not built
 */
function shippedFile(name: string): string {
  if (isSea()) return getAsset(name, 'utf8');
  for (const place of places) {
    const file = new URL(place + name, import.meta.url);
    if (existsSync(file)) return readFileSync(file, 'utf8');
  }
  throw usageFailure(`dist/${name} is missing`, 'build the project first: npm run build');
}

/** The page's markup, whole and without its data. */
export const uiPage = (name: UiPage): string => shippedFile(`ui/${name}.html`);

/** The licences of the packages that are bundled. */
export const thirdPartyNotices = (): string => shippedFile('THIRD-PARTY-NOTICES.txt');
