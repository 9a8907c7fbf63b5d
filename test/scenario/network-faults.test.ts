import { expect, it } from 'vitest';
import { playOnReference } from '../../src/run/play-embedded.ts';
import { loadWritten } from '../../src/run/try-reproduction.ts';
import { played as playedWithoutNetworks, scenario } from './played.ts';

async function played(steps: string, always = '') {
  const text = `scenario: x\nsteps:\n  - sender: create order\n    save: order\n${steps}${always}`;
  const result = await playOnReference(loadWritten(text), { seed: 1n, keepsRecords: false });
  return result.played;
}

const stays = '  - expect: $order.status\n    is: PENDING\n';
const settles = '  - expect: $order.status\n    is: SETTLED\n';

it('a fault may strike a party that has no step', async () => {
  expect(await played(`  - fault: cut off maker_a for 1s\n${stays}`)).toMatchObject({
    verdict: 'pass',
  });
});

it.each([
  ['is over', 'lose next request of sender', stays, 'pass'],
  ['is over', 'cut off sender for 1h', stays, 'pass'],
  ['failed before it struck', 'lose next request of sender', settles, 'fail'],
])('a clean-up reaches the target if the flow %s: %s', async (_, fault, last, verdict) => {
  const cleanUp =
    'always:\n  - sender: cancel order\n    of: $order\n  - sender: read order\n    of: $order\n    expect: { status: FAILED }\n';
  const result = await played(`  - fault: ${fault}\n${last}`, cleanUp);
  expect(result.verdict).toBe(verdict);
  expect(result.failures).toHaveLength(verdict === 'pass' ? 0 : 1);
});

it('a clean-up may have faults of its own', async () => {
  const cleanUp =
    'always:\n  - fault: lose next request of sender\n  - sender: cancel order\n    of: $order\n  - sender: read order\n    of: $order\n    expect: { status: PENDING }\n';
  expect(await played(stays, cleanUp)).toMatchObject({ verdict: 'pass' });
});

it.each([
  ['in_any_order: [quote_received]', 'break streams of sender'],
  ['in_any_order: [quote_received]', 'restart'],
  ['stream: open', 'cut off sender for 1s'],
])('nothing is said of a stream that a fault ended: %s, %s', async (expected, fault) => {
  const flow = `  - fault: ${fault}\n  - maker_a: submit quote\n    for: $order\n  - expect: sender sees\n    of: $order\n    ${expected}\n`;
  expect(await played(flow)).toMatchObject({
    verdict: 'inconclusive',
    reason: 'a fault of the scenario ended the stream of sender, and no step resumed it',
  });
});

it('a fault of the next request strikes that of a refused step, not the reads before it', async () => {
  const again = '  - sender: cancel order\n    of: $order\n';
  const flow = `${again}  - fault: lose next answer of sender\n${again}    refused: 4xx\n`;
  expect(await played(flow)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('left it without an answer'),
  });
});

it.each(['cut off maker_a for 1s', 'lose next answer of sender', 'pause host for 1s'])(
  'a reference without what can fail cannot "%s"',
  async (fault) => {
    const flow = scenario(`  - fault: ${fault}\n  - sender: who am I\n    answered: 200\n`);
    expect(await playedWithoutNetworks(flow)).toMatchObject({
      verdict: 'out_of_scope',
      reason: `this reference cannot "${fault}"`,
    });
  },
);
