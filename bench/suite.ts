import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { at, entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

const startTimeoutMs = 10_000;

/** The whole suite: on the embedded reference, and on `assay serve` over HTTP under either clock. */
export async function benchSuite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const embedded = Array.from({ length: 3 }, () => ({
      process: checked(folder, []),
      itself: reportedWallMs(folder),
    }));
    const driven = await onServer(folder, 'virtual', (target) =>
      checked(folder, ['--target', target]),
    );
    const waited = await onServer(folder, 'system', (target) => {
      const longest = longestWaitMs(target);
      return checked(folder, ['--target', target]) / longest;
    });
    return [
      {
        name: 'embedded reference, the check itself',
        value: median(embedded.map(({ itself }) => itself)) / 1_000,
        unit: 's',
        aim: '<= 3',
      },
      {
        name: 'embedded reference, with the start of its process',
        value: median(embedded.map((one) => one.process)) / 1_000,
        unit: 's',
        aim: '<= 3',
      },
      {
        name: 'controlled clock, over HTTP',
        value: driven / 1_000,
        unit: 's',
        aim: '<= 10',
      },
      {
        name: 'system clock, over HTTP, at most 100 requests a second',
        value: waited,
        unit: 'x longest wait',
        aim: '<= 1.15',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Duration in the report of the last run: from the end of loading to the last verdict. */
function reportedWallMs(folder: string): number {
  const report = readFileSync(join(folder, 'reports', 'report.json'), 'utf8');
  return (JSON.parse(report) as { readonly run: { readonly wall_ms: number } }).run.wall_ms;
}

/** Of a run that found nothing violated: any other is an error here. */
const checked = (folder: string, more: readonly string[]): number =>
  millisecondsOf([entry, 'check', '--out', join(folder, 'reports'), ...more]);

/** The longest single wait of those that fit into the target's `max_wait`, as the plan has it. */
function longestWaitMs(target: string): number {
  const args = [entry, 'check', '--dry-run', '--target', target];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const told = /longest wait (?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?/.exec(stdout);
  if (!told) throw new Error(`no longest wait in the plan:\n${stdout.slice(-500)}`);
  const [hours = 0, minutes = 0, seconds = 0] = told.slice(1).map((one) => Number(one ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

async function onServer<T>(
  folder: string,
  clock: 'virtual' | 'system',
  body: (target: string) => T,
): Promise<T> {
  const target = join(folder, `${clock}.yaml`);
  const args = [entry, 'serve', '--port', '0', '--clock', clock, '--write-target', target];
  const server = spawn(process.execPath, args, { cwd: at('..'), stdio: 'ignore' });
  try {
    for (let waited = 0; !existsSync(target); waited += 50) {
      if (waited > startTimeoutMs) throw new Error(`assay serve --clock ${clock} did not start`);
      await setTimeout(50);
    }
    return body(target);
  } finally {
    server.kill();
  }
}
