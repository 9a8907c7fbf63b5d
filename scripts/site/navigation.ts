import { titleOf } from './pages.ts';

interface Entry {
  readonly text: string;
  readonly link: string;
}

export interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}

/** Pages by what a reader comes for, in the order in which to read them. */
const order: Readonly<Record<string, readonly string[]>> = {
  'First steps': ['index.md', 'docs/start.md', 'docs/questions.md', 'docs/glossary.md'],
  'Check a backend': [
    'docs/target-file.md',
    'docs/report.md',
    'docs/verdicts.md',
    'docs/coverage.md',
    'docs/gaps.md',
    'docs/reproduce.md',
    'docs/waivers.md',
    'docs/baselines.md',
    'docs/ci.md',
  ],
  'Beyond checks': [
    'docs/scenarios.md',
    'docs/simulation.md',
    'docs/simulation-targets.md',
    'docs/campaigns.md',
  ],
  'Your own traffic': ['docs/audit.md', 'docs/proxy.md', 'docs/compare.md'],
  'The reference': ['docs/serving.md', 'docs/cockpit.md', 'docs/error-codes.md'],
  'Your own code': ['docs/library.md', 'docs/checks.md'],
  'The interface': [
    'docs/requirements.md',
    'docs/openapi.md',
    'docs/asyncapi.md',
    'docs/tolerances.md',
  ],
  'The project': [
    'docs/judge.md',
    'ARCHITECTURE.md',
    'docs/decisions/index.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ],
};

/** Reached from a page that lists them. */
const isListed = (path: string): boolean => /^docs\/(?:decisions|requirements)\//.test(path);

/** The navigation of the pages that there are: a new page that nobody put in order is in a last group. */
export function navigation(pages: ReadonlyMap<string, string>): readonly Group[] {
  const placed = new Set(Object.values(order).flat());
  const rest = [...pages.keys()].filter((path) => !placed.has(path) && !isListed(path));
  const entry = (path: string): Entry => ({
    text: titleOf(pages.get(path) ?? ''),
    link: `/${path.replace(/\.md$/, '')}`.replace(/\/index$/, '/'),
  });
  return Object.entries({ ...order, More: rest })
    .map(([text, paths]) => ({ text, items: paths.filter((path) => pages.has(path)).map(entry) }))
    .filter(({ items }) => items.length > 0);
}
