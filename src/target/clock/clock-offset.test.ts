import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { exchange as made } from '../../../test/support/records.ts';
import { offsetOf, offsetOfAll } from './clock-offset.ts';

const base = 1_900_000_000_000;
const exchange = (sent: number, received: number, stamp?: number, date?: number): Exchange => {
  const timestamp = stamp === undefined ? undefined : formatTimestamp(base + stamp);
  const headers = date === undefined ? {} : { date: new Date(base + date).toUTCString() };
  const body = timestamp === undefined ? {} : { data: {}, meta: { timestamp } };
  return made({
    sent: base + sent,
    received: base + received,
    response: { status: 200, headers, body },
  });
};

describe('offsetOf', () => {
  it('holds the true offset, however slow the wire', () => {
    expect(offsetOf([exchange(0, 100, 5_050)])).toEqual({ least: 4_949, most: 5_051 });
  });

  it('narrows with every sample', () => {
    expect(offsetOf([exchange(0, 100, 5_090), exchange(200, 300, 5_205)])).toEqual({
      least: 4_989,
      most: 5_006,
    });
  });

  it('widens where the clock jumped between samples', () => {
    expect(offsetOf([exchange(0, 1, 0), exchange(10, 11, 60_010)])).toEqual({
      least: -2,
      most: 60_001,
    });
  });

  it('reads the Date header, to the second, where there is no stamp', () => {
    expect(offsetOf([exchange(500, 600, undefined, 2_000)])).toEqual({ least: 1_399, most: 2_500 });
    expect(offsetOf([exchange(0, 1)])).toBeUndefined();
  });

  it('is wide enough for every party', () => {
    expect(offsetOfAll([[exchange(0, 0, 0)], [exchange(0, 0, 900)], []])).toEqual({
      least: -1,
      most: 901,
    });
  });
});
