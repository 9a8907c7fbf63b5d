import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { at, entry } from './process.ts';

export interface Served {
  readonly origin: string;
  /** The requests since it was last asked, sorted, with ids left out. */
  readonly asked: () => Promise<readonly string[]>;
  readonly stop: () => void;
}

/** The reference as it is shipped, on a free port, with its requests counted. */
export async function served(): Promise<Served> {
  const counted = pathToFileURL(at('./flow/counted.mjs')).href;
  const server = spawn(process.execPath, ['--import', counted, entry, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return {
    origin: await originOf(server),
    async asked() {
      server.send('asked');
      const [seen] = (await once(server, 'message')) as [string[]];
      return seen.map(withoutIds).toSorted();
    },
    stop: () => void server.kill(),
  };
}

const withoutIds = (request: string): string =>
  request.replaceAll(/\/(orders|quote-requests|quotes)\/[^/]+/g, '/$1/{id}');

async function originOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the server has no output');
  let said = '';
  for await (const piece of stdout) {
    said += String(piece);
    const origin = /(http:\/\/127\.0\.0\.1:\d+)\/bank-a/.exec(said)?.[1];
    if (origin !== undefined && said.includes('/mm-1')) return origin;
  }
  throw new Error(`assay serve ended: ${said}`);
}
