import { expect, test } from 'vitest';
import { type CallKind, createPatience, type Patience } from './patience.ts';

/** Patience on a clock that tests move, and calls that take so long and end so. */
function patience() {
  let ms = 1_000_000;
  const patience = createPatience({ now: () => ms });
  const call = (kind: CallKind, lastsMs: number, error?: 'timeout'): void => {
    const end = patience.begin(kind);
    ms += lastsMs;
    end({ error });
  };
  const pass = (passedMs: number): void => {
    ms += passedMs;
  };
  return { patience, call, pass };
}

const kind = (by: string, what = 'order.list', party = 'sender'): CallKind => ({ party, what, by });
const asks = (patience: Patience, one: CallKind): boolean =>
  patience.reasonNotToAsk(one) === undefined;

test('a check that had no answer three times in a row is answered so no fourth time, others are', () => {
  const { patience: bears, call } = patience();
  for (let n = 0; n < 3; n += 1) {
    expect(asks(bears, kind('one'))).toBe(true);
    call(kind('one'), 10, 'timeout');
  }
  expect(bears.reasonNotToAsk(kind('one'))).toBe(
    '3 calls in a row to order.list of sender had no answer of use',
  );
  expect(asks(bears, kind('two'))).toBe(true);
  expect(asks(bears, kind('one', 'order.read'))).toBe(true);
  expect(bears.reasons()).toEqual([]);
});

test('what three checks in a row had no answer to is asked no more, and the report says so', () => {
  const { patience: bears, call } = patience();
  for (const by of ['one', 'two', 'three']) call(kind(by), 10, 'timeout');
  expect(asks(bears, kind('four'))).toBe(false);
  expect(asks(bears, kind('four', 'order.list', 'outsider'))).toBe(true);
  expect(bears.reasons()).toEqual([
    'order.list of sender was asked no more: 3 checks in a row had no answer of use',
  ]);
});

test('an answer in between begins the count anew', () => {
  const { patience: bears, call } = patience();
  for (const by of ['one', 'two']) call(kind(by), 10, 'timeout');
  call(kind('two'), 10);
  for (const by of ['three', 'four']) call(kind(by), 10, 'timeout');
  expect(asks(bears, kind('five'))).toBe(true);
});

test('calls that were under way together say no more than one of them', () => {
  const { patience: bears, pass } = patience();
  const ends = ['one', 'two', 'three', 'four'].map((by) => bears.begin(kind(by)));
  pass(1_000);
  for (const end of ends) end({ error: 'timeout' });
  expect(asks(bears, kind('five'))).toBe(true);
});

test('a party that answers nothing at all is asked no more', () => {
  const { patience: bears, call } = patience();
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const what of all) call(kind(what, what), 10, 'timeout');
  expect(asks(bears, kind('new', 'new'))).toBe(false);
  expect(asks(bears, kind('new', 'new', 'outsider'))).toBe(true);
});

test('after a hundred seconds without an answer nothing is asked any more', () => {
  const { patience: bears, call } = patience();
  for (let n = 0; n < 7; n += 1) {
    expect(asks(bears, kind(`${n}`))).toBe(true);
    call(kind(`${n}`), 15_000, 'timeout');
    call(kind(`${n}`), 10);
  }
  expect(asks(bears, kind('other', 'order.read', 'outsider'))).toBe(false);
  expect(bears.reasons().join()).toContain('for 100 s in all');
});

test('calls that wait side by side are a burden once', () => {
  const { patience: bears, call } = patience();
  const ends = Array.from({ length: 20 }, (_, n) => bears.begin(kind(`${n}`, `w${n}`, `p${n}`)));
  call(kind('x', 'x', 'x'), 15_000, 'timeout');
  for (const end of ends) end({ error: 'timeout' });
  expect(asks(bears, kind('other', 'order.read', 'outsider'))).toBe(true);
});

test('an opening for which the time of the target goes on is no burden', () => {
  const { patience: bears, pass } = patience();
  for (let n = 0; n < 20; n += 1) {
    const end = bears.begin(kind(`${n}`, `w${n}`, `p${n}`));
    pass(30_000);
    end({ error: 'timeout', isFree: true });
  }
  expect(asks(bears, kind('other', 'order.read', 'outsider'))).toBe(true);
});

test('after three calls that were waited for in full others are given less, and never less than a slow target needs', () => {
  const { patience: bears, call } = patience();
  call(kind('slow'), 2_000);
  for (let n = 0; n < 3; n += 1) {
    expect(bears.timeFor(15_000)).toBe(15_000);
    call(kind('x', `${n}`, `${n}`), 15_000, 'timeout');
  }
  expect(bears.timeFor(15_000)).toBe(6_000);
  expect(bears.timeFor(500)).toBe(500);
});
