import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type Server } from '../../src/reference/http/index.ts';
import { createReference } from '../../src/target/embedded/create-reference.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { clientSource } from './client-source.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let server: Server;
let folder: string;
const urls = new Map<string, string>();

beforeAll(async () => {
  server = buildServer(createReference({ clock: systemClock(), seed: 1n }));
  for (const { party, baseUrl } of await server.serve({ port: 0 })) urls.set(party.name, baseUrl);
  folder = mkdtempSync(join(tmpdir(), 'assay-client-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

const urlOf = (name: string): string => urls.get(name) ?? '';

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

function node(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, said }));
  });
}

const module = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

/** openapi-typescript wants the programming interface of TypeScript 5; ours is 7 and has none. */
const asTypescript5 = module(
  `import { register } from 'node:module'; register(${JSON.stringify(
    module(
      `export const resolve = (name, context, next) =>
        next(name === 'typescript' ? 'typescript-5' : name, context);`,
    ),
  )});`,
);

async function writeTypes(document: string): Promise<void> {
  writeFileSync(join(folder, 'openapi.json'), document);
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  const made = await node('--import', asTypescript5, generator, 'openapi.json', '-o', 'paths.ts');
  if (made.code !== 0) throw new Error(made.said);
}

function compile(): Promise<Ended> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
    lib: ['es2023', 'dom', 'dom.iterable'],
  };
  const options = { compilerOptions, files: ['client.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  return node(join(root, 'node_modules/typescript/bin/tsc'), '-p', folder);
}

describe('a client made of /openapi.json by openapi-typescript and openapi-fetch', () => {
  it('creates, quotes, accepts, cancels and pages, without a cast', async () => {
    const document = await (await fetch(`${urlOf('sender')}/openapi.json`)).text();
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await writeTypes(document);
    writeFileSync(join(folder, 'client.ts'), clientSource);
    expect(clientSource).not.toMatch(/\bas\b|: any\b|!\./);
    expect(await compile()).toEqual({ code: 0, said: '' });

    await build({
      entryPoints: [join(folder, 'client.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'client.mjs'),
      logLevel: 'error',
    });
    const client = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as {
      main(sender: string, maker: string): Promise<readonly string[]>;
    };
    // The server that the document names is one that a client can join paths to as it stands.
    const [{ url: named }] = (JSON.parse(document) as { servers: [{ url: string }] }).servers;
    expect(named).toBe(urlOf('sender'));
    const said = await client.main(named, urlOf('maker_a'));
    expect(said.slice(0, 5)).toEqual([
      'PENDING',
      'no reason',
      'QUOTED',
      '100.00',
      'USER_CANCELLED',
    ]);
    expect(said.slice(5)).toEqual([
      'page 1: FAILED',
      expect.stringMatching(/^page 2: (QUOTED|EXECUTING)$/),
      'not_found',
      '404',
    ]);
  });
});
