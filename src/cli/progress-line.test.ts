import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { progressLine } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('prints progress every 30 s if the terminal cannot rewrite a line', () => {
  const said: string[] = [];
  const terminal = { isLive: false, err: (text: string) => void said.push(text) };
  const line = progressLine(terminal as unknown as Terminal);
  line.stage('checking');
  vi.advanceTimersByTime(31_000);
  expect(said).toEqual(['checking']);
  const waiting = () => [{ check: 'a.long.one', leftMs: 61_400 }];
  line.update({ kind: 'started', total: 9, started: 4, finished: 3, waiting });
  line.update({ kind: 'finished', total: 9, started: 4, finished: 4, waiting });
  vi.advanceTimersByTime(30_000);
  expect(said.slice(1)).toEqual(['4 of 9 checks · a.long.one waits 1m1s']);
  line.end();
  vi.advanceTimersByTime(90_000);
  expect(said).toHaveLength(2);
});
