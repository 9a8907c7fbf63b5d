import { expect, it } from 'vitest';
import { context } from '../../../test/support/oracle/findings-and-edits.ts';
import { defineRule } from '../../oracle/findings.ts';
import { type Rule, viewOf } from '../../oracle/index.ts';
import { type RequirementId, requirementIds, requirements } from '../../spec/requirements/index.ts';
import { applyRules } from './apply-rules.ts';

const [own, also, foreign] = [
  'meta.request-id.present',
  'meta.timestamp.present',
  'body.json',
] as const;

const verdictsOf = (rule: Rule) => {
  const [report] = applyRules([rule], () => viewOf({ records: [] }, context()), requirements);
  const judged = report?.judged.map(({ requirement, verdict }) => [requirement, verdict]);
  return { verdict: report?.verdict, judged: Object.fromEntries(judged ?? []) };
};

it('a rule that throws keeps its findings, and leaves only its other requirements unjudged', () => {
  const rule = defineRule({
    id: 'breaks',
    title: 'Finds one thing, then breaks',
    requirements: [own, also],
    judge(_, findings) {
      findings.pass(own, 'x#1');
      throw new Error('broken');
    },
  });
  const { verdict, judged } = verdictsOf(rule);
  expect(verdict).toBe('error');
  expect(judged).toEqual({ [own]: 'pass', [also]: 'error' });
});

it('findings about requirements that a rule does not announce are dropped, the others kept', () => {
  const rule: Rule = {
    id: 'strays',
    title: 'Judges what is not its own',
    requirements: [own, also],
    *judge() {
      yield { requirement: foreign, outcome: 'fail', evidence: [] };
      yield { requirement: own, outcome: 'pass', evidence: [] };
      yield { requirement: also, outcome: 'fail', message: 'wrong', evidence: [] };
    },
  };
  const { verdict, judged } = verdictsOf(rule);
  expect(verdict).toBe('error');
  expect(judged).toEqual({ [own]: 'pass', [also]: 'fail' });
});

it('a rule that does not announce its requirements by their ids does not compile', () => {
  const anything: readonly RequirementId[] = requirementIds;
  const rules = [
    defineRule({
      id: 'literal',
      title: 'Names what it judges',
      requirements: [own],
      // @ts-expect-error it announces another
      judge: (_, findings) => findings.pass(also, 'x#1'),
    }),
    defineRule({
      id: 'any',
      title: 'Names nothing',
      requirements: anything,
      // @ts-expect-error nothing tells what it announces
      judge: (_, findings) => findings.pass(own, 'x#1'),
    }),
  ];
  expect(rules.map(({ id }) => id)).toEqual(['literal', 'any']);
});
