import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/scenario/recording-terminal.ts';
import { exitCodeOf, untilStopped } from './command.ts';

it('ends work that a person stops with what is lost by it, and hears no stop once it is done', async () => {
  const stops = new Set<() => void>();
  const terminal = {
    ...recordingTerminal(),
    onStop(stop: () => void) {
      stops.add(stop);
      return () => void stops.delete(stop);
    },
  };
  const code = exitCodeOf(
    () => untilStopped(terminal, 'no report was written', new Promise<0>(() => {})),
    terminal,
  );
  for (const stop of stops) stop();
  expect([await code, terminal.text()]).toEqual([3, 'assay: stopped: no report was written']);
  expect(await untilStopped(terminal, 'nothing', Promise.resolve('done'))).toBe('done');
  expect(stops.size).toBe(0);
});
