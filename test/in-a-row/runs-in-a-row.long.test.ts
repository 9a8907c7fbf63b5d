import { expect, test } from 'vitest';
import { codesOf, commands, runInARow, twice } from './runs.ts';

/**
 * The part of `npm run in-a-row` that takes two minutes, on the stricter backend: each command
 * twice, and checks that act on objects which others left.
 */
const lines = twice([...commands, 'check --only order.create.malformed-*,order.cancel.*']);

test('on citadel, each command gives the same result twice', async () => {
  expect(codesOf(await runInARow('citadel', lines))).toEqual(lines.map((line) => `0 ${line}`));
});

test('actions of other users of a backend are no finding', async () => {
  const lines = ['check --only list.*'];
  const runs = await runInARow('meadow', lines, { neighbours: 'quoting all' });
  expect(codesOf(runs)).toEqual(lines.map((line) => `0 ${line}`));
});
