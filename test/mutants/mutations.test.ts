import { describe, expect, it } from 'vitest';
import { isRequirementId, requirements } from '../../src/spec/requirements/index.ts';
import { parts } from '../../src/spec/vocabulary.ts';
import { mutationNamed, mutations } from '../../mutants/index.ts';

describe('the mutations', () => {
  it('are many, and each has a name of its own', () => {
    const ids = mutations.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(250);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('cover every part of the document', () => {
    const seen = new Set(mutations.map(({ part }) => part.split('.')[0]));
    expect(parts.filter((part) => !seen.has(part))).toEqual([]);
  });

  it('break requirements that can be judged', () => {
    const broken = mutations.flatMap(({ id, breaks }) =>
      breaks
        .filter((one) => !isRequirementId(one) || 'unobservable' in { ...requirements[one] })
        .map((one) => `${id}: ${one}`),
    );
    expect(broken).toEqual([]);
  });

  it('say what they do in a sentence, each its own', () => {
    const messages = mutations.map(({ summary }) => summary);
    expect(messages.filter((one) => !/^[A-Za-z].*\.$/s.test(one))).toEqual([]);
    expect(messages.filter((one, index) => messages.indexOf(one) !== index)).toEqual([]);
  });

  it('change something: each makes a tamper with at least one hook, a fresh one each time', () => {
    const idle = mutations.filter(({ tamper }) => Object.keys(tamper()).length === 0);
    expect(idle.map(({ id }) => id)).toEqual([]);
    expect(mutations.filter(({ tamper }) => tamper() === tamper())).toEqual([]);
  });

  it('are found by name', () => {
    for (const one of mutations) expect(mutationNamed(one.id)).toBe(one);
    expect(mutationNamed('no-such-mutation')).toBeUndefined();
  });
});
