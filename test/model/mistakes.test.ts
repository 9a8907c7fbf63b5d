import { describe, expect, it } from 'vitest';
import { type Mistake, mistakes } from './mistakes.ts';
import { shownOf } from './show-mistake.ts';

// Every mistake, each under twelve seeds until one shows it: mistakes.long.test.ts.

function mistakeNamed(name: string): Mistake {
  const mistake = mistakes.find((one) => one.name === name);
  if (!mistake) throw new Error(`no mistake is that ${name}`);
  return mistake;
}

describe('the model catches, and shows by few commands, that', () => {
  it.each([
    'a losing quote with a long rate stays PENDING',
    'the custodian cannot accept once three quotes are there',
  ])('%s', async (name) => {
    const mistake = mistakeNamed(name);
    const shown = await shownOf(mistake, ['1']);
    expect(shown?.commands.length ?? Number.NaN).toBeLessThanOrEqual(mistake.mostCommands ?? 0);
  });

  it('says what was done, and does so again under the same seed', async () => {
    const mistake = mistakeNamed(
      'the cancel of a QUOTED order is acknowledged, and the order settles',
    );
    const [shown, again] = [await shownOf(mistake, ['3']), await shownOf(mistake, ['3'])];
    expect(again).toEqual(shown);
    expect(shown).toMatchInlineSnapshot(`
      {
        "commands": [
          "sender creates order 1",
          "maker_a quotes order 1 at 1: quote 3",
          "sender_custodian accepts quote 3 on order 1",
          "sender cancels order 1",
        ],
        "message": "An order was in a state that nothing done to it explains.",
        "requirement": "order.state.listed-transitions-only",
        "seed": "3",
      }
    `);
  });
});
