import { describe, expect, it } from 'vitest';
import { history, report } from '../../../../test/support/report/check-run.ts';
import {
  broken,
  playedHistory,
  playedReport,
} from '../../../../test/support/report/scenario-run.ts';
import { exchange, frame } from '../../../../test/support/records.ts';
import type { Exchange, Frame, History } from '../../../history/records.ts';
import type { RunReport } from '../../../results/run-report.ts';
import { createGatherer, type Entry } from './entries.ts';
import { scaleOf, waitUnits } from './scale.ts';
import { deadlinesIn, entriesIn, everything, lanesOf, stateChanges } from './view.ts';

function entriesOf(run: RunReport, { records }: History): readonly Entry[] {
  const gatherer = createGatherer(run);
  for (const [line, record] of records.entries()) gatherer.add(record, line);
  return gatherer.done();
}

const order = (id: string, status: string) => ({
  intent_id: id,
  status,
  source_amount_max: '1',
  expires_at: '2026-01-01T00:01:00.000Z',
});
const startMs = Date.parse('2026-01-01T00:00:00.000Z');

const told = (n: number, id: string, status: string): Frame =>
  frame({
    id: `party#1/${n}`,
    stream: 'party#1',
    party: 'maker_a',
    at: startMs + n,
    event: 'order_updated',
    data: order(id, status),
  });
const created = (n: number, by: string, id: string): Exchange =>
  exchange({
    id: `${by}#${n}`,
    by,
    endpoint: 'order.create',
    data: order(id, 'PENDING'),
    at: startMs + n,
  });
const run: History = {
  records: [
    created(0, 'one', 'A1'),
    created(0, 'two', 'B2'),
    told(5, 'A1', 'QUOTED'),
    told(5, 'B2', 'QUOTED'),
    told(9, 'A1', 'QUOTED'),
    told(4_000, 'A1', 'SETTLED'),
    { ...told(5_000, 'A1', ''), event: 'heartbeat', data: undefined },
  ],
};

describe('the timeline', () => {
  const { target } = report();
  const inStep = { ...report(), target: { ...target, clock: { kind: 'system' } } };
  const entries = entriesOf(inStep, run);

  it('shows a check with the events of its orders, though another stream told them', () => {
    const shown = entriesIn(entries, { ...everything, by: 'one' });
    expect(shown.map(({ id }) => id)).toEqual(['one#0', 'party#1/5', 'party#1/9', 'party#1/4000']);
    expect(lanesOf(shown)).toEqual(['sender', 'maker_a']);
  });

  it('follows an order through its states, each where it was seen first', () => {
    const shown = entriesIn(entries, { ...everything, order: 'a1' });
    expect([...stateChanges(shown)]).toEqual([
      [0, 'PENDING'],
      [1, 'QUOTED'],
      [3, 'SETTLED'],
    ]);
    expect(deadlinesIn(shown)).toEqual([{ what: 'expires_at', atMs: startMs + 60_000 }]);
  });

  it('finds words, and hides heartbeats unless they are asked for', () => {
    expect(entriesIn(entries, { ...everything, words: 'settled maker' })).toHaveLength(1);
    expect(entriesIn(entries, everything)).toHaveLength(6);
    expect(entriesIn(entries, { ...everything, pulses: 'shown' })).toHaveLength(7);
  });

  it('marks what a failure rests on', () => {
    const marked = entriesOf(report(), history()).filter(({ isEvidence }) => isEvidence);
    expect(marked.map(({ id }) => id)).toEqual(['order.flow#1', 'order.flow#2', 'order.flow#3/1']);
  });

  it('reads deadlines on the clock of the run, whatever the clock of the target says', () => {
    const ahead = { ...report(), target: { ...target, clock: { kind: 'system', offset_ms: 500 } } };
    const [first] = entriesOf(ahead, run);
    expect(first?.deadlines[0]?.atMs).toBe(startMs + 59_500);
  });

  it('tells the waits and the failure of a scenario between its exchanges', () => {
    const shown = entriesIn(entriesOf(playedReport(), playedHistory()), {
      ...everything,
      by: broken,
    });
    const kinds = shown.map(({ kind }) => kind);
    expect(kinds).toContain('note');
    expect(kinds.at(-1)).toBe('failure');
    expect(shown.map(({ atMs }) => atMs)).toEqual(
      shown.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
    );
  });
});

describe('the axis', () => {
  it('keeps the order of one moment, and makes an hour a few times as wide as a second', () => {
    const { positions } = scaleOf([0, 0, 1_000, 3_601_000]);
    const [a = 0, b = 0, c = 0, d = 0] = positions;
    expect(b - a).toBeGreaterThan(0);
    expect(c - b).toBeGreaterThan(b - a);
    expect((d - c) / (c - b)).toBeLessThan(5);
    expect(waitUnits(-5)).toBe(0);
  });

  it('places a deadline between the entries around it', () => {
    const scale = scaleOf([0, 10_000]);
    const [first = 0, last = 0] = scale.positions;
    expect(scale.at(5_000)).toBeGreaterThan(first);
    expect(scale.at(5_000)).toBeLessThan(last);
    expect(scale.at(10_000)).toBe(last);
    expect(scale.at(90_000)).toBeLessThanOrEqual(scale.length);
    expect(scale.firstFrom(first + 1)).toBe(1);
  });
});
