/**
 * Every test is in one of two tiers. What a developer runs on each commit (`npm cit`) is quick; what proves the same
 * with many more inputs or whole runs of the suite is named `*.long.test.ts` and runs by `npm run test:long`, and once in
 * `.ci/run`.
 */
const folders = ['src', 'conformance', 'mutants', 'test'] as const;

const within = (name: string): string => `{${folders.join(',')}}/**/*${name}`;

/** Glob patterns of the files of each tier, relative to the project's root. */
export const tiers = {
  all: within('.test.ts'),
  long: within('.long.test.ts'),
} as const;
