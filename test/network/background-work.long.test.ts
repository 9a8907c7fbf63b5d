import type { Server as HttpServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { castNames } from '../../src/spec/requirements/requirement.ts';
import { followingReads } from '../support/network/following-reads.ts';
import { delayEvents, sendEventsInPieces } from '../support/network/slow-server.ts';
import { type Backend, openDriven } from './open-driven.ts';

/** Failures, warnings and errors of a run of some checks. */
async function blamed(backend: Backend, only: readonly string[]) {
  const { target, close } = await openDriven(backend);
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only });
  await close();
  return [...report.checks, ...report.requirements].flatMap(({ id, verdict, reason }) =>
    ['fail', 'warn', 'error'].includes(verdict) ? [{ id, verdict, reason }] : [],
  );
}

const someChecks = ['order.life.no-memo', 'order.ends.cancelled-with-quotes'];

describe.concurrent('a target with a driven clock and work in the background, which takes host time, is not blamed', () => {
  it("for a party's reads and events that follow the ledger", async () => {
    const place = castNames.indexOf('maker_b');
    const backend = {
      tamper: followingReads(150, place),
      alter: (server: HttpServer) => delayEvents(server, 150, '/mm-2/'),
    };
    expect(await blamed(backend, ['rfq.list.left.expired', 'rfq.list.left.cancelled'])).toEqual([]);
  });

  it('for events that arrive in pieces', async () => {
    const alter = (server: HttpServer) => sendEventsInPieces(server, 300);
    expect(await blamed({ alter }, someChecks)).toEqual([]);
  });
});
