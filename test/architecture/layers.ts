/**
 * The layer table, lowest layer first: for each folder its content, the folders it may import, and
 * the packages it may use. layers.test.ts checks it; `npm run docs` writes it into ARCHITECTURE.md.
 */
export interface Layer {
  readonly holds: string;
  readonly folders?: readonly string[];
  readonly packages?: readonly string[];
}

export const layers: Readonly<Record<string, Layer>> = {
  'src/spec': {
    holds:
      'the document as data: resources, states, endpoints, events, limits, the requirement catalogue, the gap register',
    packages: ['typebox'],
  },
  'src/yaml': {
    holds:
      'YAML with positions, and shapes that read it: errors with line, column and caret, "did you mean", JSON schemas',
    packages: ['csv-parse', 'yaml'],
  },
  'src/random': {
    holds: 'seeded, named, forked streams: the only source of chance',
    packages: ['node:crypto'],
  },
  'src/shrink': {
    holds: 'making what shows a failure shorter, as long as it still shows it',
  },
  'src/timeline': {
    holds: "clocks and timelines: the only place where the host's time comes in",
    folders: ['src/random'],
    packages: ['@sinonjs/fake-timers', 'node:process'],
  },
  'src/reference/core': {
    holds:
      "the reference's state machine: orders, quotes, settlement over four legs and a ledger, access, paging",
    folders: ['src/spec'],
    packages: ['decimal.js', 'node:crypto'],
  },
  'src/reference/journal': {
    holds:
      "the reference's write-ahead log: records, group commit, snapshots, recovery, over files that it does not know",
    folders: ['src/spec', 'src/reference/core'],
    packages: ['node:crypto', 'node:zlib'],
  },
  'src/local-server': {
    holds:
      "whom a server on somebody's machine answers: by which names it is reached, and pages of which sites ask",
  },
  'src/reference/http': {
    holds: 'the Fastify shell of the reference: tokens, routes, event streams',
    folders: [
      'src/spec',
      'src/local-server',
      'src/random',
      'src/timeline',
      'src/reference/core',
      'src/reference/journal',
    ],
    packages: ['fastify', 'jose', 'quick-lru', 'node:crypto', 'node:http', 'node:net'],
  },
  'src/history': {
    holds: 'recorded exchanges and stream frames; reading, writing and masking them',
    folders: ['src/spec'],
  },
  'src/protocol': {
    holds:
      "how a target's answers are read and requests are built: fields, failure reason, rates, pages, tolerances",
    folders: ['src/spec', 'src/history'],
  },
  'src/client': {
    holds: "a party's client from outside: HTTP transports, event-stream reader, tokens, backoff",
    folders: ['src/spec', 'src/history', 'src/protocol', 'src/timeline'],
    packages: [
      'node:crypto',
      'node:http',
      'node:https',
      'node:net',
      'node:stream',
      'node:tls',
      'node:url',
      'node:zlib',
    ],
  },
  'src/faults': {
    holds:
      'deliberate faults of an order, of a target and of a network, and their names in scenarios',
    folders: ['src/spec', 'src/yaml', 'src/client'],
  },
  'src/results': {
    holds: 'findings, verdicts, and the report of a run that they make',
    folders: ['src/spec', 'src/history'],
    packages: ['node:crypto'],
  },
  'src/results/causes': {
    holds:
      'which few causes explain the failures of a run: where each may lie, and what follows from what',
    folders: ['src/spec', 'src/history', 'src/results'],
  },
  'src/oracle': {
    holds:
      'the rules: predicates over a history, each tied to requirements; the traces they look at',
    folders: ['src/spec', 'src/history', 'src/protocol', 'src/results'],
  },
  'src/combinations': {
    holds:
      "the factors of an order's life: which came together in a history, and arrays of lives in which all do",
    folders: ['src/spec', 'src/random', 'src/history', 'src/protocol', 'src/oracle', 'src/results'],
  },
  'src/suite/engine': {
    holds: 'the check engine: define, select, schedule, judge',
    folders: [
      'src/spec',
      'src/random',
      'src/timeline',
      'src/history',
      'src/protocol',
      'src/client',
      'src/oracle',
      'src/combinations',
      'src/results',
    ],
  },
  'src/suite/actions': {
    holds: 'what checks are written in: create, quote, accept, wait, walk pages, expect refusals',
    folders: ['src/spec', 'src/history', 'src/protocol', 'src/client', 'src/suite/engine'],
    packages: ['node:crypto'],
  },
  'src/suite/model': {
    holds: 'checks that play random sequences of operations on orders',
    folders: [
      'src/spec',
      'src/random',
      'src/history',
      'src/protocol',
      'src/client',
      'src/oracle',
      'src/suite/engine',
      'src/suite/actions',
    ],
    packages: ['fast-check'],
  },
  'src/target': {
    holds:
      'what is under test: the embedded reference, remote backends, the target file. Client and reference meet only here',
    folders: [
      'src/spec',
      'src/yaml',
      'src/random',
      'src/timeline',
      'src/reference/core',
      'src/reference/journal',
      'src/reference/http',
      'src/history',
      'src/protocol',
      'src/client',
    ],
    packages: [
      'decimal.js',
      'fastify',
      'jose',
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:path',
      'node:stream',
    ],
  },
  'src/discovery': {
    holds:
      "finding a target's answers to the gaps: probes that ask, observers that read the history",
    folders: [
      'src/spec',
      'src/random',
      'src/history',
      'src/protocol',
      'src/client',
      'src/suite/engine',
      'src/suite/actions',
      'src/target',
    ],
  },
  'src/scenario': {
    holds: 'the YAML language: schema, parse, check, evaluate, run',
    folders: [
      'src/spec',
      'src/yaml',
      'src/random',
      'src/timeline',
      'src/history',
      'src/protocol',
      'src/faults',
      'src/client',
    ],
    // Nothing else of the host can stop a regular expression (decision 38).
    packages: ['decimal.js', 'node:vm'],
  },
  'src/reproduce': {
    holds:
      'a failure as something to run again: what is kept of a sequence, as a scenario or a script; its telling',
    folders: [
      'src/spec',
      'src/yaml',
      'src/history',
      'src/protocol',
      'src/faults',
      'src/results',
      'src/scenario',
      'src/shrink',
      'src/target',
    ],
  },
  'src/simulation': {
    holds: 'worlds from a seed: their plans, their faults, how they are played and judged',
    folders: [
      'src/spec',
      'src/random',
      'src/shrink',
      'src/timeline',
      'src/reference/core',
      'src/reference/journal',
      'src/reference/http',
      'src/history',
      'src/protocol',
      'src/faults',
      'src/client',
      'src/results',
      'src/oracle',
      'src/combinations',
      'src/suite/engine',
      'src/target',
    ],
    packages: ['node:crypto'],
  },
  'src/recording': {
    holds: 'traffic that others recorded (HAR), as a history',
    folders: ['src/spec', 'src/history', 'src/protocol', 'src/client'],
    packages: ['node:crypto'],
  },
  'src/proxy': {
    holds:
      'what stands between clients and backends: passes on every byte, and makes records of copies of them',
    folders: [
      'src/spec',
      'src/timeline',
      'src/history',
      'src/protocol',
      'src/client',
      'src/recording',
      'src/local-server',
    ],
    packages: ['node:crypto', 'node:net', 'node:tls'],
  },
  'src/simulation/campaign': {
    holds: 'many worlds: ranges of seeds, their summary, how summaries merge, its text',
    folders: ['src/random', 'src/history', 'src/report', 'src/simulation'],
  },
  'src/report': {
    holds: 'a run turned into text: JSON, JUnit, CTRF, Markdown, HTML',
    folders: ['src/spec', 'src/history', 'src/results'],
    packages: ['node:zlib'],
  },
  'src/ui/shared': {
    holds: 'what the pages of the browser have in common: style, marks, bodies with a path marked',
    folders: ['src/spec', 'src/history', 'src/results', 'src/report'],
    packages: ['preact'],
  },
  'src/cockpit/view': {
    holds: 'what the cockpit tells its page, and the board that both make of it',
  },
  'src/ui/cockpit': {
    holds: 'the page of the cockpit, which asks its own server and nobody else',
    folders: ['src/cockpit/view', 'src/ui/shared'],
    packages: ['preact'],
  },
  'src/ui/report': {
    holds: 'the page of a report, which holds its data and asks nobody for anything',
    folders: ['src/spec', 'src/history', 'src/results', 'src/report', 'src/ui/shared'],
    packages: ['preact'],
  },
  'src/run': {
    holds: 'a run from its target to its report, for the command line and the library',
    folders: ['src'],
    packages: ['node:fs', 'node:path', 'node:url'],
  },
  'src/cockpit': {
    holds:
      'a target under a hand: what is done to it, going back and forking, its page and its server',
    folders: ['src'],
    packages: ['decimal.js', 'fastify', 'node:crypto', 'node:http', 'node:net'],
  },
  conformance: {
    holds: 'the checks, a folder for each part of the document',
    folders: [
      'src/spec',
      'src/random',
      'src/timeline',
      'src/history',
      'src/protocol',
      'src/client',
      'src/combinations',
      'src/suite',
    ],
    packages: ['decimal.js', 'fast-check'],
  },
  mutants: {
    holds: 'the reference with one defect each, which the suite must find',
    folders: ['src/spec', 'src/reference'],
  },
  'mutants/runner': {
    holds:
      'the trial of the suite: every mutation and every assignment of gap answers (`npm run judge`)',
    folders: ['src', 'conformance', 'mutants'],
    packages: ['node:fs', 'node:path', 'node:util', 'node:worker_threads'],
  },
  'src/handbook': {
    holds:
      'all that there is to say of one requirement: its judges, how it fails, the usual remedy',
    folders: ['src/spec', 'src/oracle', 'src/suite', 'conformance', 'mutants'],
  },
  'src/lib': {
    holds: 'the entry points of the library (docs/library.md)',
    folders: ['src', 'conformance'],
    packages: ['vitest', 'fast-check', 'node:fs', 'node:path', 'node:url'],
  },
  'src/cli': {
    holds: 'the command line: the only user of process, console, threads and file writes',
    folders: ['src', 'conformance', 'mutants'],
    packages: [
      'commander',
      'pg',
      'pg-boss',
      'yaml',
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:readline/promises',
      'node:sea',
      'node:url',
      'node:os',
      'node:v8',
      'node:worker_threads',
    ],
  },
};

/** The layer that a file belongs to: the innermost folder of the table around it. */
export const layerOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((folder) => path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length)[0];

/** The table as ARCHITECTURE.md shows it. */
export function layersTable(): string {
  const shown = (names: readonly string[]): string =>
    names.length === 0 ? '' : names.map((name) => name.replace(/^src\//, '')).join(', ');
  const rows = Object.entries(layers).map(
    ([folder, { holds, folders = [], packages = [] }]) =>
      `| \`${folder}\` | ${holds} | ${shown([...folders, ...packages.filter((name) => !name.startsWith('node:'))])} |`,
  );
  return ['| folder | what lives there | may import |', '|---|---|---|', ...rows].join('\n');
}

const [begin, end] = ['<!-- layers: written by `npm run docs` -->', '<!-- /layers -->'];

/** ARCHITECTURE.md with the table as it is now. */
export const withLayersTable = (page: string): string =>
  `${page.slice(0, page.indexOf(begin) + begin.length)}\n\n${layersTable()}\n\n${page.slice(page.indexOf(end))}`;
