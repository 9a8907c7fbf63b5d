// Drives a cockpit by hand as far as it looks like something, and pictures it: reports/sample/cockpit-*.png.
import { mkdirSync } from 'node:fs';
import { launchChromium } from '../test/browser/chromium.ts';
import { openPage, startCockpit } from '../test/browser/cockpit.ts';

const folder = process.argv[2] ?? 'reports/sample';
mkdirSync(folder, { recursive: true });
const cockpit = await startCockpit();
const browser = await launchChromium();
try {
  const { session } = cockpit;
  const idOf = (): string =>
    session.rows.findLast(({ what }) => what === 'order.create')?.intentId ?? '';
  const quoteOf = (): string =>
    session.rows.findLast(({ what }) => what === 'quote.submit')?.quotes?.[0]?.quote_id ?? '';
  const create = (fields = {}) =>
    session.do({ do: 'act', party: 'sender', action: 'create order', fields });
  const quote = (party: string, fx_rate: string) =>
    session.do({ do: 'act', party, action: 'submit quote', order: idOf(), fields: { fx_rate } });
  const accept = () =>
    session.do({
      do: 'act',
      party: 'sender',
      action: 'accept quote',
      order: idOf(),
      quote: quoteOf(),
    });
  const pass = (ms: number) => session.do({ do: 'advance', ms });

  await create({ target_amount: '250.00', memo: 'left alone' });
  await pass(2_000);
  await create({ target_amount: '800.00', memo: 'leg 3 reverts' });
  await session.do({ do: 'fault', fault: 'revert leg 3', order: idOf() });
  await quote('maker_b', '1');
  await accept();
  await pass(6_000);
  await create({ memo: 'invoice 4711' });
  await quote('maker_a', '0.92');
  await quote('maker_b', '0.9');
  await accept();
  await pass(7_000);
  await session.do({ do: 'act', party: 'sender', action: 'cancel order', order: idOf() });
  await create({ target_amount: '400.00', memo: 'on its way' });
  await quote('maker_a', '0.91');
  await accept();
  await pass(1_250);
  await create({ target_amount: '1200.00', source_amount_max: '1500.00', memo: 'being quoted' });
  await quote('maker_c', '0.93');
  await pass(500);
  await quote('maker_a', '0.94');

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      // A phone shows it piece by piece; so much of it tells the rest.
      const height = width === 390 ? 1500 : 1000;
      const { page } = await openPage(browser, cockpit.url, { width, height, theme });
      await page.waitForSelector('.verdict-panel .pass');
      await page.locator('.message').first().click();
      await page.waitForSelector('.whole');
      await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
      const path = `${folder}/cockpit-${width}-${theme}.png`;
      await page.screenshot({ path });
      await page.close();
    }
  }
} finally {
  await browser.close();
  await cockpit.close();
}
