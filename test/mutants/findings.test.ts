import { describe, expect, it } from 'vitest';
import {
  assessAssignment,
  assessMutation,
  newlyBroken,
  unproven,
} from '../../mutants/runner/results.ts';
import {
  type Job,
  type JobResult,
  randomAssignments,
  singleAssignments,
  slice,
} from '../../mutants/runner/job.ts';
import { mutationTables, toMarkdown } from '../../mutants/runner/markdown-report.ts';
import { runJob } from '../../mutants/runner/run-job.ts';
import type { Verdict } from '../../src/results/verdicts.ts';
import { gapIds, gaps } from '../../src/spec/gaps/index.ts';
import { requirementIds } from '../../src/spec/requirements/index.ts';
import type { Mutation } from '../../mutants/index.ts';

const ran = (job: Job, changed: Readonly<Record<string, Verdict>> = {}): JobResult => ({
  job,
  outcome: 'conformant',
  suite: 'whole',
  verdicts: { ...Object.fromEntries(requirementIds.map((id) => [id, 'pass'])), ...changed },
  messages: {},
  broke: [],
  by: [],
  misread: [],
  wallMs: 1,
});

const plain = ran({ kind: 'plain' }, { 'body.content-type': 'not_exercised' });
const mutation: Mutation = {
  id: 'some-mistake',
  part: '4.2',
  breaks: ['order.cancel.quoted'],
  summary: 'Something is wrong.',
  tamper: () => ({}),
};
const mutated = (changed: Readonly<Record<string, Verdict>>): JobResult =>
  ran({ kind: 'mutation', id: mutation.id, suite: 'narrow' }, changed);

describe('the result of a mutation', () => {
  it('is caught as named where a requirement that it breaks fails or warns', () => {
    const found = assessMutation(mutation, mutated({ 'order.cancel.quoted': 'fail' }), plain);
    expect(found.caught).toBe('named');
    expect(found.broken).toEqual(['order.cancel.quoted']);
    expect(assessMutation(mutation, mutated({ 'order.cancel.quoted': 'warn' }), plain).caught).toBe(
      'named',
    );
  });

  it('is caught otherwise where only others do', () => {
    const found = assessMutation(mutation, mutated({ 'order.cancel.pending': 'fail' }), plain);
    expect(found.caught).toBe('otherwise');
  });

  it('is missed where nothing fails, whatever else is not exercised or breaks', () => {
    const changed = {
      'order.cancel.quoted': 'not_exercised',
      'order.read.returns-that-order': 'error',
    } as const;
    expect(assessMutation(mutation, mutated(changed), plain).caught).toBe('missed');
  });

  it('ignores failures that the reference itself shows', () => {
    const bad = ran({ kind: 'plain' }, { 'order.cancel.quoted': 'warn' });
    expect(newlyBroken(mutated({ 'order.cancel.quoted': 'warn' }), bad)).toEqual([]);
  });

  it('lists passing requirements that no mutation made fail as unproven', () => {
    const found = assessMutation(mutation, mutated({ 'order.cancel.quoted': 'fail' }), plain);
    const open = unproven(plain, [found]);
    expect(open).not.toContain('order.cancel.quoted');
    expect(open).not.toContain('body.content-type');
    expect(open).toContain('order.cancel.pending');
  });
});

describe('the result of an assignment', () => {
  const of = (changed: Readonly<Record<string, Verdict>>, changes = {}) =>
    assessAssignment(ran({ kind: 'assignment', name: 'x', changes }, changed), plain);

  it('has a false alarm for each verdict worse than not_exercised', () => {
    const found = of({
      'order.cancel.quoted': 'fail',
      'order.cancel.pending': 'inconclusive',
      'order.cancel.settled-refused': 'out_of_scope',
      'order.cancel.executing-refused': 'not_exercised',
      'body.content-type': 'warn',
    });
    expect(found.falseAlarms.map(({ requirement }) => requirement).toSorted()).toEqual([
      'body.content-type',
      'order.cancel.pending',
      'order.cancel.quoted',
    ]);
  });

  it('excuses a warning that its answer brings about, and nothing else', () => {
    const warned = { 'limit.token-lifetime': 'warn' } as const;
    expect(of(warned, { 'token.lifetime': '900s' })).toMatchObject({ falseAlarms: [], excused: 1 });
    expect(of(warned).falseAlarms).toHaveLength(1);
    expect(
      of({ 'limit.token-lifetime': 'fail' }, { 'token.lifetime': '900s' }).falseAlarms,
    ).toHaveLength(1);
  });
});

describe('the jobs', () => {
  it('answer every gap otherwise, once for each other answer', () => {
    const others = gapIds.reduce((sum, id) => sum + gaps[id].values.length - 1, 0);
    expect(singleAssignments()).toHaveLength(others);
  });

  it('draw combinations that the seed alone decides', () => {
    expect(randomAssignments(1n, 5)).toEqual(randomAssignments(1n, 9).slice(0, 5));
    expect(randomAssignments(1n, 5)).not.toEqual(randomAssignments(2n, 5));
  });

  it('are all covered after one rotation for each part', () => {
    const all = Array.from({ length: 11 }, (_, index) => index);
    const seen = [5, 6, 7, 8].flatMap((rotation) => slice(all, rotation, 4));
    expect(seen.toSorted((one, other) => one - other)).toEqual(all);
  });
});

describe('the page about the judge', () => {
  it('counts, and names what was missed', () => {
    const mutations = [assessMutation(mutation, mutated({}), plain)];
    const page = toMarkdown({
      mutations,
      assignments: [],
      unproven: ['order.cancel.quoted'],
      passing: 2,
      seed: 1n,
    });
    expect(page).toContain('| Part 4: endpoints | 1 | 0 | 0 | 1 |');
    expect(page).toContain('Missed: `some-mistake`.');
    expect(mutationTables({ mutations })).toContain(
      '| `some-mistake` | Something is wrong. | **missed** |',
    );
    expect(page).toContain('Of 2 requirements that pass on the reference, 1 were seen to fail');
  });
});

describe('a run', () => {
  it('finds a mistake in a narrow part of the suite', async () => {
    const found = await runJob({
      kind: 'mutation',
      id: 'schema-version-with-minor',
      suite: 'narrow',
    });
    expect(found.broke).toEqual([]);
    expect(found.suite).toBe('narrow');
    expect(found.verdicts['version.schema-pinned']).toBe('fail');
  });

  it('of an unknown mutation is an error, and catches nothing', async () => {
    const found = await runJob({ kind: 'mutation', id: 'no-such-mutation', suite: 'whole' });
    expect(found.outcome).toBe('error');
    expect(found.verdicts).toEqual({});
    expect(found.broke[0]).toContain('no mutation is named no-such-mutation');
  });
});
