import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import {
  broken,
  brokenScenario,
  playedHistory,
  settled,
  settledScenario,
} from '../../../test/support/report/scenario-run.ts';
import { lanePath, type Mark, markOfExchange } from './mark.ts';
import { sequenceOfScenario } from './of-scenario.ts';
import { createPlacer, type PlacedRecord } from './places.ts';
import { durationText, type Row, type Sequence, sequenceOf } from './sequence.ts';

const words = (row: Row): string => {
  switch (row.kind) {
    case 'moment':
      return row.marks.map(({ party, says }) => `${party}: ${says}`).join(' | ');
    case 'across':
      return row.mark.says;
    case 'wait':
      return `- ${durationText(row.ms)}`;
    case 'left_out':
      return `... ${row.marks}${row.alike ? ' alike' : ''} in ${durationText(row.ms)}`;
  }
};
const drawn = ({ rows }: Sequence): string[] => rows.map(words);

const mark = (says: string, atMs: number, more: Partial<Mark> = {}): Mark => ({
  kind: 'call',
  atMs,
  party: 'sender',
  says,
  tone: 'plain',
  isEvidence: false,
  ...more,
});
const numbered = (n: number): Mark[] =>
  Array.from({ length: n }, (_, place) => mark(`step ${place}`, place * 1_000));

/** Records that one scenario caused, in the order of their places. */
function drivenBy(by: string): readonly PlacedRecord[] {
  const placeOf = createPlacer();
  return playedHistory()
    .records.map((record, index) => ({ record, place: placeOf(record, index) }))
    .filter((one): one is PlacedRecord => one.record.kind !== 'end' && one.record.by === by)
    .toSorted((one, other) => one.place - other.place);
}

describe('the sequence of a scenario', () => {
  it('tells events after the request that caused them, several of one moment side by side', () => {
    const sequence = sequenceOfScenario(settledScenario, drivenBy(settled));
    expect(drawn(sequence)).toEqual([
      'fault: stall settlement',
      'sender: create order',
      'maker_a: quote_request_new | maker_b: quote_request_new',
      '- 4 s',
      'sender: order_updated SETTLED',
      'wait 4s',
      'sender: read order',
    ]);
    expect(sequence.parties).toEqual(['sender', 'maker_a', 'maker_b']);
    expect(sequence.heartbeats).toBe(1);
  });

  it('shows a failure where it was found, not at the end, and on what it rests', () => {
    const { rows } = sequenceOfScenario(brokenScenario(), drivenBy(broken));
    expect(rows.map(words)).toEqual([
      'sender: accept quote',
      'maker_a: quote_request_new',
      '- 6 s',
      'sender: order_updated EXPIRED',
      'flows/broken.yaml:4:3: it did not succeed',
      'let late',
    ]);
    const [first] = rows;
    expect(first?.kind === 'moment' && first.marks[0]).toMatchObject({
      tone: 'refused',
      isEvidence: true,
    });
  });

  it('has its steps where there is no history beside the report', () => {
    expect(drawn(sequenceOfScenario(settledScenario, []))).toEqual([
      'fault: stall settlement',
      'sender: create order',
      '- 4 s',
      'wait 4s',
      'sender: read order',
    ]);
  });
});

it('says which token went along, and that no answer came', () => {
  const [record] = playedHistory().records;
  const { response: _, ...silent } = record as Exchange;
  const lost = { ...silent, auth: 'none', error: { code: 'reset', message: '' } } as Exchange;
  expect(markOfExchange(lost, 0, new Set())).toMatchObject({
    says: 'POST /orders, no token',
    answer: 'no answer: reset',
    tone: 'broken',
  });
});

describe('rows', () => {
  it('leave out the middle of what is long, and say how long it was', () => {
    expect(drawn(sequenceOf(numbered(100), 0, 6))).toEqual([
      'sender: step 0',
      ...[1, 2, 3].flatMap((n) => ['- 1 s', `sender: step ${n}`]),
      '... 94 in 1 min 35 s',
      'sender: step 98',
      '- 1 s',
      'sender: step 99',
    ]);
  });

  it('keep what a failure rests on, and what came before it', () => {
    const marks = numbered(100).map((one, place) => ({ ...one, isEvidence: place === 50 }));
    const shown = drawn(sequenceOf(marks, 0, 20)).filter((line) => line.startsWith('sender'));
    expect(shown).toEqual(
      [0, 1, 2, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52].map((n) => `sender: step ${n}`),
    );
  });

  it('fold whoever asks the same again and again', () => {
    const marks = [0, 1, 2, 3, 4].map((n) => mark('read order', n * 1_000));
    expect(drawn(sequenceOf(marks, 0, 30))).toEqual([
      'sender: read order',
      '- 1 s',
      'sender: read order',
      '... 2 alike in 3 s',
      'sender: read order',
    ]);
  });

  it('stand in the order of the cast, strangers after it', () => {
    const marks = ['zed', 'maker_a', 'sender'].map((party) => mark('x', 0, { party }));
    expect(sequenceOf(marks, 0, 9).parties).toEqual(['sender', 'maker_a', 'zed']);
  });
});

it.each([
  [0, '0 ms'],
  [999.6, '1 s'],
  [1_500, '1.5 s'],
  [60_001, '1 min 0.001 s'],
  [3_600_000, '1 h'],
  [172_800_050, '48 h 0.05 s'],
])('%d ms read as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it('a path in a lane shows no prefix and ids by their beginning', () => {
  const path = '/api/v1/orders/306b92c8-f449-4499-85f1-df869ccaff9f/events?page=2';
  expect(lanePath(path)).toBe('/orders/306b…/events?page=2');
});
