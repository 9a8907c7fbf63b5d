import { expect, it } from 'vitest';
import { readHistory, writeHistory } from './jsonl.ts';
import type { Exchange } from './records.ts';
import { exchange } from '../../test/support/records.ts';
import { createSecrets } from './secrets/secrets.ts';

/** The worlds of records that are written and read again. */
function worldsOf(records: readonly Exchange[]): unknown {
  const reading = readHistory(writeHistory(records, createSecrets()));
  return reading.ok ? reading.records.map(({ world }) => world) : reading.message;
}

const older = [
  exchange({ id: 'party.sender#1', by: 'party.sender' }),
  exchange({ id: 'order.flow#1', by: 'order.flow' }),
  exchange({ id: 'world 2 party.sender#1', by: 'party.sender' }),
  exchange({ id: 'order.list#1', by: 'order.list' }),
];

it('takes the worlds of an older history from the ids of what its parties did', () => {
  expect(worldsOf(older)).toEqual([undefined, undefined, 'world 2', 'world 2']);
});

it('takes a history of one world, and one that names its worlds, as they are', () => {
  expect(worldsOf(older.slice(0, 2))).toEqual([undefined, undefined]);
  expect(worldsOf(older.map((one) => ({ ...one, world: 'own' })))).toEqual(Array(4).fill('own'));
});
