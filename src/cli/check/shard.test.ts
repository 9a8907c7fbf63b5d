import { createSecrets } from '../../history/secrets/secrets.ts';
import { expect, it } from 'vitest';
import type { HistoryRecord } from '../../history/records.ts';
import { history, report } from '../../../test/support/report/check-run.ts';
import { heldHistory, resultOf } from './shard.ts';

it('hands on the judged records, without those added after the verdict', async () => {
  const records: HistoryRecord[] = [...history().records];
  const count = records.length;
  const result = resultOf(report(), records, createSecrets());
  records.push({ kind: 'end', stream: 'late#1', by: 'late', party: 'sender', at: 9, cause: 'us' });
  const written = Buffer.concat((await heldHistory(await result.history())).jsonl).toString('utf8');
  expect(written.trimEnd().split('\n')).toHaveLength(count);
});
