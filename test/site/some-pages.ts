// Builds the site into the given folder with every twentieth page of a requirement, since all of
// these are made alike and take time. Links to the others become text.
import { posix } from 'node:path';
import { buildSite } from '../../scripts/site/build-site.ts';
import { siteSource } from '../../scripts/site/pages.ts';
import { requirementIds } from '../../src/spec/requirements/index.ts';
import { root } from '../architecture/source.ts';

const pathOf = (id: string): string => `docs/requirements/${id}.md`;
const left = new Set(requirementIds.filter((_, nth) => nth % 20 !== 0).map(pathOf));

const withoutLinksToLeft = (page: string, text: string): string =>
  text.replace(/\[([^\]\n]*)\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g, (whole, shown: string, to: string) =>
    left.has(posix.join(posix.dirname(page), to)) ? shown : whole,
  );

const [, , out = ''] = process.argv;
const { pages, pictures } = siteSource(root);
const some = [...pages]
  .filter(([path]) => !left.has(path))
  .map(([path, text]) => [path, withoutLinksToLeft(path, text)] as const);
await buildSite({ pages: new Map(some), pictures }, root, out);
