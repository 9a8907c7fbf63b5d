import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, type Row } from './row.ts';

const entry = fileURLToPath(new URL('../bin/assay.js', import.meta.url));
const rounds = 15;

function millisecondsOf(args: readonly string[]): number {
  const before = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return performance.now() - before;
}

/** `assay --help` beside `node -e 0`, whole processes, taken in turns. */
export async function benchStart(): Promise<Row[]> {
  const pairs = Array.from({ length: rounds }, () => {
    const bare = millisecondsOf(['-e', '0']);
    return { bare, help: millisecondsOf([entry, '--help']) };
  });
  return [
    {
      name: 'assay --help, whole process',
      value: median(pairs.map(({ bare, help }) => help / bare)),
      unit: 'x node -e 0',
      aim: '<= 2',
    },
  ];
}
