import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/scenario/recording-terminal.ts';
import { exitCodeOf, stoppableRun, unlessEnded } from './command.ts';
import type { StopSignal, Terminal } from './terminal.ts';

/** A terminal at which somebody stops the command. */
function stoppable() {
  const stops = new Set<(signal?: StopSignal) => void>();
  const terminal = {
    ...recordingTerminal(),
    onStop(stop: (signal?: StopSignal) => void) {
      stops.add(stop);
      return () => void stops.delete(stop);
    },
  } satisfies Terminal & { readonly text: () => string };
  return { terminal, stops };
}

it('ends a run with the signal that stopped it, and ignores signals after its end', () => {
  const { terminal, stops } = stoppable();
  const runEnd = stoppableRun(terminal);
  for (const stop of stops) stop('SIGTERM');
  expect(runEnd.ended()).toEqual({
    reason: 'signal',
    at: terminal.date(),
    detail: 'stopped by SIGTERM',
  });
  expect(terminal.text()).toBe(
    'assay: stopped by SIGTERM: what was judged so far is being written; once more ends at once',
  );
  runEnd.forget();
  expect(stops.size).toBe(0);
});

it('does not wait for a target that is not reached when the run is stopped', async () => {
  const { terminal, stops } = stoppable();
  const runEnd = stoppableRun(terminal);
  const never = unlessEnded(runEnd, new Promise<0>(() => {}));
  const code = exitCodeOf(() => never, terminal);
  for (const stop of stops) stop('SIGINT');
  expect(await code).toBe(3);
  expect(terminal.text()).toContain(
    'assay: stopped by SIGINT: nothing was judged yet, and no report was written',
  );
  const other = stoppableRun(stoppable().terminal);
  expect(await unlessEnded(other, Promise.resolve('open'))).toBe('open');
});
