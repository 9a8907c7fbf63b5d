import { createSecrets } from '../../../src/history/secrets/secrets.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uiPage } from '../../../src/cli/ui-page.ts';
import { historyFiles, toHtml } from '../../../src/report/index.ts';
import { controlCharacters, joinedLines } from '../../support/report/control-characters.ts';
import { history, report } from '../../support/report/check-run.ts';
import { run } from '../../cli/shipped-command.ts';
import { launchChromium } from '../chromium.ts';
import { expectOpenToAll, type OpenedPage, openReport, writePage } from '../opened-page.ts';
import { testDirectory } from '../../support/test-directory.ts';

let browser: Browser;
const work = testDirectory();
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** Runs the shipped command, and opens the report that it wrote. */
async function reportOf(...args: readonly string[]): Promise<OpenedPage> {
  const { err } = await run([...args, '--out', args[0] ?? ''], work);
  expect(err).not.toContain('assay:');
  return await openReport(browser, join(work, args[0] ?? '', 'report.html'));
}

describe('the report of a failing run', () => {
  let opened: OpenedPage;
  beforeAll(async () => {
    const only = ['--only', 'order.life.*', '--only', 'list.long-after.sender_custodian'];
    opened = await reportOf('check', '--mutation', 'settled-at-is-now', ...only);
  });

  it('says first that the target does not conform, then what broke', async () => {
    const { page } = opened;
    expect(await page.locator('header .outcome').innerText()).toContain('Not conformant');
    const titles = await page.locator('main > section > h2').allInnerTexts();
    expect(titles.slice(0, 3)).toEqual(['What broke', 'How much was judged', 'What happened']);
  });

  it('shows a cause whole: clause, difference, the answer with its path marked, the sequence', async () => {
    const cause = opened.page.locator('#cause-1');
    expect(await cause.getAttribute('open')).not.toBeNull();
    expect(await cause.locator('.lead').innerText()).toContain('never changes');
    expect(await cause.locator('.difference').innerText()).toMatch(/expected[\s\S]*actual/);
    expect(await cause.locator('.json mark').innerText()).toContain('"settled_at"');
    expect(await cause.locator('table.sequence tbody tr').count()).toBeGreaterThan(4);
  });

  it('copies the command that replays it', async () => {
    const { page } = opened;
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: (text: string) => Promise.resolve(void (document.title = text)) },
      });
    });
    await page.getByRole('button', { name: 'Copy the replay command' }).first().click();
    await page.getByRole('button', { name: 'Copied the replay command' }).first().waitFor();
    expect(await page.title()).toMatch(/^assay replay \S+ --mutation settled-at-is-now --seed 0x/);
  });

  it('follows the order of a cause on the timeline, and steps through it by keyboard', async () => {
    const { page } = opened;
    await page.locator('#cause-1').getByRole('button', { name: 'Follow it' }).click();
    const list = page.getByRole('listbox');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox');
    const heading = page.locator('.one-entry h3');
    await page.keyboard.press('Home');
    expect(await heading.innerText()).toContain('POST /orders → 201 PENDING');
    await page.keyboard.press('ArrowDown');
    expect(await list.getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe(
      '2',
    );
    const states = await page.locator('.entry .state').allInnerTexts();
    expect(states.filter((state) => state !== '')[0]).toBe('PENDING');
    await page.keyboard.press('End');
    expect(await page.locator('.one-entry .json').first().innerText()).toContain('"intent_id"');
  });

  it('finds an entry in the drawing by a click', async () => {
    const { page } = opened;
    await page.keyboard.press('Home');
    const canvas = page.locator('.lane-canvas canvas');
    const before = await page.locator('.one-entry h3').innerText();
    const box = await canvas.boundingBox();
    const lanes = await page.locator('.lane-names span').allInnerTexts();
    const y = 26 + 34 * (lanes.indexOf('maker_a') + 0.5);
    let after = before;
    for (let x = 20; x < (box?.width ?? 0) && after === before; x += 15) {
      await canvas.click({ position: { x, y } });
      after = await page.locator('.one-entry h3').innerText();
    }
    expect(await page.locator('.one-entry .facts').innerText()).toContain('maker_a');
  });

  it('filters requirements by words, verdict and part', async () => {
    const { page } = opened;
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('settled-at');
    const shown = page.locator('.requirement');
    const found = await shown.count();
    expect(found).toBeGreaterThan(1);
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption('fail');
    expect(await shown.count()).toBeLessThan(found);
    for (const text of await shown.allInnerTexts()) expect(text).toMatch(/^✕?\s*fail/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('combobox', { name: 'Party' }).selectOption('maker_a');
    expect(await shown.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page
      .locator('.parts')
      .getByRole('link', { name: '2 Resources and fields', exact: true })
      .click();
    expect(await page.locator('section.part').count()).toBe(1);
  });

  it('is read by keyboard alone: every cause, finding and gap', async () => {
    const { page } = opened;
    const summary = page.locator('.requirement summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.locator('.requirement[open] .folded').first().waitFor();
    await page.getByRole('button', { name: /Other than the reference/ }).focus();
    await page.keyboard.press('Space');
    expect(await page.locator('.gaps tbody tr').count()).toBeLessThan(20);
  });

  it('is accessible, makes no request, and logs no error', async () => {
    await expectOpenToAll(opened);
    expect(opened.complaints).toEqual([]);
  });
});

it('the report of a conformant run says so, as far as it was judged', async () => {
  const opened = await reportOf('check', '--only', 'order.cancel.*');
  const outcome = await opened.page.locator('header .outcome').innerText();
  expect(outcome).toMatch(/Conformant\s*nothing|Conformant\s*as far as|Conformant/);
  expect(await opened.page.locator('#causes').count()).toBe(0);
  await expectOpenToAll(opened);
  expect(opened.complaints).toEqual([]);
});

const wrong = `scenario: A new order is SETTLED at once
verifies: [order.create.returns-pending]
steps:
  - sender: create order
    save: order
  - wait: 3s
  - sender: read order
    of: $order
    expect: { status: SETTLED }
`;

describe('the report of played scenarios', () => {
  let opened: OpenedPage;
  beforeAll(async () => {
    writeFileSync(join(work, 'wrong.yaml'), wrong);
    writeFileSync(join(work, 'right.yaml'), wrong.replaceAll('SETTLED', 'PENDING'));
    opened = await reportOf('play', 'right.yaml', 'wrong.yaml');
  });

  it('opens at what failed, and draws it', async () => {
    const { page } = opened;
    const failed = page.locator('#scenario-1');
    expect(await failed.locator('summary').innerText()).toContain('fail');
    expect(await failed.locator('tr.failed').innerText()).toContain('Failed');
    expect(await failed.getByText('assay play').innerText()).toContain('--seed');
  });

  it('shows a scenario on the timeline, its waits and its failure included', async () => {
    const { page } = opened;
    await page.locator('#scenario-1').getByRole('button', { name: 'Show it' }).click();
    expect(await page.locator('.entry.failure').innerText()).toContain('.yaml:');
    expect(await page.locator('.entry.note').count()).toBeGreaterThan(0);
    await expectOpenToAll(opened);
    expect(opened.complaints).toEqual([]);
  });
});

it('text of a target stays text', async () => {
  const harm =
    '</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1">' +
    '<a href="javascript:window.harmed=1">x</a><!-- \u001b[31m \u202e ]]> [x](javascript:1)';
  const page = toHtml(report(harm), {
    shell: uiPage('report'),
    history: historyFiles(history(harm).records, report(harm), createSecrets()).page,
  });
  const opened = await openReport(browser, writePage(join(work, 'harm.html'), page));
  for (const summary of await opened.page.locator('main details > summary').all()) {
    if (await summary.isVisible()) await summary.click();
  }
  const list = opened.page.getByRole('listbox');
  const entries = Number(await list.getByRole('option').first().getAttribute('aria-setsize'));
  await list.focus();
  await opened.page.keyboard.press('Home');
  for (let step = 0; step < entries; step += 1) {
    await opened.page.keyboard.press('ArrowDown');
    const elements = await opened.page.evaluate(() => ({
      harmed: 'harmed' in window,
      strange: document.querySelectorAll('img, iframe, object, embed, form, base').length,
      scripts: document.querySelectorAll('script:not([type="module"], [id])').length,
      links: [...document.querySelectorAll('a')].filter(
        (link) => !link.getAttribute('href')?.startsWith('#'),
      ).length,
    }));
    expect(elements).toEqual({ harmed: false, strange: 0, scripts: 0, links: 0 });
  }
  const shown = await opened.page.locator('body').innerText();
  expect(shown).toContain('<img src=x');
  expect(joinedLines(shown)).not.toMatch(controlCharacters);
  expect(opened.complaints).toEqual([]);
});

it('the history of a requirement is told over several reports', async () => {
  const args = ['report', 'check/report.json', 'later/report.json', '--format', 'html'];
  await run(['check', '--only', 'order.cancel.*', '--out', 'later'], work);
  const { code } = await run([...args, '--out', 'report'], work);
  expect(code).toBe(0);
  const opened = await openReport(browser, join(work, 'report', 'report.html'));
  expect(await opened.page.locator('#runs').innerText()).toContain('2 runs');
  await opened.page.locator('.requirement summary').first().click();
  const strip = opened.page.locator('.run-strip').first();
  await strip.waitFor();
  expect(await strip.locator('li').count()).toBe(2);
  await expectOpenToAll(opened);
});

describe('the matrix of three targets', () => {
  it('shows them side by side, and is accessible', async () => {
    const names = ['acme', 'nova', 'orbit'];
    const words = [[], ['--mutation', 'settled-at-is-now'], ['--only', 'list.late-in-run.*']];
    for (const [index, name] of names.entries()) {
      const only = ['--only', 'order.life.*', ...(words[index] ?? [])];
      await run(['check', ...only, '--out', name], work);
    }
    const files = names.map((name) => `${name}/report.json`);
    const { code } = await run(
      ['report', ...files, '--matrix', '--format', 'html', '--out', 'side'],
      work,
    );
    expect(code).toBe(0);
    const opened = await openReport(browser, join(work, 'side', 'matrix.html'));
    const heads = await opened.page.locator('thead').first().locator('th').allInnerTexts();
    expect(heads).toEqual(['Part', ...files.map((file) => expect.stringContaining(file))]);
    expect(await opened.page.locator('td.fail').count()).toBeGreaterThan(0);
    await expectOpenToAll(opened);
    expect(opened.complaints).toEqual([]);
  });
});
