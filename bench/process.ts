import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const entry = at('../bin/assay.js');

interface HowToRun {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** All its threads on one processor, those of V8 too, where it can be pinned. */
  readonly onOneProcessor?: boolean;
}

const pin = ['taskset', '--cpu-list', '0'] as const;
/** Not where the system has no `taskset`, and not where this process may not use that processor. */
export const canPin = spawnSync(pin[0], [...pin.slice(1), 'true']).status === 0;

/** Runs `node ...args` to its end: its wall time, in milliseconds. Throws with what it said unless it ended well. */
export function millisecondsOf(
  args: readonly string[],
  { cwd = at('..'), env = {}, onOneProcessor = false }: HowToRun = {},
): number {
  const before = performance.now();
  const whole = [process.execPath, ...args];
  const [command = '', ...rest] = onOneProcessor && canPin ? [...pin, ...whole] : whole;
  const { status, stdout, stderr } = spawnSync(command, rest, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  const wallMs = performance.now() - before;
  if (status === 0) return wallMs;
  throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
