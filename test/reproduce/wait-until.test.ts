import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nextMoment } from '../../src/scenario/run/next-moment.ts';
import { missingTools } from '../../src/cli/replay/run-script.ts';
import { prelude } from '../../src/reproduce/script/prelude.ts';

const waitUntil = /^wait_until\(\) \{[\s\S]*?^\}/m.exec(prelude)?.[0] ?? '';

/** Milliseconds that the script would wait if its clock stood at `now`. */
function waitInScript(text: string, now: number, lessMs = 0): number {
  const script = [`now_ms() { echo ${now}; }`, 'wait_ms() { echo "$1"; }', waitUntil];
  const run = [...script, `wait_until ${text} ${lessMs}`].join('\n');
  return Number(execFileSync('bash', ['-euc', run], { encoding: 'utf8' }));
}

it
  .skipIf(missingTools().length > 0)
  .each(['23:59:58.500', '08:00:00.000', '12-31T23:59:58.500', '02-29T00:00:01.000'])(
  'a script waits as long for %s as a scenario does',
  (text) => {
    const now = Date.parse('2031-03-06T09:00:00.123Z');
    expect(now + waitInScript(text, now)).toBe(nextMoment(text, now));
  },
);

it.skipIf(missingTools().length > 0)(
  'a script waits until a moment, and not for one that has passed',
  () => {
    const now = Date.parse('2031-03-06T09:00:00.000Z');
    expect(waitInScript('09:00:10.000', now, 4_000)).toBe(6_000);
    expect(waitInScript('09:00:10.000', now, 10_500)).toBe(0);
  },
);
