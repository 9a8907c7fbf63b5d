import type { OpenedTarget } from '../target/opened-target.ts';

/** Milliseconds of a step that any clock shows. */
const lastStepMs = 2_000;

/**
 * Moves a driven clock once more after the last request, so that a lost clock is noticed: failures under a lost clock
 * are no verdict. Throws a `LostClockError`.
 */
export async function confirmClock({ clock, timeline }: OpenedTarget): Promise<void> {
  if (clock.kind !== 'controlled') return;
  await timeline.act('last step', () => timeline.sleep(lastStepMs));
}
