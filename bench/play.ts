import { entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

/** The whole library on the embedded reference, as one process. */
export async function benchPlay(): Promise<Row[]> {
  const times = Array.from({ length: 3 }, () => millisecondsOf([entry, 'play', 'scenarios']));
  return [
    {
      name: 'all of scenarios/ on the embedded reference',
      value: median(times) / 1_000,
      unit: 's',
      aim: '<= 3',
    },
  ];
}
