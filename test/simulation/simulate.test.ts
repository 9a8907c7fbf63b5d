import { describe, expect, it } from 'vitest';
import type { CampaignSummary } from '../../src/simulation/outcome.ts';
import { runHere } from '../cli/command-here.ts';
import { run } from '../cli/shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
describe('assay simulate', () => {
  it('plays worlds and finds nothing wrong with the reference', async () => {
    const { code, out } = await run(['simulate', '--seeds', '2', '--json', '--workers', '1'], work);
    const { format, worlds, causes } = JSON.parse(out) as CampaignSummary;
    expect({ code, format, worlds, causes }).toEqual({
      code: 0,
      format: 'assay.campaign/1',
      worlds: 2,
      causes: [],
    });
  });

  it.each([
    [['--faults', 'partitions'], 'did you mean "partition"'],
    [['--faults', 'leg-revert'], 'did you mean "leg-reverts"'],
    [['--shard', '5/4', '--seeds', '9'], 'give it as 1/4'],
    [['--shard', '1/4'], 'add --seeds N'],
    [['--mutation', 'cancel-while-executin'], 'did you mean'],
    [['--seeds', 'many'], 'a whole number above zero'],
    [['--plan', 'none.json'], 'there is no such file'],
    [['--plan', 'none.json', '--seed', '1'], 'leave out --seed'],
    [['--seed', '14', '--seeds', '900'], 'for several worlds: --from SEED --seeds N'],
    [['--seed', '14', '--until', '1m'], 'for several worlds: --from SEED --seeds N'],
    [['--seeds', '1', '--wait'], '--wait needs --queue'],
    [['--seeds', '1', '--run-id', 'x'], '--run-id needs --target'],
    [['--queue', 'postgres://127.0.0.1/none', '--target', 'x.yaml'], 'leave out --target'],
    [['--target', 'x.yaml', '--mutation', 'x'], 'leave out --mutation'],
  ])('refuses %j', async (args, said) => {
    const { code, err } = await runHere(['simulate', ...args], work);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  it('knows the orders of the core, which has no history', async () => {
    const { code, out } = await run(['simulate', '--depth', 'core', '--seeds', '2'], work);
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing found in 2 worlds')]);
  });
});
