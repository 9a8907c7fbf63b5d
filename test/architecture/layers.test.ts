import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Layer, layerOf, layers, withLayersTable } from './layers.ts';
import { importsOf, root, type SourceFile, sourcesIn } from './source.ts';

/**
 * Calls that reach the time, randomness or console of the host, and the files that may make them.
 */
const bannedCalls: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly owners: readonly string[];
}[] = [
  { name: 'Date.now', pattern: /\bDate\.now\b/, owners: ['src/timeline/clock/system-clock.ts'] },
  { name: 'new Date()', pattern: /\bnew Date\(\s*\)/, owners: [] },
  {
    name: 'performance',
    pattern: /\bperformance\.\w/,
    owners: ['src/cli/', 'src/lib/', 'mutants/runner/'],
  },
  { name: 'Math.random', pattern: /\bMath\.random\b/, owners: [] },
  { name: 'randomUUID', pattern: /\brandomUUID\b/, owners: [] },
  {
    name: 'host timers',
    pattern: /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\b/,
    owners: ['src/timeline/', 'src/client/http/network', 'src/ui/'],
  },
  { name: 'console', pattern: /\bconsole\.\w/, owners: ['src/cli/', 'mutants/runner/'] },
  {
    name: 'process',
    pattern: /(?<![.\w])process\.\w/,
    owners: ['src/cli/', 'src/lib/', 'mutants/runner/'],
  },
  {
    name: 'float money',
    pattern: /\b(?:parseFloat|Number\.parseFloat)\b|\bNumber\(\s*\w*(?:amount|rate)\b/i,
    owners: [],
  },
];

const product = ['src', 'conformance', 'mutants'].flatMap((folder) => sourcesIn(folder));
const isTest = (file: SourceFile) => /\.test\.ts$|\/testing(\.ts|\/)/.test(file.path);
const shipped = product.filter((file) => !isTest(file));

/** The paths of the project's own files that a file imports, lazily or not. */
const ownImports = (file: SourceFile): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(file.path), name));

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

function forbidden(file: SourceFile, own: string): string[] {
  const { folders = [], packages = [] } = layers[own] as Layer;
  const allowed = [own, ...folders];
  return [
    ...ownImports(file).filter((path) => {
      const layer = layerOf(path);
      return layer !== own && !allowed.some((folder) => isWithin(path, folder));
    }),
    ...importsOf(file).filter(
      (name) =>
        !name.startsWith('.') &&
        !packages.some((allowed) => name === allowed || name.startsWith(`${allowed}/`)),
    ),
  ];
}

describe('the layer table', () => {
  it('knows every file of the source', () => {
    expect(product.map(({ path }) => path).filter((path) => !layerOf(path))).toEqual([]);
  });

  it('is kept by every import', () => {
    const broken = shipped.flatMap((file) =>
      forbidden(file, layerOf(file.path) ?? '').map((wanted) => `${file.path} imports ${wanted}`),
    );
    expect(broken).toEqual([]);
  });

  it('has no edge that runs back up', () => {
    const visiting: string[] = [];
    const visit = (name: string): void => {
      expect(visiting).not.toContain(name);
      visiting.push(name);
      const below = Object.keys(layers).filter((other) =>
        layers[name]?.folders?.some((folder) => other === folder || isWithin(other, folder)),
      );
      for (const next of below) if (next !== name && !isRim(name)) visit(next);
      visiting.pop();
    };
    // A layer that may import all of src is at the rim: nothing but the rim may import it.
    const isRim = (name: string): boolean => layers[name]?.folders?.includes('src') ?? false;
    for (const name of Object.keys(layers)) visit(name);
  });

  it('stands in ARCHITECTURE.md as it is', () => {
    const page = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
    expect(withLayersTable(page)).toBe(page);
  });
});

describe('imports', () => {
  it('run in no circle, types included', () => {
    const graph = new Map(shipped.map((file) => [file.path, ownImports(file)]));
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path))
        circles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
      if (trail.includes(path) || done.has(path)) return;
      for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) walk(path, []);
    expect(circles).toEqual([]);
  });
});

describe('banned calls', () => {
  for (const { name, pattern, owners } of bannedCalls) {
    it(`${name} is used by its owners only`, () => {
      const users = shipped
        .filter((file) => !owners.some((owner) => file.path.startsWith(owner)))
        .flatMap((file) =>
          file.code
            .split('\n')
            .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}`] : [])),
        );
      expect(users).toEqual([]);
    });
  }

  it('are found where they stand', () => {
    const sample = 'const a = Date.now(); const b = new Date(); setTimeout(f); console.log(1);';
    expect(
      bannedCalls.filter(({ pattern }) => pattern.test(sample)).map(({ name }) => name),
    ).toEqual(['Date.now', 'new Date()', 'host timers', 'console']);
  });
});
