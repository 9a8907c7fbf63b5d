import { createSecrets } from '../../history/secrets/secrets.ts';
import { describe, expect, it } from 'vitest';
import { history, report } from '../../../test/support/report/check-run.ts';
import { heldBy, pageOf } from '../../../test/support/report/page-of.ts';
import type { RunReport } from '../../results/run-report.ts';
import { packedBlock, packPiece, readDataBlock } from './data-block.ts';
import type { HistoryRecord } from '../../history/records.ts';
import { historyFiles, historyStream } from '../history-files.ts';
import { type HistoryBlock, historyBlock, joinBlocks } from './history-block.ts';
import { toHtml } from './page.ts';
import { type PageData, pageDataOf } from './page-data.ts';

function blockOf(
  limits: { readonly line: number; readonly all: number },
  ...records: readonly object[]
): HistoryBlock {
  const gathered = historyBlock(report(), JSON.stringify, packPiece, limits);
  for (const record of records) gathered.add(record as HistoryRecord, JSON.stringify(record));
  return gathered.block();
}

/** The lines that a page's script would read. */
const linesOf = ({ lines }: HistoryBlock): readonly string[] =>
  readDataBlock(packedBlock('history', lines), 'history')?.trimEnd().split('\n') ?? [];

describe('the page', () => {
  it('holds the report as it is, its causes, and the exchanges, and names the target', () => {
    const html = pageOf(report(), history());
    const data = JSON.parse(readDataBlock(html, 'report') ?? '') as PageData;
    expect(html).toContain('<title>acme-fx 2.3: nonconformant - Assay</title>');
    expect(data.report.requirements).toEqual(report().requirements);
    expect(data.report.causes.length).toBeGreaterThan(0);
    expect(data.parts.map(({ part }) => part)).toEqual(['1', '2', '4', '5', '6']);
    expect(readDataBlock(html, 'history')?.trimEnd().split('\n')).toHaveLength(4);
  });

  it('hides tokens in exchanges', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    expect(heldBy(pageOf(report(), history(` ${token}`)))).not.toContain('c2lnbmF0dXJl');
  });

  it('says what each gap unlocks, and what the reference answers', () => {
    const gap = { id: 'list.page_param', part: '4.5', question: 'Which?' };
    const run: RunReport = { ...report(), gaps: [{ ...gap, consistent: true, unlocks: 4 }] };
    const { gaps } = pageDataOf(run);
    expect(gaps['list.page_param']?.reference).toBe('page');
    expect(gaps['list.page_param']?.unlocks).toContain('list.pages-complete');
  });

  it('knows how each requirement fared in other runs, in the order of time', () => {
    const named = (file: string, finished_at: string) => ({
      file,
      report: { ...report(), run: { ...report().run, finished_at } },
    });
    const earlier = [named('b.json', '2026-01-02'), named('a.json', '2026-01-01')];
    const html = toHtml(report(), {
      shell: '<title>Assay report</title><!--data-->',
      earlier,
      file: 'c.json',
    });
    const { runs } = JSON.parse(readDataBlock(html, 'report') ?? '') as PageData;
    expect(runs.map(({ file }) => file)).toEqual(['a.json', 'b.json', 'c.json']);
    expect(runs[0]?.verdicts['order.form']).toBe('fail');
    expect(pageDataOf(report()).runs).toEqual([]);
  });
});

describe('the exchanges of a long history', () => {
  const exchange = (id: string, memo: string) => ({
    kind: 'exchange',
    id,
    request: { method: 'GET', path: '/', headers: {} },
    response: { status: 200, body: { data: [{ memo }] } },
  });
  const long = 'x'.repeat(500);
  const evidence = 'order.flow#2';

  it('are held without long bodies, save those that a failure rests on', () => {
    const limits = { line: 200, all: 1_000_000 };
    const records = [exchange('a#1', long), exchange(evidence, long), exchange('a#3', 'short')];
    const block = blockOf(limits, ...records);
    const [first, second, third] = linesOf(block).map((line) => JSON.parse(line) as object);
    expect(first).toEqual({
      ...exchange('a#1', ''),
      response: { status: 200, cut: { length: 522, items: 1 } },
    });
    expect(second).toEqual(exchange(evidence, long));
    expect(third).toEqual(exchange('a#3', 'short'));
    expect(block).toMatchObject({ records: 3, cut: 1, leftOut: 0 });
    const [head, ...tail] = records.map((one) => blockOf(limits, one));
    const joined = joinBlocks([head as HistoryBlock, ...tail]);
    expect(linesOf(joined)).toEqual(linesOf(block));
    expect(joined).toMatchObject({ records: 3, cut: 1, leftOut: 0 });
  });

  it('are left out whole where the page would be too long, save those that a failure rests on', () => {
    const block = blockOf(
      { line: 1_000, all: 3_000 },
      ...Array.from({ length: 20 }, (_, n) => exchange(`a#${n}`, long)),
      exchange(evidence, long),
    );
    expect(block.records + block.leftOut).toBe(21);
    expect(block.leftOut).toBeGreaterThan(10);
    expect(linesOf(block).at(-1)).toContain(evidence);
  });

  it('are the same if another thread compresses them piece by piece', async () => {
    const records = Array.from(
      { length: 2_200 },
      (_, n) => exchange(`a#${n}`, `${n} ${long}`) as unknown as HistoryRecord,
    );
    const here = historyFiles(records, report(), createSecrets());
    const { jsonl, page } = historyStream(records, report(), createSecrets());
    const written = Array.from(jsonl, (piece) => piece.slice());
    const aside = await page();
    expect(here.page.lines.length).toBeGreaterThan(1);
    expect(Buffer.concat(written).equals(Buffer.concat(here.jsonl))).toBe(true);
    expect(aside).toEqual(here.page);
    expect(linesOf(aside).map((line) => JSON.parse(line) as object)).toEqual(records);
  });
});
