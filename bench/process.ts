import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const entry = at('../bin/assay.js');

/** Runs `node ...args` to its end: its wall time, in milliseconds. Throws with what it said unless it ended well. */
export function millisecondsOf(
  args: readonly string[],
  { cwd = at('..'), env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): number {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  const wallMs = performance.now() - before;
  if (status === 0) return wallMs;
  throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
