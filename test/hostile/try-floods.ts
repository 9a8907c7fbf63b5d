import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { read, run } from '../cli/shipped-command.ts';
import { attacksBudgetMs, hostileTarget, usualChecks } from './attack.ts';
import { afterPreflight, onStreams } from './behaviours/building-blocks.ts';
import { floodBehaviours } from './behaviours/streams.ts';
import { wireBehaviours } from './behaviours/wire.ts';
import type { Behaviour } from './proxy.ts';
import { testDirectory } from '../support/test-directory.ts';

/** The shipped command, with so little memory that it must not keep what it is sent. */
async function checkWithin(megabytes: number, behaviour: Behaviour) {
  const { text, close } = await hostileTarget({ behaviour, at: ['maker_b'] });
  const work = testDirectory();
  writeFileSync(join(work, 'target.yaml'), text);
  const only = usualChecks.flatMap((id) => ['--only', id]);
  try {
    const ended = await run(['check', '--target', 'target.yaml', ...only], work, {
      NODE_OPTIONS: `--max-old-space-size=${megabytes}`,
    });
    return { ...ended, report: read(work, 'reports', 'report.json') };
  } finally {
    await close();
  }
}

const floods = {
  'whose stream sends 100 MB of events': onStreams(
    floodBehaviours['sends 100 MB of events'] as Behaviour,
  ),
  'whose stream beats without end': onStreams(floodBehaviours['beats without end'] as Behaviour),
  'whose bodies have no end': afterPreflight(wireBehaviours['has a body without end'] as Behaviour),
} satisfies Readonly<Record<string, Behaviour>>;

const expected = {
  'whose stream sends 100 MB of events': { code: 1, outcome: 'nonconformant' },
  'whose stream beats without end': { code: 1, outcome: 'nonconformant' },
  'whose bodies have no end': { code: 3, outcome: 'incomplete' },
} satisfies Readonly<Record<keyof typeof floods, unknown>>;

/** Tests the command under floods, with one process for each flood. */
export function tryFloods(names = Object.keys(floods) as readonly (keyof typeof floods)[]): void {
  describe('the command in 400 MB of memory judges a target with a maker', () => {
    const results = new Map<string, Awaited<ReturnType<typeof checkWithin>>>();
    beforeAll(async () => {
      await Promise.all(
        names.map(async (name) => {
          results.set(name, await checkWithin(400, floods[name]));
        }),
      );
    }, attacksBudgetMs);

    it.each(names)('%s', (name) => {
      const one = results.get(name);
      expect(one?.err).not.toContain('heap');
      // An answer that is not read to its end is not judged, nor a party without any other answer.
      const { code, outcome } = expected[name];
      expect(one?.code).toBe(code);
      expect(JSON.parse(one?.report ?? '')).toMatchObject({
        outcome,
        totals: { requirements: { error: 0 }, checks: { error: 0 } },
      });
    });
  });
}
