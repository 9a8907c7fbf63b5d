import { expect, it } from 'vitest';
import { gaps, gapIds, type GapId } from '../../spec/gaps/index.ts';
import type { RequirementReport } from '../../results/run-report.ts';
import {
  compareTargets,
  comparisonMarkdown,
  comparisonText,
  type ComparedTarget,
} from './compare.ts';

const target = (
  name: string,
  answers: { readonly [id in GapId]?: string },
  verdicts: Readonly<Record<string, RequirementReport['verdict']>> = {},
): ComparedTarget => ({
  name,
  gaps: (Object.entries(answers) as [GapId, string][]).map(([id, observed]) => ({
    id,
    part: gaps[id].part,
    question: gaps[id].question,
    observed,
    consistent: true,
    unlocks: 0,
  })),
  requirements: Object.entries(verdicts).map(([id, verdict]) => ({
    id,
    part: '2.1',
    level: 'must',
    summary: `${id} holds.`,
    verdict,
    judged_by: [],
    exercised: 1,
  })),
});

const found = compareTargets(
  target(
    'ours',
    { 'list.page_param': 'page', 'list.first_page': '1', 'cancel.state': 'FAILED' },
    { one: 'fail', two: 'pass', three: 'fail' },
  ),
  target(
    'theirs',
    { 'list.page_param': 'page_no', 'list.first_page': '1', 'list.order': 'oldest-first' },
    { one: 'pass', two: 'not_exercised', three: 'fail' },
  ),
);

it('says what a client of each target meets at the other', () => {
  expect(found.gaps).toEqual([
    {
      id: 'list.page_param',
      part: gaps['list.page_param'].part,
      question: gaps['list.page_param'].question,
      a: 'page',
      b: 'page_no',
      client_of_a: expect.stringContaining('by `page` where `page_no` is wanted'),
      client_of_b: expect.stringContaining('by `page_no` where `page` is wanted'),
    },
  ]);
  expect(found.alike).toBe(1);
});

it('lists gaps separately that only one target shows', () => {
  expect(found.unknown).toEqual([
    { id: 'list.order', b: 'oldest-first' },
    { id: 'cancel.state', a: 'FAILED' },
  ]);
});

it('lists requirements that only one target breaks', () => {
  expect(found.requirements.map(({ id, a, b }) => [id, a, b])).toEqual([['one', 'fail', 'pass']]);
});

it('has a risk for every gap, which names both answers', () => {
  for (const id of gapIds) {
    expect(gaps[id].risk).toContain('{own}');
    expect(gaps[id].risk).toContain('{other}');
  }
});

it('shows hostile text of a target as text', () => {
  const hostile = '\u001B[2J|</td><script>x</script>\u202E$& {own}';
  const bad = compareTargets(
    target(hostile, { 'list.order': hostile }),
    target('b', { 'list.order': 'x' }),
  );
  const [text, markdown] = [comparisonText(bad, { colour: 'plain' }), comparisonMarkdown(bad)];
  const shown = text + markdown;
  expect([shown.includes('\u001B'), shown.includes('\u202E')]).toEqual([false, false]);
  const rows = markdown.split('\n').filter((line) => line.startsWith('| `list.order`'));
  expect(rows.map((line) => line.replaceAll('\\|', '').split('|').length)).toEqual([7]);
  expect(markdown.replace(/`+[^\n]*?`+/g, '')).not.toContain('<script>');
});
