import type { OpenedTarget } from '../target/opened-target.ts';

/** Far enough for any clock to show that it goes on. */
const lastStepMs = 2_000;

/**
 * Moves a driven clock once more after the last request, so that one which was lost by then is noticed: nothing that
 * failed under it is a verdict. Throws a `LostClockError`.
 */
export async function confirmClock({ clock, timeline }: OpenedTarget): Promise<void> {
  if (clock.kind !== 'controlled') return;
  await timeline.act('last step', () => timeline.sleep(lastStepMs));
}
