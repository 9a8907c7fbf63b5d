import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** A page opened from a file, with its errors and requests. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors, complaints of the browser, and requests to anywhere but the file itself. */
  readonly complaints: string[];
}

interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** Opens a report from disk, and waits until its exchanges are read. */
export async function openReport(
  browser: Browser,
  file: string,
  { width = 1440, scheme = 'light' }: Look = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    offline: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const { href } = pathToFileURL(file);
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== href) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(href);
  await page.locator('h1').waitFor();
  await page.getByText('being read').first().waitFor({ state: 'detached' });
  return { page, complaints };
}

/** Violations that axe-core finds, each with the first element that shows it. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** No one is kept out, in either theme, on a desk or in a hand. */
export async function expectOpenToAll({ page }: OpenedPage): Promise<void> {
  const looks = [
    ['light', 1440],
    ['dark', 390],
  ] as const;
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect({ colorScheme, width, found: await barriers(page) }).toEqual({
      colorScheme,
      width,
      found: [],
    });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect({ width, overflow }).toEqual({ width, overflow: 0 });
  }
}

export function writePage(file: string, html: string): string {
  writeFileSync(file, html);
  return file;
}
