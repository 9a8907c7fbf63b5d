import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, read, run, workDirectory } from '../cli/run.ts';
import { lantern } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { siegeMs, usualChecks } from './attack.ts';
import { later, onStreams } from './deeds/making.ts';
import { floodDeeds } from './deeds/streams.ts';
import { wireDeeds } from './deeds/wire.ts';
import { type Deed, startFront } from './front.ts';

/** The shipped command, with so little memory that it must not keep what it is sent. */
async function checkWithin(megabytes: number, deed: Deed) {
  const peer = await startPeer({ ways: lantern });
  const front = await startFront(peer.origin, deed);
  const work = workDirectory();
  const text = targetFile(peer, 'flood', 'host', '2s').replace(
    `${peer.origin}/maker_b"`,
    `${front.origin}/maker_b"`,
  );
  writeFileSync(join(work.path, 'target.yaml'), text);
  const only = usualChecks.flatMap((id) => ['--only', id]);
  try {
    const ended = await run(['check', '--target', 'target.yaml', ...only], work.path, {
      NODE_OPTIONS: `--max-old-space-size=${megabytes}`,
    });
    return { ...ended, report: read(work.path, 'reports', 'report.json') };
  } finally {
    await front.close();
    await peer.close();
    work.remove();
  }
}

const floods: Readonly<Record<string, Deed>> = {
  'whose stream sends 100 MB of events': onStreams(floodDeeds['sends 100 MB of events'] as Deed),
  'whose stream beats without end': onStreams(floodDeeds['beats without end'] as Deed),
  'whose bodies have no end': later(wireDeeds['has a body without end'] as Deed),
};

describe.skipIf(!isBuilt)('the command in 400 MB of memory judges a target with a maker', () => {
  const came = new Map<string, Awaited<ReturnType<typeof checkWithin>>>();
  beforeAll(async () => {
    await Promise.all(
      Object.entries(floods).map(async ([name, deed]) => {
        came.set(name, await checkWithin(400, deed));
      }),
    );
  }, siegeMs);

  it.each(Object.keys(floods))('%s', (name) => {
    const one = came.get(name);
    expect(one?.err).not.toContain('heap');
    expect(one?.code).toBe(1);
    expect(JSON.parse(one?.report ?? '')).toMatchObject({
      outcome: 'nonconformant',
      totals: { requirements: { error: 0 }, checks: { error: 0 } },
    });
  });
});
