import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { at, entry, millisecondsOf } from './process.ts';
import type { Row } from './row.ts';

const startTimeoutMs = 10_000;

/** How long the parties and the clock's address take to answer, in milliseconds, and how long the suite may take then. */
const cases = [
  { answerMs: 0, clockMs: 0, aim: '<= 10' },
  { answerMs: 20, clockMs: 0, aim: '<= 25' },
  { answerMs: 250, clockMs: 0, aim: '<= 150' },
  { answerMs: 250, clockMs: 250, aim: '' },
] as const;

type Case = (typeof cases)[number];

/** The whole suite on a reference whose clock is driven and whose every answer takes a while of host time. */
export async function benchSlow(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const rows: Row[] = [];
    for (const one of cases) {
      const name = `each answer after ${one.answerMs} ms, the clock's after ${one.clockMs} ms`;
      const value = (await onSlowBackend(folder, one)) / 1_000;
      rows.push({ name, value, unit: 's', aim: one.aim });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onSlowBackend(folder: string, { answerMs, clockMs }: Case): Promise<number> {
  const target = join(folder, `slow-${answerMs}-${clockMs}.yaml`);
  const args = [target, `${answerMs}`, `${clockMs}`];
  const backend = fork(at('./slow-backend.ts'), args, { execArgv: ['--import', 'tsx'] });
  try {
    for (let waited = 0; !existsSync(target); waited += 50) {
      if (waited > startTimeoutMs) throw new Error('the slow backend did not start');
      await setTimeout(50);
    }
    return millisecondsOf([entry, 'check', '--out', join(folder, 'reports'), '--target', target]);
  } finally {
    backend.kill();
  }
}
