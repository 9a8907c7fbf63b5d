import { describe, expect, it } from 'vitest';
import { mistakes } from './mistakes.ts';
import { isFoundByRules, shownOf } from './show-mistake.ts';

describe('the model catches, and shows by few commands, that', () => {
  const drawn = mistakes.filter(({ mostCommands }) => mostCommands !== undefined);
  it.each(drawn.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    const shown = await shownOf(mistake);
    expect(shown?.commands.length ?? Number.NaN).toBeLessThanOrEqual(mistake.mostCommands ?? 0);
  });
});

describe('its sequences let the rules find that', () => {
  const left = mistakes.filter(({ mostCommands }) => mostCommands === undefined);
  it.each(left.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    expect(await isFoundByRules(mistake)).toBe(true);
  });
});
