import type { Browser, Page } from 'playwright-core';
import { openersFor } from '../../src/cli/cockpit/page-server.ts';
import { uiPage } from '../../src/cli/ui-page.ts';
import { referenceCockpit } from '../../src/cockpit/cockpit.ts';
import { type CockpitServer, serveCockpit } from '../../src/cockpit/server.ts';
import type { Session } from '../../src/cockpit/session.ts';
import { referenceAnswers } from '../../src/spec/gaps/index.ts';

export interface RunningCockpit extends CockpitServer {
  readonly session: Session;
}

/** Serves a session's page on a free port. */
export async function servePage(session: Session): Promise<RunningCockpit> {
  const page = uiPage('cockpit');
  const server = await serveCockpit({ session, page, token: 'token', host: '127.0.0.1', port: 0 });
  return {
    ...server,
    session,
    async close() {
      await server.close();
      await session.close();
    },
  };
}

/** A cockpit over a reference of its own. */
export const startCockpit = async (seed = 7n): Promise<RunningCockpit> =>
  servePage(
    await referenceCockpit({
      seed,
      assignment: referenceAnswers,
      openers: openersFor({ cwd: process.cwd() }),
    }),
  );

interface PageLook {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** Opens the page, and collects what it complains of. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1440, height = 900, theme = 'light' }: PageLook = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.waitForSelector('.time-bar');
  return { page, complaints };
}
