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

/**
 * What the model says of a mistake under the first seed that shows it, once a rule or the model has named a requirement
 * that the mistake breaks.
 */
async function shownOf({ tamper, breaks, by }: Mistake): Promise<Shown | undefined> {
  for (const seed of seeds) {
    const wrong = wrongIn(await runReference(seed, { tamper: tamper(), only: [by] }));
    const named = wrong.some((one) => 'requirement' in one && broken(breaks, one.requirement));
    const found = wrong.find((one) => one.id === by && 'requirement' in one);
    if (!named || !found || !('requirement' in found)) continue;
    const { commands } = found.actual as Pick<Shown, 'commands'>;
    const { requirement, message } = found;
    return { seed, requirement, message, commands };
  }
  return undefined;
}

/** Some are asked for by more than one test. */
const known = new Map<string, Promise<Shown | undefined>>();
function knownOf(mistake: Mistake): Promise<Shown | undefined> {
  const shown = known.get(mistake.name) ?? shownOf(mistake);
  known.set(mistake.name, shown);
  return shown;
}

const broken = (breaks: readonly string[], requirement: string | undefined): boolean =>
  requirement !== undefined && breaks.includes(requirement);

describe('the model catches, and shows by few commands, that', () => {
  const drawn = mistakes.filter(({ mostCommands }) => mostCommands !== undefined);
  it.each(drawn.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    const shown = await knownOf(mistake);
    expect(shown?.commands.length ?? Number.NaN).toBeLessThanOrEqual(mistake.mostCommands ?? 0);
  });

  it('says what was done, and does so again under the same seed', async () => {
    const [second] = mistakes;
    if (!second) throw new Error('no mistakes');
    const [shown, again] = [await knownOf(second), await shownOf(second)];
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
        "message": "An order was in a state that nothing done to it explains.",
        "requirement": "order.state.listed-transitions-only",
        "seed": "8",
      }
    `);
  });
});

describe('its sequences let the rules find that', () => {
  const left = mistakes.filter(({ mostCommands }) => mostCommands === undefined);
  it.each(left.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    const { tamper, by, breaks } = mistake;
    let isFound = false;
    for (const seed of seeds) {
      const wrong = wrongIn(await runReference(seed, { tamper: tamper(), only: [by] }));
      isFound ||= wrong.some((one) => 'requirement' in one && broken(breaks, one.requirement));
    }
    expect(isFound).toBe(true);
  });
});
