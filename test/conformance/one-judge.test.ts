import { expect, it } from 'vitest';
import { allRules } from '../../src/oracle/index.ts';
import { sharedRequirements } from './shared-requirements.ts';

it('a requirement that several rules judge is judged by rules that are explained together', () => {
  const rulesOf = new Map<string, Set<string>>();
  for (const { id, requirements } of allRules) {
    for (const one of requirements) rulesOf.set(one, (rulesOf.get(one) ?? new Set()).add(id));
  }
  const shared = [...rulesOf].filter(([, rules]) => rules.size > 1);
  const covers = (rules: ReadonlySet<string>) =>
    sharedRequirements.some((entry) => [...rules].every((id) => entry.rules.includes(id)));
  expect(shared.filter(([, rules]) => !covers(rules)).map(([id, r]) => [id, ...r])).toEqual([]);
  const used = new Set(shared.flatMap(([, rules]) => [...rules]));
  const unused = sharedRequirements.flatMap(({ rules }) => rules).filter((id) => !used.has(id));
  expect(unused).toEqual([]);
});
