import { entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

const rounds = 15;

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
