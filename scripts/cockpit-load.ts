// Measures the cockpit with many open orders. Creates them on the page, then acts. Prints the time
// until the page shows each action, and the longest time in which it drew nothing.
// `node --import tsx scripts/cockpit-load.ts 1000`
import { launchChromium } from '../test/browser/chromium.ts';
import { openPage, startCockpit } from '../test/browser/cockpit.ts';

const count = Number(process.argv[2] ?? '1000');
const cockpit = await startCockpit();
const browser = await launchChromium();
try {
  const { page } = await openPage(browser, cockpit.url);
  // Frames that came late tell how long the page was not responsive.
  await page.evaluate(`(() => {
    globalThis.gaps = [];
    let last = performance.now();
    const look = (now) => { globalThis.gaps.push(now - last); last = now; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  })()`);
  const longestGap = () =>
    page.evaluate(
      '(() => { const all = globalThis.gaps.splice(0); return Math.max(0, ...all); })()',
    );
  const measured = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await longestGap();
    const began = performance.now();
    await work();
    const took = Math.round(performance.now() - began);
    const gap = Math.round(Number(await longestGap()));
    console.log(`${what.padEnd(44)} ${String(took).padStart(6)} ms   longest frame ${gap} ms`);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const shows = (state: string, many: number) =>
    page.getByRole('region', { name: `${state}: ${many}`, exact: true }).waitFor();

  await page.getByRole('textbox', { name: 'How many' }).fill(String(count));
  await measured(`create ${count} orders`, async () => {
    await button('create order as sender').click();
    await shows('PENDING', count);
  });
  await page.getByRole('textbox', { name: 'How many' }).fill('1');
  await measured('create one more', async () => {
    await button('create order as sender').click();
    await shows('PENDING', count + 1);
  });
  await measured('quote it', async () => {
    await button('Quote as maker_a').click();
    await button('Accept as sender').first().waitFor();
  });
  await measured('accept the quote', async () => {
    await button('Accept as sender').first().click();
    await shows('QUOTED', 1);
  });
  await measured('advance by 10 s', async () => {
    await button('+10 s').click();
    await shows('SETTLED', 1);
  });
  await measured('judge all of it', () => page.locator('.verdict-panel .pass').waitFor());
  await measured('look back by half of the messages', async () => {
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.fill(String(Math.floor(cockpit.session.rows.length / 2)));
    await shows('SETTLED', 0);
  });
  await measured('go on from there', async () => {
    await button('Go on from here').click();
    await page.getByText(/^line 2, from line 1: it is/).waitFor();
  });
} finally {
  await browser.close();
  await cockpit.close();
}
