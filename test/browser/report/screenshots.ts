// Writes pictures of the reports that reports/sample/ shows: `npm run screenshots:report`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../architecture/source.ts';
import { run } from '../../cli/shipped-command.ts';
import { launchChromium } from '../chromium.ts';
import { openReport } from '../opened-page.ts';

const folder = join(root, 'reports', 'sample');
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
const browser = await launchChromium();

async function shoot(file: string, name: string, place: string): Promise<void> {
  for (const width of [1440, 390]) {
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await openReport(browser, file, { width, scheme });
      await page.evaluate((id) => document.getElementById(id)?.scrollIntoView(), place);
      if (place === 'page') await page.evaluate(() => scrollTo(0, 0));
      // The tabs of a narrow page follow what is read.
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) });
      await page.context().close();
    }
  }
}

try {
  await run(['check', '--mutation', 'settled-at-is-now', '--out', 'broken'], work);
  const broken = join(work, 'broken', 'report.html');
  await shoot(broken, 'report', 'page');
  await shoot(broken, 'timeline', 'timeline');
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
