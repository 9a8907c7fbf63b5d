import { describe, expect, it } from 'vitest';
import { parts } from '../vocabulary.ts';
import { type Gap, gapIds, gaps, referenceAnswers } from './index.ts';

const register: Readonly<Record<string, Gap>> = gaps;

describe('the gap register', () => {
  it('has well-formed names', () => {
    expect(gapIds.filter((id) => !/^[a-z]+\.[a-z][a-z_]*$/.test(id))).toEqual([]);
  });

  it.each(gapIds)('%s is a whole entry', (id) => {
    const gap = gaps[id];
    expect(parts as readonly string[]).toContain(gap.part.split('.')[0]);
    expect(gap.question).toMatch(/\?$/);
    expect(new Set(gap.values).size).toBe(gap.values.length);
    for (const text of [...gap.values, gap.others, gap.because, gap.observe]) {
      expect(text.trim()).not.toBe('');
    }
    expect(gap.because).toMatch(/\.$/);
  });

  it('has an answer of the reference to each', () => {
    expect(Object.keys(referenceAnswers)).toEqual(gapIds);
    for (const id of gapIds) expect(register[id]?.values).toContain(referenceAnswers[id]);
  });

  /** What the document itself says is not shown, by part. */
  it.each([
    ['2.2', 'order.failure_reason_field', 'order.required_fields'],
    ['2.3', 'quote.target_amount'],
    ['2.4', 'rfq.detail'],
    ['2.8', 'stats.fields'],
    ['3.1', 'cancel.state', 'proposal.effect'],
    ['4.5', 'list.page_param', 'list.page_size_param', 'list.other_filters'],
    ['4.5', 'cancel.request', 'cancel.response', 'proposal.request', 'proposal.response'],
    ['4.5', 'health.response', 'http.create_status', 'http.success_status'],
    ['5.7', 'token.algorithm', 'token.keys'],
    ['6', 'heartbeat.payload', 'event.payload', 'stream.auth', 'stream.resume'],
    ['7', 'error.shape', 'error.statuses', 'error.codes'],
    ['8', 'limits.rate', 'list.max_page_size', 'order.lifetime', 'quote.max_validity'],
    ['9', 'version.policy'],
  ])('%s: what is not shown is asked', (_, ...ids) => {
    expect(ids.filter((id) => !Object.hasOwn(gaps, id))).toEqual([]);
  });
});
