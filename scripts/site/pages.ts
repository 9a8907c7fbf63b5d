import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPage, handbookEntry } from '../../src/handbook/index.ts';
import { isRequirementId, requirementIds } from '../../src/spec/requirements/index.ts';
import { asyncapiPage, openapiPage } from './interface-pages.ts';
import { picturesOf, withoutComments, withSiteLinks } from './links.ts';

/** Pages at the root of the repository. */
const rootPages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const;
const moved = { 'README.md': 'index.md', 'docs/decisions': 'docs/decisions/index.md' } as const;

/** The site as Markdown: what each page says, by its path, and the pictures that they show. */
export interface SiteSource {
  readonly pages: ReadonlyMap<string, string>;
  readonly pictures: readonly string[];
}

/** The first heading of a page. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? 'Untitled';

const writtenPages = (root: string): readonly string[] => [
  ...rootPages,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted(),
];

function decisionsPage(decisions: readonly (readonly [path: string, text: string])[]): string {
  const lines = decisions.map(
    ([path, text]) => `- [${titleOf(text)}](./${path.replace('docs/decisions/', '')})`,
  );
  return [
    '# Decisions',
    '',
    'What a newcomer would question, and why it is so.',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** In the list of requirements each leads to its page. */
const withRequirementLinks = (text: string): string =>
  text.replace(/^\| `([\w.-]+)`/gm, (whole, id: string) =>
    isRequirementId(id) ? `| [\`${id}\`](./requirements/${id}.md)` : whole,
  );

export function siteSource(root: string): SiteSource {
  const written = writtenPages(root).map(
    (path) => [path, withoutComments(readFileSync(join(root, path), 'utf8'))] as const,
  );
  const made: readonly (readonly [string, string])[] = [
    [
      moved['docs/decisions'],
      decisionsPage(written.filter(([path]) => path.startsWith('docs/decisions/'))),
    ],
    ['docs/openapi.md', openapiPage()],
    ['docs/asyncapi.md', asyncapiPage()],
    ...requirementIds.map(
      (id) => [`docs/requirements/${id}.md`, entryPage(handbookEntry(id))] as const,
    ),
  ];
  const all = new Set(
    [...written, ...made].map(([path]) => (path === 'README.md' ? 'index.md' : path)),
  );
  const linked = written.map(([path, text]) => {
    const shown = path === 'docs/requirements.md' ? withRequirementLinks(text) : text;
    const targets = { pages: all, moved };
    const exists = (target: string): boolean => existsSync(join(root, target));
    return [
      path === 'README.md' ? 'index.md' : path,
      withSiteLinks(path, shown, targets, exists),
    ] as const;
  });
  return {
    pages: new Map([...linked, ...made]),
    pictures: written.flatMap(([path, text]) => picturesOf(path, text)),
  };
}
