import { expect, test } from 'vitest';
import { codesOf, commands, runInARow, twice } from './runs.ts';

/** Of `npm run in-a-row` as much as takes two minutes, on the stricter backend: each command twice, and parts of the suite that act on what others left. */
const lines = twice([
  ...commands,
  'check --only order.create.malformed-*',
  'check --only order.cancel.*',
]);

test('on citadel, whatever runs twice comes to the same', async () => {
  expect(codesOf(await runInARow('citadel', lines))).toEqual(lines.map((line) => `0 ${line}`));
});

test.each(['among themselves', 'quoting all'] as const)(
  'whoever else uses a backend meanwhile is held against nobody: %s',
  async (neighbours) => {
    const lines = ['check --only list.*', 'check --only rfq.*'];
    expect(codesOf(await runInARow('meadow', lines, { neighbours }))).toEqual(
      lines.map((line) => `0 ${line}`),
    );
  },
);
