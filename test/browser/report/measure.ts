// Opens the page of a run with 20,000 exchanges and prints how long a reader waits for it: `npm run measure:report`.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { uiPage } from '../../../src/cli/ui-page.ts';
import { launchChromium } from '../chromium.ts';
import { writePage } from '../opened-page.ts';
import { pageOfLongRun } from './long-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-measure-'));
const { html, entries } = pageOfLongRun(20_000);
const file = writePage(join(folder, 'long.html'), html);
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // As text: what a compiler adds to a function is not there in the browser.
  await page.addInitScript(`
    window.frameTimes = [];
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      window.frameTimes.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  `);
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  await page.locator('h1').waitFor();
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
  );
  await page.locator('.entries').waitFor();
  const read = await page.evaluate(() => performance.now());
  const slowest = (): Promise<number> =>
    page.evaluate<number>('Math.max(...window.frameTimes.splice(0))');
  const whileRead = await slowest();
  const list = page.locator('.entries');
  await list.scrollIntoViewIfNeeded();
  await slowest();
  await list.hover();
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, 2_500);
  const scrolled = await slowest();
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  for (let step = 0; step < 10; step += 1) await zoomIn.click();
  const later = page.getByRole('button', { name: 'Later' });
  for (let step = 0; step < 10; step += 1) await later.click();
  const drawn = await slowest();
  await list.focus();
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('PageDown');
  const stepped = await slowest();
  const ms = (value: number): string => `${Math.round(value)} ms`;
  const kB = (bytes: number): string => `${Math.round(bytes / 1_000)} kB`;
  console.log(`shell                     ${kB(uiPage('report').length)}`);
  console.log(`page of 20,000 exchanges  ${kB(statSync(file).size)}, ${entries} entries`);
  console.log(`first contentful paint    ${ms(painted)}`);
  console.log(`exchanges read            ${ms(read)}, longest frame meanwhile ${ms(whileRead)}`);
  console.log(`scrolling the list        longest frame ${ms(scrolled)}`);
  console.log(`zoom and pan              longest frame ${ms(drawn)}`);
  console.log(`stepping by keyboard      longest frame ${ms(stepped)}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
