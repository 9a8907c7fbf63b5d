import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../architecture/source.ts';

export interface RunningBackend {
  /** Of all parties: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts a process that prints the addresses of its parties, as examples/small-backend does. */
export async function startSmallBackend(...flags: readonly string[]): Promise<RunningBackend> {
  const script = join(root, 'examples/small-backend/server.js');
  const child = spawn(process.execPath, [script, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the small backend ended: ${said}`)));
  });
  return {
    origin,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
