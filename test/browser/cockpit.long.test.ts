import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { openersFor } from '../../src/cli/cockpit/page-server.ts';
import { remoteCockpit } from '../../src/cockpit/cockpit.ts';
import { allRules } from '../../src/oracle/index.ts';
import { readRecordings } from '../../src/recording/index.ts';
import { judgeHistory } from '../../src/run/judge-history.ts';
import { openTarget } from '../../src/run/open.ts';
import { playOnReference } from '../../src/run/play-embedded.ts';
import { loadWritten } from '../../src/run/try-reproduction.ts';
import { cast } from '../../src/spec/requirements/index.ts';
import { servedReference, targetOf } from '../support/network/served-reference.ts';
import { launchChromium } from './chromium.ts';
import { openPage, type RunningCockpit, servePage, startCockpit } from './cockpit.ts';
import { barriers } from './opened-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function begin(): Promise<RunningCockpit> {
  const cockpit = await startCockpit();
  running.push(cockpit);
  return cockpit;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Waits until the page counts so many orders in a state. */
const inState = (page: Page, state: string, count: number) =>
  page.getByRole('region', { name: `${state}: ${count}` }).waitFor();

/** Creates, quotes and accepts by the page's own forms. */
async function trade(page: Page, memo: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Memo' }).fill(memo);
  await button(page, 'create order as sender').click();
  await inState(page, 'PENDING', 1);
  await button(page, 'Quote as maker_a').click();
  await button(page, 'Accept as sender').first().click();
  await inState(page, 'QUOTED', 1);
}

/** @param first what moves time to where the settlement has started */
const settle = async (page: Page, first: string | RegExp): Promise<void> => {
  await button(page, first).click();
  await inState(page, 'EXECUTING', 1);
  await button(page, '+10 s').click();
  await inState(page, 'SETTLED', 1);
};

/** The exported scenario, once it says so. */
async function exported(page: Page, says: string): Promise<string> {
  await button(page, 'Export as a scenario').click();
  const shown = page.getByRole('region', { name: 'The exported scenario' });
  return shown.filter({ hasText: says }).innerText();
}

const hostile = '<img src=x onerror="document.title=1"> & </script>';

