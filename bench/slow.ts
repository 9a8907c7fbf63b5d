import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { at, entry, millisecondsOf } from './process.ts';
import type { Row } from './row.ts';

const startTimeoutMs = 10_000;

/** How long the backend takes to answer, its clock's address included, and how long the whole suite may take then. */
const cases = [
  { answerMs: 0, aim: '<= 10' },
  { answerMs: 20, aim: '<= 25' },
  { answerMs: 250, aim: '<= 150' },
] as const;

/** The whole suite on a reference whose clock is driven and whose every answer takes a while of host time. */
export async function benchSlow(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const rows: Row[] = [];
    for (const { answerMs, aim } of cases) {
      const wallMs = await onSlowBackend(folder, answerMs);
      rows.push({
        name: `each answer after ${answerMs} ms`,
        value: wallMs / 1_000,
        unit: 's',
        aim,
      });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onSlowBackend(folder: string, answerMs: number): Promise<number> {
  const target = join(folder, `slow-${answerMs}.yaml`);
  const args = [target, `${answerMs}`, `${answerMs}`];
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
