import { describe, expect, test } from 'vitest';
import { writeHistory } from '../history/jsonl.ts';
import type { HistoryRecord } from '../history/records.ts';
import { createSecrets } from '../history/secrets/secrets.ts';
import { allRules } from '../oracle/index.ts';
import { judgeHistory } from '../run/judge-history.ts';
import { fullTrade } from '../../test/support/oracle/findings-and-edits.ts';
import { readRecordings } from './index.ts';

/** With the ids that a recorder gives. */
function recordedLife(): readonly HistoryRecord[] {
  const ids = new Map<string, string>();
  return fullTrade().records.map((record) => {
    if (record.kind === 'end') return { ...record, stream: ids.get(record.stream) ?? '' };
    const id = `${record.by}#${ids.size + 1}`;
    ids.set(record.id, id);
    return record.kind === 'frame'
      ? { ...record, id, stream: ids.get(record.stream) ?? '' }
      : { ...record, id };
  });
}

const lines = writeHistory(recordedLife(), createSecrets()).trim().split('\n');

function audited(text: string) {
  const result = readRecordings([{ name: 'history.jsonl', text }], []);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const [recording] = result.recordings;
  if (!recording) throw new Error('nothing was read');
  const { records, recorded, limits } = recording;
  const { requirements } = judgeHistory({ records }, allRules, recorded ? { recorded } : {});
  return {
    limits: limits.join('\n'),
    failing: requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])),
    passing: requirements.filter(({ verdict }) => verdict === 'pass').length,
  };
}

describe('a history of a correct target', () => {
  test('is judged as that of a run if nothing is missing in it', () => {
    const { failing, limits, passing } = audited(lines.join('\n'));
    expect([failing, limits]).toEqual([[], '']);
    expect(passing).toBeGreaterThan(400);
  });

  test.each([2, 5, 9])('blames nobody if records are missing: every %ith', (each) => {
    const { failing, limits } = audited(lines.filter((_, index) => index % each !== 0).join('\n'));
    expect(failing).toEqual([]);
    expect(limits).toContain('are missing, by their numbers');
  });

  test.each([0.1, 0.4, 0.8])(
    'blames nobody if its first records are missing: a share of %d',
    (share) => {
      const { failing } = audited(lines.slice(share * lines.length).join('\n'));
      expect(failing).toEqual([]);
    },
  );

  test('loses no more than the lines that cannot be read', () => {
    const broken = lines.map((line, index) => (index % 11 === 3 ? line.slice(0, -20) : line));
    const { failing, limits, passing } = audited(broken.join('\n'));
    expect(failing).toEqual([]);
    expect(passing).toBeGreaterThan(100);
    expect(limits).toContain('line 4 cannot be read, and was left out');
  });

  test('is no recording if most of it cannot be read', () => {
    const result = readRecordings([{ name: 'a.txt', text: 'one\ntwo\n' }], []);
    expect(result.ok ? [] : result.problems).toEqual([expect.stringMatching(/^a\.txt:1: /)]);
  });
});
