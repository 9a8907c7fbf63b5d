import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isBuilt, read, run, workDirectory } from '../cli/run.ts';
import { lantern } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { siegeMs, usualChecks } from './attack.ts';
import { floodDeeds, later, onStreams, wireDeeds } from './deeds.ts';
import { type Deed, startFront } from './front.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The shipped command, with so little memory that it must not keep what it is sent. */
async function checkWithin(megabytes: number, deed: Deed) {
  const peer = await startPeer({ ways: lantern });
  closing.push(() => peer.close());
  const front = await startFront(peer.origin, deed);
  closing.push(() => front.close());
  const work = workDirectory();
  closing.push(work.remove);
  const text = targetFile(peer, 'flood', 'host', '2s').replace(
    `${peer.origin}/maker_b"`,
    `${front.origin}/maker_b"`,
  );
  writeFileSync(join(work.path, 'target.yaml'), text);
  const only = usualChecks.flatMap((id) => ['--only', id]);
  const ended = await run(['check', '--target', 'target.yaml', ...only], work.path, {
    NODE_OPTIONS: `--max-old-space-size=${megabytes}`,
  });
  return { ...ended, report: () => JSON.parse(read(work.path, 'reports', 'report.json')) };
}

describe.skipIf(!isBuilt)('the command in 400 MB of memory', () => {
  it.each([
    [
      'one whose stream sends 100 MB of events',
      onStreams(floodDeeds['sends 100 MB of events'] as Deed),
    ],
    ['one whose stream beats without end', onStreams(floodDeeds['beats without end'] as Deed)],
    ['one whose bodies have no end', later(wireDeeds['has a body without end'] as Deed)],
  ])(
    'judges %s',
    async (_, deed) => {
      const { code, err, report } = await checkWithin(400, deed);
      expect(err).not.toContain('heap');
      expect(code).toBe(1);
      expect(report()).toMatchObject({
        outcome: 'nonconformant',
        totals: { requirements: { error: 0 }, checks: { error: 0 } },
      });
    },
    siegeMs,
  );
});
