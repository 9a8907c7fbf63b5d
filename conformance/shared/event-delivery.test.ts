import { expect, test } from 'vitest';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import { wasListeningSince } from './event-delivery.ts';

/** What a check sees of one party's stream, opened last at a moment. */
const listening = (openedMs: number, reopened: 'once' | 'never', isOpen = true): CheckContext => {
  const opened = { by: 'party.sender', received: openedMs };
  const records = reopened === 'once' ? [{ kind: 'end', by: 'party.sender' }] : [];
  const party = () => ({ events: { isOpen, opened } });
  return { party, target: { history: { records } } } as unknown as CheckContext;
};

test('a stream was heard since a moment where it was open by then for certain', () => {
  const since = (t: CheckContext): boolean => wasListeningSince(t, 'sender', 1_000);
  expect(since(listening(999, 'once'))).toBe(true);
  expect(since(listening(1_000, 'never'))).toBe(true);
  expect(since(listening(1_000, 'once'))).toBe(false);
  expect(since(listening(1_001, 'never'))).toBe(false);
  expect(since(listening(999, 'never', false))).toBe(false);
});
