import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecrets, type Secrets } from '../../history/secrets/secrets.ts';
import { buildServer } from '../../reference/http/index.ts';
import { urlOf } from '../../reproduce/script/tokens.ts';
import {
  createReference,
  type ReferenceOptions,
  referenceStartMs,
} from '../../target/embedded/create-reference.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { writeWhole } from '../files.ts';

export interface ScriptRun {
  /** Exit code of the script: 0, 1 or 2. Null: it was killed before. */
  readonly code: number | null;
  readonly said: string;
}

/** The programs that a script needs and this host has not. */
export const missingTools = (): readonly string[] =>
  ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);

/** Runs the text of a script with bash, from a temporary file, with a time limit in milliseconds of host time. */
export async function runScript(
  text: string,
  env: NodeJS.ProcessEnv,
  longestMs: number,
  secrets: Secrets = createSecrets(),
): Promise<ScriptRun> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-script-'));
  try {
    writeWhole(secrets, join(folder, 'shows.sh'), text);
    return await bash('shows.sh', env, folder, longestMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends with bash, and not with the programs that it started: a `sleep` or an open stream may outlast it. */
const bash = (file: string, env: NodeJS.ProcessEnv, cwd: string, timeout: number) =>
  new Promise<ScriptRun>((resolve, reject) => {
    const child = spawn('bash', [file], { env, cwd, timeout });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more));
    child.stderr.setEncoding('utf8').on('data', (more: string) => (said += more));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
    child.on('exit', (code) => {
      if (code !== null) return;
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, said });
    });
  });

/** Runs a script against a reference served for it. The clock moves only if the script moves it. */
export async function runOnReference(
  text: string,
  { PATH }: Readonly<Record<string, string | undefined>>,
  longestMs: number,
  options: Omit<ReferenceOptions, 'clock' | 'seed'> = {},
): Promise<ScriptRun> {
  const clock = virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n, ...options }));
  const addresses = await server.serve({ port: 0, host: '127.0.0.1' });
  try {
    const { origin } = new URL(addresses[0]?.baseUrl ?? '');
    const urls = addresses.map(({ party, baseUrl }) => [urlOf(party.name), baseUrl]);
    const driven = {
      CLOCK_NOW: `${origin}/_sim/clock`,
      CLOCK_ADVANCE: `${origin}/_sim/clock/advance`,
    };
    return await runScript(text, { PATH, ...driven, ...Object.fromEntries(urls) }, longestMs);
  } finally {
    await server.close();
  }
}
