import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordingTerminal } from './recording-terminal.ts';

it('--out writes a run report that holds each timeline, and a history that it points into', async () => {
  const out = mkdtempSync(join(tmpdir(), 'assay-out-'));
  const terminal = recordingTerminal();
  const files = ['scenarios/makers/best-quote.yaml', 'scenarios/failing/flows/wrong-status.yaml'];
  expect(await runProgram(['play', ...files, '--out', out], terminal)).toBe(1);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as RunReport;
  expect(report.outcome).toBe('nonconformant');
  expect(report.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['scenarios/makers/best-quote', 'pass'],
    ['scenarios/failing/flows/wrong-status', 'fail'],
  ]);
  const [first, second] = report.scenarios ?? [];
  expect(first).toMatchObject({
    verdict: 'pass',
    drawn: [expect.stringMatching(/^line \d+: [12], [12]$/)],
  });
  expect(first?.timeline.map(({ says }) => says)).toContain('accept quote');
  const text = readFileSync(join(out, 'history.jsonl'), 'utf8');
  const ids = text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id?: string }).id]));
  const named = [first, second].flatMap(
    (one) => one?.timeline.flatMap(({ exchange }) => exchange ?? []) ?? [],
  );
  expect(named.length).toBeGreaterThan(5);
  for (const id of named) expect(ids.filter((one) => one === id)).toEqual([id]);
  expect(/eyJ[\w-]+\.[\w-]+\.[\w-]{5}/.test(text)).toBe(false);
  const cited = report.checks.flatMap(({ failures }) =>
    failures.flatMap(({ exchanges }) => exchanges),
  );
  for (const id of cited) expect(ids).toContain(id);
  rmSync(out, { recursive: true });
});

it('--dry-run asks nobody, and shows who takes part, what waits and what is verified', async () => {
  const terminal = recordingTerminal();
  expect(
    await runProgram(
      ['play', 'scenarios/expiry/quote-after-acceptance.yaml', '--dry-run'],
      terminal,
    ),
  ).toBe(0);
  expect(
    terminal.text(),
  ).toBe(`scenarios/expiry/quote-after-acceptance: A quote whose time passes after its acceptance, but before settlement begins, ends the order
  parties   sender, maker_a
  waits     10s, at most 10s at a time; until quote.valid_until - 1s, quote.valid_until - 1ms, quote.valid_until + 1ms
  needs     a clock that is driven
  gaps      settlement.steps 1500ms-4600ms
  verifies  order.state.quoted-to-expired, order.state.quoted-to-expired.not-early`);
});

it.each([
  // 500 rounds begin 172 s apart, with 172 s after the last and 10 s before the first.
  ['scenarios/load/a-day.yaml', '23h53m30s', '2m52s'],
  ['scenarios/happy/two-days-later.yaml', '48h', '48h'],
])('%s waits for %s in all', async (file, whole, longest) => {
  const terminal = recordingTerminal();
  expect(await runProgram(['play', file, '--dry-run'], terminal)).toBe(0);
  expect(terminal.text()).toContain(`waits     ${whole}, at most ${longest} at a time`);
});

it.each([
  [['scenarios/hapy'], 'scenarios/hapy: no scenario there'],
  [['scenarios/shared/flows.yaml'], 'no scenario is left to play'],
  [['scenarios/happy', '--tag', 'nothing'], 'no scenario is left to play'],
  [['scenarios/**/no*thing.yaml'], 'no scenario there'],
])('%j is a usage error that says what to do next', async (words, message) => {
  const terminal = recordingTerminal();
  expect(await runProgram(['play', ...words], terminal)).toBe(2);
  expect(terminal.text()).toContain(message);
  expect(terminal.text()).toContain('next: ');
});

it('a pattern selects files', async () => {
  const terminal = recordingTerminal();
  expect(await runProgram(['play', 'scenarios/**/leg-*.yaml', '--dry-run'], terminal)).toBe(0);
  expect(terminal.text().match(/^scenarios\/\S+/gm)).toEqual(
    [1, 2, 3, 4].map((leg) => `scenarios/failure/leg-${leg}-reverts:`),
  );
});
