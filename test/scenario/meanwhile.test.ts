import { describe, expect, it } from 'vitest';
import { planOf } from '../../src/scenario/plan.ts';
import type { Played } from '../../src/scenario/run/play.ts';
import { played, scenario } from './played.ts';

const order = '  - sender: create order\n    save: order\n    expect: { status: PENDING }\n';

describe('meanwhile', () => {
  const read = 'sender: read order\n        of: $order\n';
  const begun = `  - meanwhile:\n      - wait: 1s\n      - ${read}        save: late\n  - meanwhile:\n      - wait: 3s\n`;
  const linesOf = ({ log }: Played): readonly unknown[] =>
    log.map(({ atMs, says, line }) => [atMs, says, line]);

  it('goes on at once, and ends with the last of what began', async () => {
    const flow = scenario(
      `${order}${begun}  - wait: 2s\n`,
      'always:\n  - expect: $late.intent_id\n    is: $order.intent_id\n',
    );
    const result = await played(flow);
    expect(result).toMatchObject({ verdict: 'pass', failures: [], targetMs: 3_000 });
    expect(linesOf(result)).toEqual([
      [0, 'create order', 6],
      [0, 'meanwhile', 9],
      [0, 'meanwhile', 14],
      [1_000, 'wait 1s', 10],
      [1_000, 'read order', 11],
      [2_000, 'wait 2s', 16],
      [3_000, 'wait 3s', 15],
    ]);
    expect((await played(flow)).log).toEqual(result.log);
    expect(planOf(flow)).toMatchObject({ waitMs: 3_000, longestWaitMs: 3_000 });
  });

  it('is over before what follows its branch or its round', async () => {
    const result = await played(
      scenario(
        `${order}  - repeat: 2\n    steps:\n      - meanwhile:\n          - wait: 1s\n  - together:\n      - - meanwhile:\n          - wait: 1s\n        - let: { branch: ends }\n  - let: { all: ended }\n`,
      ),
    );
    expect(result.verdict).toBe('pass');
    expect(result.log.at(-1)).toMatchObject({ atMs: 3_000, says: 'let all' });
  });

  it('fails the scenario with its own step, at its place in the log, and stops nothing', async () => {
    const wrong = `  - meanwhile:\n      - ${read}        expect: { status: SETTLED }\n`;
    const result = await played(scenario(`${order}${wrong}  - wait: 1s\n`));
    expect(result.failures).toMatchObject([{ at: { line: 9 }, before: { length: 3 } }]);
    expect(linesOf(result).at(-1)).toEqual([1_000, 'wait 1s', 10]);
  });

  it('gives a clean-up what it saved, though another step failed, and goes on in one', async () => {
    const wrong = '  - expect: $order.status\n    is: SETTLED\n';
    const gone = '  - sender: create order\n    save: gone\n';
    const cleanUp = `always:\n  - meanwhile:\n      - ${read.replace('$order', '$gone')}      - wait: 1s\n  - sender: cancel order\n    of: $late\n`;
    const result = await played(scenario(`${order}${begun}${wrong}${gone}`, cleanUp));
    expect(result.failures).toMatchObject([{ at: { line: 21 } }]);
    expect(linesOf(result).slice(-3)).toEqual([
      [3_000, 'meanwhile', 3],
      [3_000, 'cancel order', 7],
      [4_000, 'wait 1s', 6],
    ]);
  });
});
