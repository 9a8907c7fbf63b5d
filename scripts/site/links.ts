import { posix } from 'node:path';

const fence = /^```[\s\S]*?^```$/gm;
const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Targets of links on the site, for pages of the repository. */
export interface LinkTargets {
  /** Pages of the site, by their paths in the repository. */
  readonly pages: ReadonlySet<string>;
  /** Pages that have another path there. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Applies a change to the prose of a page and leaves its blocks of code alone. */
function outsideCode(text: string, change: (prose: string) => string): string {
  const blocks = text.match(fence) ?? [];
  return text
    .split(fence)
    .map((prose, index) => `${change(prose)}${blocks[index] ?? ''}`)
    .join('');
}

/**
 * Links to pages stay; what is no page of the site, as a file of the source, is named instead. Links that lead nowhere
 * stay as well, so that the build finds them.
 */
export function withSiteLinks(
  page: string,
  text: string,
  { pages, moved }: LinkTargets,
  exists: (path: string) => boolean,
): string {
  const here = moved[page] ?? page;
  return outsideCode(text, (prose) =>
    prose.replace(link, (whole, image: string, words: string, address: string) => {
      if (image !== '' || /^(?:[a-z]+:|#)/.test(address)) return whole;
      const [path = '', hash] = address.split('#');
      const target = posix.join(posix.dirname(page), path).replace(/\/$/, '');
      const there = moved[target] ?? target;
      if (pages.has(there)) {
        const anchor = hash === undefined ? '' : `#${hash}`;
        return `[${words}](./${posix.relative(posix.dirname(here), there)}${anchor})`;
      }
      if (!exists(target)) return whole;
      return words.includes('`') ? words : `${words} (\`${target}\`)`;
    }),
  );
}

/** Comments are for those who write the page. */
export const withoutComments = (text: string): string =>
  outsideCode(text, (prose) => prose.replace(/<!--[\s\S]*?-->\n?/g, ''));

/** Pictures that a page shows, as paths in the repository. */
export const picturesOf = (page: string, text: string): readonly string[] =>
  [...text.matchAll(link)].flatMap(([, image, , address = '']) =>
    image === '!' && !/^[a-z]+:/.test(address) ? [posix.join(posix.dirname(page), address)] : [],
  );
