import { expect, it } from 'vitest';
import { report } from '../../test/support/report/check-run.ts';
import { evidenceIds, withEvidenceIds } from './evidence.ts';

it('gives other ids to all exchanges and frames that a report names', () => {
  const whole = report();
  const renamed = withEvidenceIds(whole, (id) => `2:${id}`);
  expect([...evidenceIds(whole)]).toEqual(
    expect.arrayContaining(['order.flow#1', 'order.flow#2', 'event.quote#1']),
  );
  expect([...evidenceIds(renamed)]).toEqual([...evidenceIds(whole)].map((id) => `2:${id}`));
});
