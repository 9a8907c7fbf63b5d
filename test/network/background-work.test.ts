import type { Server as HttpServer } from 'node:http';
import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { delayRequests } from '../support/network/slow-server.ts';
import { openDriven } from './open-driven.ts';

it('serves several checks at once if it is slow, and its clock stands still meanwhile', async () => {
  const moves: number[] = [];
  let inFlight = 0;
  let most = 0;
  const alter = (server: HttpServer): void => {
    delayRequests(server, ({ url = '' }) => (url.startsWith('/_sim/') ? 0 : 40));
    server.prependListener('request', ({ url = '' }, response) => {
      if (url.startsWith('/_sim/') || url.includes('/events')) {
        if (url.endsWith('/advance')) moves.push(inFlight);
        return;
      }
      most = Math.max(most, (inFlight += 1));
      response.once('close', () => (inFlight -= 1));
    });
  };
  const { target, close } = await openDriven({ alter });
  moves.length = 0;
  const only = ['order.create.unusual.*'];
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only });
  await close();
  expect(report.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const { records } = target.history;
  const asked = records.flatMap((record) => (record.kind === 'exchange' ? [record] : []));
  const creations = asked.filter(
    ({ by, endpoint }) => by.startsWith('order.create.') && endpoint === 'order.create',
  );
  expect(new Set(creations.map(({ sent }) => sent)).size).toBeLessThan(creations.length);
  expect(most).toBeGreaterThan(8);
  expect(new Set(moves)).toEqual(new Set([0]));
});
