import type { Page } from 'playwright-core';

/**
 * Records the duration of each frame. A text, since helpers of the compiler do not exist in the
 * page.
 */
const noteFrames = `
  window.frameTimes = [];
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    window.frameTimes.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
`;

/** Before a page is opened. */
export const watchFrames = (page: Page): Promise<unknown> => page.addInitScript(noteFrames);

/** Milliseconds of the longest frame since the last time it was asked. */
export const longestFrame = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, ...window.frameTimes.splice(0))');

/** Milliseconds until the first paint with content. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
  );

/** Scrolls through the entries by the wheel; milliseconds of its longest frame. */
export async function scrollEntries(page: Page, steps: number): Promise<number> {
  const list = page.locator('.entries');
  await list.scrollIntoViewIfNeeded();
  await list.hover();
  await longestFrame(page);
  for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, 2_500);
  return longestFrame(page);
}
