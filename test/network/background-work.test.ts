import type { Server as HttpServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { buildServer, type Tamper } from '../../src/reference/http/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { castNames } from '../../src/spec/requirements/requirement.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { referenceTargetFile } from '../../src/target/file/served-reference.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { followingReads } from '../support/network/following-reads.ts';
import { delayEvents, delayRequests, sendEventsInPieces } from '../support/network/slow-server.ts';

// The tests wait for most of their time, side by side: what they opened is closed once all have ended.
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

interface Backend {
  readonly tamper?: Tamper;
  readonly alter?: (server: HttpServer) => void;
}

/** A reference over the network whose clock is driven, opened as a target. */
async function openDriven({ tamper, alter }: Backend) {
  const clock = virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n, ...(tamper && { tamper }) }));
  alter?.(server.app.server);
  const addresses = await server.serve({ port: 0 });
  closing.push(() => server.close());
  const { alg, signing } = server.tokens.keys;
  const text = referenceTargetFile({
    addresses,
    clock: 'virtual',
    signing: { alg, keyFile: 'key.json' },
  });
  const key = JSON.stringify(signing.export({ format: 'jwk' }));
  const host = { env: {}, directory: '.', readText: () => key };
  const read = readTargetFile({ file: 't.yaml', text }, host);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const opening = await openRemote(read.target, { source: text });
  if (!opening.ok) throw new Error(opening.problems.join('\n'));
  closing.push(() => opening.target.close());
  return { target: opening.target, clock };
}

/** What a run of some checks says of more than passing. */
async function blamed(backend: Backend, only: readonly string[]) {
  const { target } = await openDriven(backend);
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only });
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
  }, 120_000);

  it('for events that arrive in pieces', async () => {
    const alter = (server: HttpServer) => sendEventsInPieces(server, 300);
    expect(await blamed({ alter }, someChecks)).toEqual([]);
  }, 120_000);
});

it.concurrent('is asked by several checks at once where it is slow, and its clock stands still meanwhile', async () => {
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
  const { target } = await openDriven({ alter });
  moves.length = 0;
  const only = ['order.create.*'];
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only });
  expect(report.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const { records } = target.history;
  const asked = records.flatMap((record) => (record.kind === 'exchange' ? [record] : []));
  const creations = asked.filter(
    ({ by, endpoint }) => by.startsWith('order.create.') && endpoint === 'order.create',
  );
  expect(new Set(creations.map(({ sent }) => sent)).size).toBeLessThan(creations.length);
  expect(most).toBeGreaterThan(16);
  expect(new Set(moves)).toEqual(new Set([0]));
}, 120_000);
