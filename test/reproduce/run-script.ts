import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer, type Tamper } from '../../src/reference/http/index.ts';
import { urlOf } from '../../src/reproduce/script/tokens.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';

/** What scripts run on; the tests that need them are left out where they are missing. */
export const hasTools = ['bash', 'curl', 'jq'].every(
  (tool) => spawnSync(tool, ['--version']).status === 0,
);

export interface ScriptRun {
  readonly code: number | null;
  readonly said: string;
}

/** Runs a script against a reference that is served for it, on a clock that stands still until the script moves it. */
export async function runScript(text: string, tamper?: Tamper): Promise<ScriptRun> {
  const clock = virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n, ...(tamper && { tamper }) }));
  const addresses = await server.serve({ port: 0, host: '127.0.0.1' });
  const { origin } = new URL(addresses[0]?.baseUrl ?? '');
  const urls = addresses.map(({ party, baseUrl }) => [urlOf(party.name), baseUrl]);
  const env = {
    PATH: process.env['PATH'],
    CLOCK_NOW: `${origin}/_sim/clock`,
    CLOCK_ADVANCE: `${origin}/_sim/clock/advance`,
    ...Object.fromEntries(urls),
  };
  const folder = mkdtempSync(join(tmpdir(), 'assay-script-'));
  writeFileSync(join(folder, 'shows.sh'), text);
  try {
    return await bash('shows.sh', env, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.close();
  }
}

/** Runs a script of a folder. */
export const bash = (file: string, env: NodeJS.ProcessEnv, cwd: string): Promise<ScriptRun> =>
  new Promise<ScriptRun>((resolve, reject) => {
    const child = spawn('bash', [file], { env, cwd, timeout: 240_000 });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more));
    child.stderr.setEncoding('utf8').on('data', (more: string) => (said += more));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
