import { expect, it } from 'vitest';
import { canaryNamed } from '../../mutants/canaries/index.ts';
import { tryOnSound, tryOnTarget } from '../../src/run/try-reproduction.ts';

const flow = `scenario: A maker cannot tell whose request it is
steps:
  - as_each: [sender, outsider]
    alike_for: [maker_a]
    steps:
      - sender: create order
        save: order
      - maker_a: read request
        of: $order
`;

it('holds where nothing shows who the sender is', async () => {
  expect((await tryOnSound(flow, 1n)).failed).toBe('no');
});

it.each([
  ['an event comes later', 'requests-of-some-senders-a-millisecond-later'],
  ['fields stand in another order', 'fields-in-another-order-for-some-senders'],
])('fails where for some senders %s', async (_, id) => {
  const tamper = () => canaryNamed(id)?.tamper() ?? {};
  const broken = await tryOnTarget(flow, { chosen: { kind: 'embedded' }, seed: 1n, tamper });
  expect(broken.messages).toEqual(['maker_a can tell sender from outsider']);
});
