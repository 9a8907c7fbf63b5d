import { expect, test } from 'vitest';
import { createRecorder } from '../history/recorder.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../timeline/virtual-timeline.ts';
import { createMemoryBudget } from './payload/memory-budget.ts';
import { createBackoff } from './rate-limit/backoff.ts';
import { runExchange } from './exchange.ts';
import { fakeBackend } from '../../test/support/client/fake-backend.ts';
import type { WirePending, WireStream } from './http/transport.ts';

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
  const context = {
    party: 'sender',
    role: 'institution',
    transport: fakeBackend().transport,
    timeline,
    recorder: createRecorder(),
    backoff: createBackoff(timeline),
    memoryBudget: createMemoryBudget(createRecorder().room),
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
    runExchange(context, asked, () => Promise.resolve(pending)),
  );
  expect([outcome.answer, givenUp]).toEqual([stream, 0]);
});
