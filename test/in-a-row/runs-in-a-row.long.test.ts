import { expect, test } from 'vitest';
import { backends, codesOf, commands, runInARow, twice } from './runs.ts';

/** Of `npm run in-a-row` as much as takes a minute: each command twice, and parts of the suite that act on what others left. */
const lines = twice([
  ...commands,
  'check --only order.create.malformed-*',
  'check --only order.cancel.*',
]);

test.each(backends)('on %s, whatever runs twice comes to the same', async (name) => {
  expect(codesOf(await runInARow(name, lines))).toEqual(lines.map((line) => `0 ${line}`));
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
