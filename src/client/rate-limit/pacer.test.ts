import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';
import { partyFixture } from '../../../test/support/client/fake-backend.ts';

test('a burst goes at once after a pause, and who comes after it a handful at a time', async () => {
  const { timeline } = partyFixture();
  const pacer = createPacer(timeline, 41, 10);
  const gone = new Map<number, number>();
  const one = async (): Promise<void> => {
    await pacer.admit();
    gone.set(timeline.now(), (gone.get(timeline.now()) ?? 0) + 1);
  };
  await timeline.together(Array.from({ length: 50 }, (_, index) => [`${index}`, one] as const));
  const [first, ...later] = gone.values();
  expect([first, new Set(later)]).toEqual([10, new Set([2])]);
});
