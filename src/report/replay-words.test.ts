import { expect, it } from 'vitest';
import { report } from '../../test/support/report/check-run.ts';
import { replayOf } from './evidence.ts';
import { checkCommand, replayWords, shellWord } from './replay-words.ts';
import type { RunReport } from '../results/run-report.ts';

const seed = '--seed 0x0000000000000007';
const started = (words: readonly string[]): RunReport => ({
  ...report(),
  run: { ...report().run, started_with: words },
});

it.each([
  [['--target', 'acme.yaml'], `--target acme.yaml ${seed}`],
  [['--target', "our team's/a b.yaml"], `--target 'our team'\\''s/a b.yaml' ${seed}`],
  [['--target', '../x.yaml', '--max-wait', '5m'], `--target ../x.yaml --max-wait 5m ${seed}`],
  [['--base-url', 'sender=http://h:1/a?b&c'], `--base-url 'sender=http://h:1/a?b&c' ${seed}`],
  [['--mutation', 'rate-cut'], `--mutation rate-cut ${seed}`],
  [[], seed],
])('a run started with %j is replayed with %s', (words, line) => {
  expect(replayWords(started(words))).toBe(line);
});

it('names the parties of a target where a report does not say how it was started', () => {
  const { started_with: _, ...run } = report().run;
  const line = replayWords({ ...report(), run });
  expect(line).toBe(`--base-url sender=http://127.0.0.1:9000/bank-a ${seed}`);
});

it('gives one seed to a shell, of a report in which runs of several were merged', () => {
  const run = { ...report().run, started_with: [], seed: '0x1,0x2' };
  expect(replayWords({ ...report(), run })).toBe('--seed 0x1');
  expect(replayWords({ ...report(), run }, '0x2')).toBe('--seed 0x2');
});

it('makes a run again with the part of the suite that it had', () => {
  const run = started(['--target', 'acme.yaml']);
  const counts = { judged: 1, undecided: 0, not_applicable: 0, out_of_scope: 0, not_selected: 8 };
  const checks = { all: 9, ...counts };
  const part = { only: ['order.*', 'a b'], profile: 'smoke' };
  const coverage = { checks, part, left_out: [] };
  expect(checkCommand({ ...run, coverage })).toBe(
    `assay check --only 'order.*' --only 'a b' --profile smoke --target acme.yaml ${seed}`,
  );
});

it('replays what shows on streams alone by a check that was run for its requirement', () => {
  const [check, ...others] = report().checks;
  if (!check) throw new Error('no check');
  const judged = { ...check, id: 'stream.quiet', verdict: 'pass', requirements: ['a.b'] } as const;
  const whole = { ...report(), checks: [...others, judged] };
  const steps = [{ by: 'party.sender' }];
  expect(replayOf(steps, 'a.rule', { requirement: 'a.b' }, whole)).toMatch(
    /^stream\.quiet .*--seed /,
  );
  expect(replayOf(steps, 'a.rule', { requirement: 'c.d' }, whole)).toBeUndefined();
});

it.each([
  ['', "''"],
  ['$HOME', "'$HOME'"],
  ['a;b', "'a;b'"],
  ['*', "'*'"],
  ['~/x', "'~/x'"],
  ['order.flow', 'order.flow'],
])('a shell takes %j for one word, written %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
