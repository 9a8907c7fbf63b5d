import { expect, it } from 'vitest';
import { isPartOf } from './outcome.ts';

const whole = { cause: 'memo:wrong', rule: 'order.echo', requirements: ['memo.echo', 'memo.kept'] };

it.each([
  ['the same cause', { ...whole, requirements: [] }, true],
  ['fewer requirements of one rule', { ...whole, cause: 'x', requirements: ['memo.echo'] }, true],
  ['another requirement', { ...whole, cause: 'x', requirements: ['memo.echo', 'id.echo'] }, false],
  ['another rule', { ...whole, cause: 'x', rule: 'order.fields' }, false],
  ['no requirement', { ...whole, cause: 'x', requirements: [] }, false],
])('a finding with %s is part of another or not', (_, finding, isPart) => {
  expect(isPartOf(finding, whole)).toBe(isPart);
});
