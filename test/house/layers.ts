/**
 * The layer table: for each folder, the folders it may import and the packages it may use. Held by layers.test.ts,
 * shown in ARCHITECTURE.md.
 */
export interface Layer {
  readonly folders: readonly string[];
  readonly packages: readonly string[];
}

export const layers: Readonly<Record<string, Layer>> = {
  'src/spec': { folders: [], packages: ['typebox'] },
  'src/yaml': { folders: [], packages: ['yaml'] },
  'src/runtime': {
    folders: [],
    packages: ['@sinonjs/fake-timers', 'node:async_hooks', 'node:crypto', 'node:process'],
  },
  'src/core': { folders: ['src/spec'], packages: ['decimal.js', 'node:crypto'] },
  'src/history': { folders: ['src/spec'], packages: [] },
  'src/server': {
    folders: ['src/spec', 'src/core', 'src/runtime'],
    packages: [
      'fastify',
      'jose',
      'node:crypto',
      'node:events',
      'node:stream',
      'node:http',
      'node:net',
    ],
  },
  'src/client': {
    folders: ['src/spec', 'src/history', 'src/runtime'],
    packages: [
      'eventsource-parser',
      'node:http',
      'node:https',
      'node:net',
      'node:stream',
      'node:url',
      'node:zlib',
    ],
  },
  'src/rules': { folders: ['src/spec', 'src/history'], packages: ['decimal.js'] },
  'src/conformance': {
    folders: ['src/spec', 'src/history', 'src/runtime', 'src/client', 'src/rules'],
    packages: ['decimal.js', 'fast-check', 'node:crypto'],
  },
  'src/scenario': {
    folders: ['src/spec', 'src/yaml', 'src/history', 'src/runtime', 'src/client'],
    packages: ['decimal.js'],
  },
  'src/simulation': {
    folders: ['src/spec', 'src/history', 'src/runtime', 'src/client', 'src/rules'],
    packages: ['fast-check', 'decimal.js'],
  },
  'src/report': {
    folders: [
      'src/spec',
      'src/history',
      'src/conformance/verdicts',
      'src/conformance/result',
      'src/conformance/outcome',
    ],
    packages: [],
  },
  'src/target': {
    folders: [
      'src/spec',
      'src/yaml',
      'src/core',
      'src/history',
      'src/runtime',
      'src/server',
      'src/client',
    ],
    packages: ['decimal.js', 'jose', 'node:child_process', 'node:crypto', 'node:fs', 'node:path'],
  },
  'src/cli': {
    folders: ['src', 'conformance'],
    packages: [
      'commander',
      'yaml',
      'node:fs',
      'node:path',
      'node:url',
      'node:crypto',
      'node:os',
      'node:v8',
      'node:worker_threads',
    ],
  },
  conformance: {
    // From the rules only what compares: numbers, values, and how much lag is no fault.
    folders: [
      'src/spec',
      'src/history',
      'src/runtime',
      'src/client',
      'src/conformance',
      'src/rules/exact',
      'src/rules/same',
      'src/rules/patience',
    ],
    packages: ['decimal.js', 'fast-check'],
  },
};

/** Calls that would let the host's time, chance or console in, and the only files that may make them. */
export const bannedCalls: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly owners: readonly string[];
}[] = [
  { name: 'Date.now', pattern: /\bDate\.now\b/, owners: ['src/runtime/system-clock.ts'] },
  { name: 'new Date()', pattern: /\bnew Date\(\s*\)/, owners: [] },
  { name: 'performance', pattern: /\bperformance\.\w/, owners: ['src/cli/'] },
  { name: 'Math.random', pattern: /\bMath\.random\b/, owners: [] },
  { name: 'randomUUID', pattern: /\brandomUUID\b/, owners: [] },
  {
    name: 'host timers',
    pattern: /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\b/,
    owners: ['src/runtime/', 'src/client/network'],
  },
  { name: 'console', pattern: /\bconsole\.\w/, owners: ['src/cli/'] },
  { name: 'process', pattern: /(?<![.\w])process\.\w/, owners: ['src/cli/'] },
  {
    name: 'float money',
    pattern: /\b(?:parseFloat|Number\.parseFloat)\b|\bNumber\(\s*\w*(?:amount|rate)\b/i,
    owners: [],
  },
];
