import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunReport } from '../../src/results/run-report.ts';
import { beginHere, runHere } from '../cli/command-here.ts';

type Entry = Record<string, unknown>;
interface HarFile {
  readonly log: Readonly<Record<string, unknown>> & { readonly entries: readonly Entry[] };
}

/** All that an audit says, but for when it was made and of what. */
function judged(json: string): Partial<RunReport> {
  const { run: _, target: __, ...rest } = JSON.parse(json) as RunReport;
  return rest;
}

const inHar = ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'];

/**
 * A run written as HAR is audited as its history is, and as a HAR of any tool it blames nobody.
 * @param blamed by the latter all the same
 */
export async function auditsAlike(
  words: readonly string[],
  isCorrect: boolean,
  blamed: readonly string[] = [],
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-har-'));
  const run = (...args: readonly string[]) => runHere(args, directory);
  const serve = ['serve', '--port', '0', '--clock', 'virtual', '--write-target', 'served.yaml'];
  const served = words.includes('served.yaml') ? beginHere(serve, directory) : undefined;
  try {
    await served?.ready;
    await run('check', ...words, '--out', 'run');
    const written = await run('report', 'run/report.json', '--har', 'run.har');
    expect([written.code, written.err]).toEqual([isCorrect ? 0 : 1, '']);

    const [ofHistory, ofHar] = [
      await run('audit', 'run/history.jsonl', '--json', '--out', 'audited'),
      await run('audit', 'run.har', '--json', '--out', 'audited-har'),
    ];
    expect(judged(ofHar.out)).toEqual(judged(ofHistory.out));
    expect(ofHar.code).toBe(ofHistory.code);
    const text = (name: string): string => readFileSync(join(directory, name), 'utf8');
    expect(text('audited-har/history.jsonl')).toBe(text('audited/history.jsonl'));

    const { log } = JSON.parse(text('run.har')) as HarFile;
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'assay' } });
    for (const entry of log.entries)
      expect(entry).toMatchObject(
        Object.fromEntries(inHar.map((name) => [name, expect.anything()])),
      );
    const streams = log.entries.filter(({ _resourceType }) => _resourceType === 'eventsource');
    expect(JSON.stringify(streams)).toContain('quote_received');
    if (!isCorrect) return;
    const entries = log.entries.map(({ _assay, ...entry }) => entry);
    const { _report, ...bare } = log;
    const creator = { name: 'another tool', version: '1' };
    writeFileSync(
      join(directory, 'other.har'),
      JSON.stringify({ log: { ...bare, creator, entries } }),
    );
    const other = await run('audit', 'other.har', '--json');
    expect(other.err).toBe('');
    const ofOther = judged(other.out);
    const failed = ofOther.requirements?.filter(({ verdict }) => verdict === 'fail');
    expect(failed?.map(({ id }) => id)).toEqual(blamed);
  } finally {
    served?.stop();
    await served?.ended;
    rmSync(directory, { recursive: true });
  }
}
