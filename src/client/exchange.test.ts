import { expect, test } from 'vitest';
import { createRecorder } from '../history/recorder.ts';
import type { Timeline } from '../runtime/timeline.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { virtualTimeline } from '../runtime/virtual-timeline.ts';
import { createAllowance } from './allowance.ts';
import { createCourtesy } from './courtesy.ts';
import { runExchange } from './exchange.ts';
import { backend } from './testing.ts';
import type { WirePending, WireStream } from './transport.ts';

test('a stream that opens at the moment at which its silence ends is not given up', async () => {
  const stream: WireStream = { kind: 'stream', status: 200, headers: {}, abort() {} };
  let open: () => void = () => {};
  const answer = new Promise<WireStream>((resolve) => {
    open = () => resolve(stream);
  });
  let givenUp = 0;
  const giveUp = () => void (givenUp += 1);
  const pending: WirePending = { kind: 'pending', answer, waitMs: 35_000, giveUp };
  const timeline: Timeline = {
    ...virtualTimeline(virtualClock(0)),
    async wait() {
      open();
      await answer;
      return 'due';
    },
  };
  const line = {
    party: 'sender',
    role: 'institution',
    transport: backend().transport,
    timeline,
    recorder: createRecorder(),
    courtesy: createCourtesy(timeline),
    allowance: createAllowance(),
  } as const;
  const asked = {
    by: 'test',
    method: 'GET',
    path: '/',
    params: {},
    query: {},
    auth: 'own',
    headers: {},
  } as const;
  const outcome = await timeline.act('test', () =>
    runExchange(line, asked, () => Promise.resolve(pending)),
  );
  expect([outcome.answer, givenUp]).toEqual([stream, 0]);
});
