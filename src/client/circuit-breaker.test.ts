import { describe, expect, it, test } from 'vitest';
import { type CallKind, createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';

/** A circuit breaker on a test clock, and calls with a duration and a result. */
function onTestClock() {
  let ms = 1_000_000;
  const circuitBreaker = createCircuitBreaker({ now: () => ms });
  const call = (kind: CallKind, lastsMs: number, error?: 'timeout'): void => {
    const end = circuitBreaker.begin(kind);
    ms += lastsMs;
    end({ error });
  };
  const pass = (passedMs: number): void => {
    ms += passedMs;
  };
  return { circuitBreaker, call, pass };
}

const kind = (by: string, endpoint = 'order.list', party = 'sender'): CallKind => ({
  party,
  endpoint,
  by,
});
const asks = (circuitBreaker: CircuitBreaker, one: CallKind): boolean =>
  circuitBreaker.reasonNotToCall(one) === undefined;

test('a check makes no fourth call after three without an answer; other checks go on', () => {
  const { circuitBreaker, call } = onTestClock();
  for (let n = 0; n < 3; n += 1) {
    expect(asks(circuitBreaker, kind('one'))).toBe(true);
    call(kind('one'), 10, 'timeout');
  }
  expect(circuitBreaker.reasonNotToCall(kind('one'))).toBe(
    '3 calls in a row to order.list of sender had no answer of use',
  );
  expect(asks(circuitBreaker, kind('two'))).toBe(true);
  expect(asks(circuitBreaker, kind('one', 'order.read'))).toBe(true);
  expect(circuitBreaker.reasons()).toEqual([]);
});

test('an endpoint that leaves three checks in a row unanswered is not called again, and the report says so', () => {
  const { circuitBreaker, call } = onTestClock();
  for (const by of ['one', 'two', 'three']) call(kind(by), 10, 'timeout');
  expect(asks(circuitBreaker, kind('four'))).toBe(false);
  expect(asks(circuitBreaker, kind('four', 'order.list', 'outsider'))).toBe(true);
  expect(circuitBreaker.reasons()).toEqual([
    'order.list of sender was asked no more: 3 checks in a row had no answer of use',
  ]);
});

test('an answer resets the count', () => {
  const { circuitBreaker, call } = onTestClock();
  for (const by of ['one', 'two']) call(kind(by), 10, 'timeout');
  call(kind('two'), 10);
  for (const by of ['three', 'four']) call(kind(by), 10, 'timeout');
  expect(asks(circuitBreaker, kind('five'))).toBe(true);
});

test('calls in flight together count as one', () => {
  const { circuitBreaker, pass } = onTestClock();
  const ends = ['one', 'two', 'three', 'four'].map((by) => circuitBreaker.begin(kind(by)));
  pass(1_000);
  for (const end of ends) end({ error: 'timeout' });
  expect(asks(circuitBreaker, kind('five'))).toBe(true);
});

test('a party that answers nothing is not called again', () => {
  const { circuitBreaker, call } = onTestClock();
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const what of all) call(kind(what, what), 10, 'timeout');
  expect(asks(circuitBreaker, kind('new', 'new'))).toBe(false);
  expect(asks(circuitBreaker, kind('new', 'new', 'outsider'))).toBe(true);
});

test('no call is made after 100 s of waiting without an answer', () => {
  const { circuitBreaker, call } = onTestClock();
  for (let n = 0; n < 7; n += 1) {
    expect(asks(circuitBreaker, kind(`${n}`))).toBe(true);
    call(kind(`${n}`), 15_000, 'timeout');
    call(kind(`${n}`), 10);
  }
  expect(asks(circuitBreaker, kind('other', 'order.read', 'outsider'))).toBe(false);
  expect(circuitBreaker.reasons().join()).toContain('for 100 s in all');
});

test('calls that wait at the same time cost that time once', () => {
  const { circuitBreaker, call } = onTestClock();
  const ends = Array.from({ length: 20 }, (_, n) =>
    circuitBreaker.begin(kind(`${n}`, `w${n}`, `p${n}`)),
  );
  call(kind('x', 'x', 'x'), 15_000, 'timeout');
  for (const end of ends) end({ error: 'timeout' });
  expect(asks(circuitBreaker, kind('other', 'order.read', 'outsider'))).toBe(true);
});

test('a stream opening costs nothing while the clock of the target is moved', () => {
  const { circuitBreaker, pass } = onTestClock();
  for (let n = 0; n < 20; n += 1) {
    const end = circuitBreaker.begin(kind(`${n}`, `w${n}`, `p${n}`));
    pass(30_000);
    end({ error: 'timeout', isFree: true });
  }
  expect(asks(circuitBreaker, kind('other', 'order.read', 'outsider'))).toBe(true);
});

describe('a call that used its whole timeout without an answer', () => {
  it('leaves two more such timeouts, and none shorter than a slow target needs', () => {
    const { circuitBreaker, call } = onTestClock();
    call(kind('slow'), 2_000);
    for (let n = 0; n < 3; n += 1) {
      expect(circuitBreaker.timeoutFor(15_000, 'body')).toBe(15_000);
      call(kind('x', `${n}`, `${n}`), 15_000, 'timeout');
    }
    expect(circuitBreaker.timeoutFor(15_000, 'body')).toBe(6_000);
    expect(circuitBreaker.timeoutFor(500, 'body')).toBe(500);
    expect(circuitBreaker.timeoutFor(35_000, 'stream')).toBe(35_000);
  });

  it('shortens the timeout of all later stream openings, and no other', () => {
    const { circuitBreaker, call } = onTestClock();
    call(kind('one', 'order.events'), 35_000, 'timeout');
    expect(circuitBreaker.timeoutFor(35_000, 'stream')).toBe(3_000);
    expect(circuitBreaker.timeoutFor(15_000, 'body')).toBe(15_000);
  });

  it('shortens nothing for a target whose streams open with their first heartbeat', () => {
    const { circuitBreaker, call } = onTestClock();
    call(kind('one', 'order.events'), 30_000);
    call(kind('two', 'order.events'), 35_000, 'timeout');
    expect(circuitBreaker.timeoutFor(35_000, 'stream')).toBe(35_000);
  });
});
