import { expect, it } from 'vitest';
import type { Exchange, WireErrorCode } from '../history/records.ts';
import { exchange } from '../../test/support/records.ts';
import { eventLoopTurn } from '../timeline/event-loop.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import type { Transport, WireAnswer } from './http/transport.ts';
import { createTargetPresence } from './target-presence.ts';

const start = Date.parse('2031-05-05T08:00:00.000Z');

const broke = (code: Exclude<WireErrorCode, 'limit'>): Exchange =>
  exchange({ error: { code, message: code } });
const fine = exchange();

const refused: WireAnswer = { kind: 'error', error: { code: 'refused', message: 'refused' } };
const answer = (status: number): WireAnswer => ({
  kind: 'response',
  response: { status, headers: {}, bytes: new Uint8Array() },
});

function fixture(answers: (path: string) => WireAnswer) {
  const clock = virtualClock(start);
  const presence = createTargetPresence(clock);
  let asked = 0;
  const transport: Transport = {
    baseUrl: 'http://a',
    request: async ({ path }) => {
      asked += 1;
      return answers(path);
    },
    open: async () => refused,
    close: async () => {},
  };
  presence.watch(transport);
  /** One call after the other, a second each. */
  function calls(...ends: readonly Exchange[]): void {
    for (const end of ends) {
      const seen = presence.begin();
      clock.advanceTo(clock.now() + 1_000);
      seen(end);
    }
  }
  async function confirmed(unanswered?: number) {
    const asking = presence.confirm(unanswered);
    for (let ms = 0; ms < 20; ms += 1) {
      clock.advanceTo(clock.now() + 250);
      await eventLoopTurn();
    }
    return asking;
  }
  return { presence, calls, confirmed, asked: () => asked, clock };
}

const six = Array.from({ length: 6 }, () => broke('reset'));

it('doubts a target after six calls in a row without an answer, and then asks it several times', async () => {
  const { presence, calls, confirmed, asked } = fixture(() => refused);
  calls(fine, ...six.slice(1));
  expect([presence.isDoubted(), await confirmed()]).toEqual([false, undefined]);
  calls(broke('refused'));
  expect(presence.isDoubted()).toBe(true);
  const told: unknown[] = [];
  presence.onGone((absence) => told.push(absence));
  const gone = {
    since: '2031-05-05T08:00:01.000Z',
    detail: 'the target has been gone since 2031-05-05T08:00:01.000Z: refused',
  };
  expect(await confirmed()).toEqual(gone);
  expect([presence.absence(), ...told]).toEqual([gone, gone]);
  expect(asked()).toBe(10);
});

it('treats a target that answers again as never gone', async () => {
  let left = 3;
  const { presence, calls, confirmed } = fixture(() => {
    left -= 1;
    return left > 0 ? answer(503) : answer(404);
  });
  calls(...six);
  expect(await confirmed()).toBeUndefined();
  expect([presence.isDoubted(), presence.absence()]).toEqual([false, undefined]);
});

it('an answer on either path proves that a target is there; one failed call can be enough to doubt it', async () => {
  const oneOf = (good: string) => fixture((path) => (path === good ? answer(401) : refused));
  for (const good of ['/health', '/api/v1/whoami']) {
    const { calls, confirmed } = oneOf(good);
    calls(...six);
    expect(await confirmed()).toBeUndefined();
  }
  const { calls, confirmed, asked } = fixture(() => refused);
  calls(fine);
  expect([await confirmed(1), asked()]).toEqual([undefined, 0]);
  calls(broke('refused'));
  expect(await confirmed(1)).toMatchObject({ since: '2031-05-05T08:00:06.000Z' });
});

it('does not ask again and again where each attempt takes long', async () => {
  const { calls, confirmed, asked, clock } = fixture(() => {
    clock.advanceTo(clock.now() + 15_000);
    return refused;
  });
  calls(...six);
  expect(await confirmed()).toBeDefined();
  expect(asked()).toBe(2);
});

it('is not misled by calls that broke off together, were given up or ran into a limit of ours', () => {
  const { presence, calls } = fixture(() => refused);
  const together = six.map(() => presence.begin());
  for (const seen of together) seen(broke('reset'));
  calls(...six.map(() => broke('aborted')));
  calls(...six.slice(2));
  calls(exchange({ error: { code: 'limit', limit: 'json.depth', message: '' } }));
  expect(presence.isDoubted()).toBe(false);
});

it('asks at once if the caller has a reason to doubt', async () => {
  const { confirmed } = fixture(() => refused);
  expect(await confirmed(0)).toMatchObject({ since: '2031-05-05T08:00:00.000Z' });
  expect(await fixture(() => answer(200)).confirmed(0)).toBeUndefined();
});
