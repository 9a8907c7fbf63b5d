import { expect, test } from 'vitest';
import { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';
import { outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'access.order.create.institution-allowed';

interface Course {
  /** Fields of the n-th order that is refused. */
  readonly change?: (n: number) => Record<string, unknown>;
  readonly status?: number;
  readonly times?: number;
  /** Number of orders that are taken before the refusals. */
  readonly before?: number;
  /** Minutes between these orders and the refusals. */
  readonly minutes?: number;
  readonly takenBetween?: boolean;
  readonly takenAgain?: boolean;
}

/** Orders are taken, some minutes later others are not, and then perhaps one more is. */
function outcomesOf(course: Course): readonly string[] {
  const { change = () => ({}), status = 409, times = 5, before = 12, minutes = 5 } = course;
  const { takenBetween = false, takenAgain = true } = course;
  const fake = new FakeTarget();
  for (let n = 0; n < before; n += 1) fake.create();
  fake.advance(minutes * 60_000);
  for (let n = 0; n < times; n += 1) {
    if (takenBetween && n === 2) fake.create();
    fake.refuse('sender', 'order.create', {
      status,
      body: { ...fake.body('sender'), source_contract_id: `cd${n}#0`, ...change(n) },
    });
  }
  if (takenAgain) fake.create();
  return outcomes({ records: fake.records }, requirement).filter((one) => one !== 'pass');
}

test('orders on terms that are taken before and after were to be taken', () => {
  expect(outcomesOf({})).toEqual(['fail']);
  expect(outcomesOf({ status: 404 })).toEqual(['fail']);
});

test('where none is taken any more, something may have been used up', () => {
  expect(outcomesOf({ takenAgain: false })).toEqual(['warn']);
});

test.each<[string, Course]>([
  ['too few were refused', { times: 4 }],
  ['one was taken in between', { takenBetween: true }],
  ['many are open still', { minutes: 0 }],
  ['none was taken before', { before: 0 }],
  ['the token was refused', { status: 401 }],
  ['it came too fast', { status: 429 }],
  ['the service broke', { status: 503 }],
  ['the terms were others', { change: () => ({ target_amount: '77.00' }) }],
  ['a field lacked its form', { change: () => ({ source_contract_id: 'none' }) }],
  ['a memo was more than words', { change: (n) => ({ memo: `!fail ${n}` }) }],
  ['the contract was always the same', { change: () => ({ source_contract_id: 'ab#0' }) }],
])('nothing is said where %s', (_, course) => {
  expect(outcomesOf(course)).toEqual([]);
});
