import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bannedCalls, type Layer, layers } from './layers.ts';
import { importsOf, type SourceFile, sourcesIn } from './source.ts';

const product = [...sourcesIn('src'), ...sourcesIn('conformance')];
const isTest = (file: SourceFile) => /\.test\.ts$|\/testing(\.ts|\/)/.test(file.path);
const shipped = product.filter((file) => !isTest(file));

const folderOf = (path: string): string =>
  path.startsWith('src/') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] ?? '');

const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}.`);

function forbiddenImport(file: SourceFile, layer: Layer, wanted: string): boolean {
  if (!wanted.startsWith('.')) {
    return !layer.packages.some((name) => wanted === name || wanted.startsWith(`${name}/`));
  }
  const path = posix.join(posix.dirname(file.path), wanted);
  return (
    !within(path, folderOf(file.path)) && !layer.folders.some((folder) => within(path, folder))
  );
}

describe('the layer table', () => {
  it('knows every folder of the source', () => {
    const folders = new Set(product.map((file) => folderOf(file.path)));
    expect([...folders].filter((folder) => !(folder in layers))).toEqual([]);
  });

  it('is kept by every import', () => {
    const broken = shipped.flatMap((file) => {
      const layer = layers[folderOf(file.path)];
      if (!layer) return [];
      return importsOf(file)
        .filter((wanted) => forbiddenImport(file, layer, wanted))
        .map((wanted) => `${file.path} imports ${wanted}`);
    });
    expect(broken).toEqual([]);
  });

  it('has no edge that runs back up', () => {
    const visiting: string[] = [];
    const visit = (name: string): void => {
      expect(visiting).not.toContain(name);
      visiting.push(name);
      for (const next of layers[name]?.folders ?? []) {
        const folder = folderOf(next);
        if (folder !== name && folder in layers) visit(folder);
      }
      visiting.pop();
    };
    for (const name of Object.keys(layers)) visit(name);
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
