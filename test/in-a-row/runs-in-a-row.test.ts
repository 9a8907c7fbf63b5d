import { expect, test } from 'vitest';
import { backends, commands, runInARow } from './runs.ts';

test.each(backends)(
  'on %s, what runs twice comes to the same, and accuses nobody',
  async (name) => {
    const short = commands.filter((line) => !line.startsWith('check --only order.life'));
    const runs = await runInARow(
      name,
      short.flatMap((line) => [line, line]),
    );
    expect(runs.filter(({ code }) => code === 1)).toEqual([]);
    const codes = runs.map(({ line, code }) => [line, code]);
    expect(codes.filter((_, index) => index % 2)).toEqual(
      codes.filter((_, index) => index % 2 === 0),
    );
  },
);

test('an old backend is judged as a new one', async () => {
  const lines = ['check --only order.list.complete.sender --max-wait 10m'];
  const [fresh, old] = [
    await runInARow('citadel', lines),
    await runInARow('citadel', lines, 1_500),
  ].map((runs) => runs.map(({ code, said }) => [code, said.match(/^checks .*$/m)?.[0]]));
  expect(old).toEqual(fresh);
});
