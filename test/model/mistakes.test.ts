import { describe, expect, it } from 'vitest';
import { runReference, wrongIn } from './harness.ts';
import { type Mistake, mistakes } from './mistakes.ts';

interface Shown {
  readonly seed: string;
  readonly requirement: string;
  readonly message: string;
  readonly commands: readonly string[];
}

const seeds = Array.from({ length: 12 }, (_, index) => `${index + 1}`);

/** What the model, not the rules, says of a mistake under the first seed that shows it. */
async function shownOf({ tamper, breaks, by }: Mistake): Promise<Shown | undefined> {
  const wanted: readonly string[] = breaks;
  for (const seed of seeds) {
    const wrong = wrongIn(await runReference(seed, { tamper: tamper(), only: [by] }));
    for (const one of wrong) {
      if (one.id !== by || !('requirement' in one) || !wanted.includes(one.requirement)) continue;
      const { commands } = one.actual as Pick<Shown, 'commands'>;
      return { seed, requirement: one.requirement, message: one.message, commands };
    }
  }
  return undefined;
}

describe('the model catches, and shows by few commands, that', () => {
  it.each(mistakes.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    const shown = await shownOf(mistake);
    expect(shown?.commands.length ?? Number.NaN).toBeLessThanOrEqual(mistake.mostCommands);
  });

  it('says what was done, and does so again under the same seed', async () => {
    const [second] = mistakes;
    if (!second) throw new Error('no mistakes');
    const [shown, again] = [await shownOf(second), await shownOf(second)];
    expect(again).toEqual(shown);
    expect(shown).toMatchInlineSnapshot(`
      {
        "commands": [
          "sender creates order 1",
          "maker_a quotes order 1 at 1: quote 1",
          "maker_b quotes order 1 at 1: quote 3",
          "sender accepts quote 3 on order 1",
          "sender accepts quote 1 on order 1",
        ],
        "message": "A second quote was accepted on one order.",
        "requirement": "order.accept.second-quote-refused",
        "seed": "8",
      }
    `);
  });
});
