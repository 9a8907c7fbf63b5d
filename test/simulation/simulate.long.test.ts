import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/simulation/plan.ts';
import type { CampaignSummary } from '../../src/simulation/outcome.ts';
import { read, run, start } from '../cli/shipped-command.ts';
import { root } from '../architecture/source.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();

const summaryIn = (text: string): CampaignSummary => JSON.parse(text) as CampaignSummary;
/** All that does not depend on the host. */
const timeless = (summary: CampaignSummary): unknown => ({
  ...summary,
  host_ms: 0,
  seeds: summary.seeds.map(({ first, count }) => [first, count]),
  causes: summary.causes.map((cause) => ({ ...cause, found_after_ms: 0 })),
});

describe('assay simulate', () => {
  it('comes to the same on one thread and on two', async () => {
    const [one, two] = await Promise.all(
      ['1', '2'].map((workers) =>
        run(['simulate', '--seeds', '6', '--json', '--workers', workers], work),
      ),
    );
    expect([one?.code, two?.code]).toEqual([0, 0]);
    const summaries = [one, two].map((ended) => summaryIn(ended?.out ?? ''));
    expect(summaries[0]?.worlds).toBe(6);
    expect(summaries.map(timeless)[1]).toEqual(summaries.map(timeless)[0]);
  });

  it('tells the causes of a defect, each with its first seed, and keeps the plan', async () => {
    const mutation = ['--mutation', 'rate-as-number-when-settled'];
    const ended = await run(['simulate', '--seeds', '6', ...mutation, '--out', 'found'], work);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^seeds 0x0{15}1 to 0x0{15}6\n/);
    const { causes } = summaryIn(read(work, 'found', 'simulation.json'));
    expect(causes.length).toBeGreaterThan(0);
    const [cause] = causes;
    const seed = cause?.first_seed ?? '';
    expect(ended.out).toContain(
      `next: assay simulate --seed ${seed} --mutation rate-as-number-when-settled`,
    );
    const { requirements } = cause ?? {};
    const plan = JSON.parse(read(work, 'found', `${requirements?.[0]}.plan.json`)) as Plan;
    expect([plan.seed, plan.steps.length < 9]).toEqual([seed, true]);

    const scenario = join('found', `${requirements?.[0]}.yaml`);
    expect(ended.out).toContain(`again: assay play ${scenario} --mutation`);
    expect((await run(['play', scenario, ...mutation], work)).code).toBe(1);
    expect((await run(['play', scenario], work)).code).toBe(0);

    const told = await run(['simulate', '--seed', seed, ...mutation, '--out', 'one'], work);
    expect(told.code).toBe(1);
    expect(told.out).toContain(cause?.cause);
    expect(told.out).toContain(`again: assay simulate --seed ${seed} --mutation`);
    const [first] = read(work, 'one', 'history.jsonl').split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ kind: 'exchange', endpoint: 'token.create' });
  });

  it('plays a plan that it wrote, the same as its seed', async () => {
    const faults = ['--faults', 'restart,disk-full'];
    const drawn = await run(['simulate', '--seed', '12', ...faults, '--out', 'twelve'], work);
    const plan = join('twelve', 'plan-0x000000000000000c.json');
    const again = await run(['simulate', '--plan', plan], work);
    expect([drawn.code, again.code]).toEqual([0, 0]);
    const told = (text: string): string => text.slice(0, text.indexOf('\nwritten:'));
    expect(told(again.out)).toBe(told(drawn.out));
    expect(drawn.out).toContain('fault: restart');
    expect(again.out).toContain(`again: assay simulate --plan ${plan}`);
  });

  it('has no world twice in its shards', async () => {
    const shards = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) =>
        run(['simulate', '--seeds', '10', '--shard', shard, '--json'], work),
      ),
    );
    const seeds = shards.flatMap(({ out }) => summaryIn(out).seeds);
    expect(seeds.map(({ first, count }) => [BigInt(first), count])).toEqual([
      [1n, 3],
      [4n, 3],
      [7n, 4],
    ]);
  });

  it('ends with a valid report when it is stopped', async () => {
    const { child, seen, ended } = start(
      ['simulate', '--seeds', '100000', '--json', '--out', 'stopped', '--workers', '1'],
      work,
    );
    // On its way once it has said which seeds it plays.
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (seen.err.includes('seeds')) resolve();
      };
      child.stderr.on('data', look);
      look();
    });
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(3);
    expect(summaryIn(out).format).toBe('assay.campaign/1');
    expect(existsSync(join(work, 'stopped', 'simulation.json'))).toBe(true);
  });

  it('plays for so long, and cannot judge by a nightly run that never reached a situation', async () => {
    const ended = await run(['simulate', '--until', '2s', '--json'], work);
    expect(ended.code).toBe(0);
    const nightly = await run(['simulate', '--seeds', '2', '--nightly'], work);
    expect(nightly.code).toBe(3);
    expect(nightly.out).toContain('Nothing is claimed of the others:');
  });

  const page = readFileSync(join(root, 'docs/simulation.md'), 'utf8');
  const commands = [...page.matchAll(/^npx assay (.*?)(?:\s+# exits with (\d))?$/gm)].map(
    ([, words = '', code = '0']) => ({ words, code: Number(code) }),
  );

  it('prints what docs/simulation.md shows, but for its numbers', async () => {
    const [, shown = ''] = /^```text\n([\s\S]*?)```/m.exec(page) ?? [];
    const { out } = await run(['simulate', '--seeds', '20'], work);
    const kind = (text: string): string =>
      text.replaceAll(/\([0-9a-f]{12}\)/g, '(…)').replaceAll(/\d[\d.,]*/g, '#');
    const lines = shown.trimEnd().split('\n').length;
    expect(kind(out.split('\n').slice(0, lines).join('\n'))).toBe(kind(shown.trimEnd()));
  });

  it.each(commands)('does what docs/simulation.md says: $words', async ({ words, code }) => {
    const ended = await run(words.split(' '), work);
    expect(`${ended.code} ${ended.code === code ? '' : ended.out + ended.err}`).toBe(`${code} `);
    expect(readdirSync(work)).not.toEqual([]);
  });
});