it('takes an order from its creation to its settlement by hand, goes back, forks, and exports', async () => {
  const cockpit = await begin();
  const { page, complaints } = await openPage(browser, cockpit.url);
  await trade(page, hostile);
  await settle(page, /^To the next deadline \(/);
  expect(await page.locator('img').count()).toBe(0);
  await page.locator('.verdict-panel .pass').waitFor();
  expect(await barriers(page)).toEqual([]);

  const text = await exported(page, 'status: SETTLED');
  const inputs = { seed: 3n, keepsRecords: false };
  const { played } = await playOnReference(loadWritten(text), inputs);
  expect(played.verdict).toBe('pass');

  const place = cockpit.session.rows.findIndex(({ what }) => what === 'quote.submit');
  await page.getByRole('slider', { name: 'Moment' }).fill(String(place));
  await inState(page, 'PENDING', 1);
  await button(page, 'Go on from here').click();
  await button(page, 'Cancel').click();
  await inState(page, 'FAILED', 1);
  await exported(page, 'status: FAILED');
  await page.getByRole('combobox', { name: 'Line' }).selectOption('0');
  await inState(page, 'SETTLED', 1);
  expect(complaints).toEqual([]);
});

it('drives a target over the network, and judges it as it passes', async () => {
  const served = await servedReference();
  running.push(served);
  const file = targetOf(served.text, { file: 'served.yaml', readText: () => served.key });
  const chosen = { kind: 'file', file, path: 'served.yaml', text: served.text } as const;
  const opening = await openTarget(chosen, 7n, {});
  if (!opening.ok) throw new Error(opening.problems.join('\n'));
  const openers = openersFor({ cwd: process.cwd() });
  const cockpit = await servePage(await remoteCockpit(opening.target, { seed: 7n, openers }));
  running.unshift(cockpit);
  const { page, complaints } = await openPage(browser, cockpit.url);
  await trade(page, 'over the network');
  // When a settlement starts, no remote target tells.
  await settle(page, '+1 s');
  await page.getByText('nothing violated').waitFor();
  expect(await button(page, 'Go on from here').count()).toBe(0);
  await page.getByText('cannot be taken back').waitFor();
  expect(await barriers(page)).toEqual([]);
  const { played } = await playOnReference(loadWritten(await exported(page, 'status: SETTLED')), {
    seed: 3n,
    keepsRecords: false,
  });
  expect(played.failures).toEqual([]);
  expect(complaints).toEqual([]);
});

it('walks through a scenario and a failing world', async () => {
  const cockpit = await begin();
  const { page, complaints } = await openPage(browser, cockpit.url, { theme: 'dark' });
  const scenarios = page.getByRole('combobox', { name: 'Scenario' });
  await scenarios.selectOption('scenarios/happy/custodian.yaml');
  await button(page, 'Open the scenario').click();
  await page.getByText('step 1 of').waitFor();
  await inState(page, 'PENDING', 1);
  const next = button(page, 'Next step');
  while (await next.isEnabled()) await next.click();
  await inState(page, 'SETTLED', 1);
  expect(await barriers(page)).toEqual([]);
  await button(page, 'Close').click();

  const mutation = page.getByRole('textbox', { name: 'Mutation' });
  await mutation.fill('no-such-mutation');
  await button(page, 'Open the world').click();
  await page.getByText('no mutation is named').waitFor();
  await mutation.fill('rate-as-number-when-settled');
  await page.getByRole('textbox', { name: 'World of seed' }).fill('4');
  await button(page, 'Open the world').click();
  await page.getByText('the world of seed 0x0000000000000004').first().waitFor();
  await page.getByText(/\d violated/).waitFor();
  await page.locator('.findings .plain').first().click();
  await page.getByRole('region', { name: 'The chosen message' }).waitFor();
  await next.click();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('is usable on a phone, by keyboard alone', async () => {
  const cockpit = await begin();
  const { page, complaints } = await openPage(browser, cockpit.url, {
    width: 390,
    height: 844,
    theme: 'dark',
  });
  await button(page, 'create order as sender').focus();
  await page.keyboard.press('Enter');
  await inState(page, 'PENDING', 1);
  await page.locator('.message').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('region', { name: 'The chosen message' }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(390);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('is judged by the HAR that Chromium keeps of it', async () => {
  const cockpit = await begin();
  const folder = mkdtempSync(join(tmpdir(), 'assay-har-'));
  const har = join(folder, 'cockpit.har');
  try {
    const context = await browser.newContext({ recordHar: { path: har, content: 'embed' } });
    const page = await context.newPage();
    await page.goto(cockpit.url);
    await page.waitForSelector('.time-bar');
    await trade(page, 'recorded');
    await settle(page, /^To the next deadline \(/);
    await button(page, 'Read').click();
    await page.getByText(/^sender: GET .* answered 200$/).waitFor();
    await context.close();
    const { origin } = new URL(cockpit.url);
    const known = (['sender', 'maker_a'] as const).map((name) => ({
      name,
      role: cast[name],
      baseUrl: `${origin}/parties/${name}`,
    }));
    const read = readRecordings([{ name: har, text: readFileSync(har, 'utf8') }], known);
    if (!read.ok) throw new Error(read.problems.join('\n'));
    const [recording] = read.recordings;
    const records = recording?.records ?? [];
    const asked = records.map((one) => (one.kind === 'exchange' ? one.endpoint : one.kind));
    expect(asked).toEqual(['order.create', 'quote.submit', 'quote.accept', 'order.read']);
    const { rules, requirements } = judgeHistory({ records }, allRules, {});
    expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
