import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { start } from '../../cli/shipped-command.ts';

/** One run of `assay serve --journal`, until it is killed. */
export interface ServedLife {
  /** Resolves once it listens, or has ended before. */
  readonly ready: Promise<'listening' | 'ended'>;
  readonly said: () => string;
  /** Ends it with SIGKILL, by its id; resolves once it is gone. */
  kill(): Promise<void>;
  readonly ended: Promise<unknown>;
}

export interface LifeSettings {
  readonly cwd: string;
  readonly port: number;
  /** Arguments of `assay serve` except `--port`. */
  readonly words: readonly string[];
  /** As `ASSAY_TEST_JOURNAL` takes them. */
  readonly settings?: object;
}

export function serveLife({ cwd, words, port, settings = {} }: LifeSettings): ServedLife {
  const served = start(['serve', '--port', String(port), ...words], cwd, {
    ASSAY_TEST_JOURNAL: JSON.stringify(settings),
  });
  const { child, seen, ended } = served;
  const ready = new Promise<'listening' | 'ended'>((resolve) => {
    child.stdout.on('data', () => {
      if (/^journal: .*\n/m.test(seen.out)) resolve('listening');
    });
    void ended.then(() => resolve('ended'));
  });
  return {
    ready,
    said: () => `${seen.out}${seen.err}`,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    ended,
  };
}

/** A port that is free now, to be used by one life after another. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
