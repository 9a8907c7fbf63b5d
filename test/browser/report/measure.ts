// Prints the loading times of the page of a run with 20,000 exchanges: `npm run measure:report`.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { uiPage } from '../../../src/cli/ui-page.ts';
import { launchChromium } from '../chromium.ts';
import { writePage } from '../opened-page.ts';
import { firstPaint, longestFrame, scrollEntries, watchFrames } from './frames.ts';
import { pageOfLongRun } from './long-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-measure-'));
const { html, entries } = pageOfLongRun(20_000);
const file = writePage(join(folder, 'long.html'), html);
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await watchFrames(page);
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  await page.locator('h1').waitFor();
  const painted = await firstPaint(page);
  await page.locator('.entries').waitFor();
  const read = await page.evaluate(() => performance.now());
  const slowest = (): Promise<number> => longestFrame(page);
  const whileRead = await slowest();
  const scrolled = await scrollEntries(page, 60);
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  for (let step = 0; step < 10; step += 1) await zoomIn.click();
  const later = page.getByRole('button', { name: 'Later' });
  for (let step = 0; step < 10; step += 1) await later.click();
  const drawn = await slowest();
  await page.locator('.entries').focus();
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
