import { describe, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { mutationNamed } from '../../mutants/index.ts';
import { allRules } from '../oracle/index.ts';
import { isRequirementId, requirementIds, requirements } from '../spec/requirements/index.ts';
import { entryPage, entryText, handbookEntry } from './index.ts';
import { remedies, remedyOf } from './remedies/index.ts';
import recorded from './recorded-failures.json' with { type: 'json' };

/** Requirements that need no remedy beyond their clause. */
const withoutRemedy = ['identity.read.returns-identity'];

const observable = requirementIds.filter((id) => !('unobservable' in requirements[id]));

describe('remedies', () => {
  it('exist for every observable requirement except the listed ones', () => {
    expect(observable.filter((id) => remedyOf(id) === undefined)).toEqual(withoutRemedy);
  });

  it('are each used', () => {
    const used = new Set(observable.map(remedyOf));
    const unused = Object.entries(remedies).filter(([, remedy]) => !used.has(remedy));
    expect(unused.map(([key]) => key)).toEqual([]);
  });
});

describe('recorded failures', () => {
  const entries = Object.entries(recorded);

  it('are of requirements, mutations, checks and rules that there are', () => {
    const judges = new Set([...checks, ...allRules].map(({ id }) => id));
    const stale = entries.filter(
      ([id, { mutation, by }]) =>
        !isRequirementId(id) || !mutationNamed(mutation) || !judges.has(by),
    );
    expect(stale).toEqual([]);
  });

  it('show nine in ten of the requirements', () => {
    expect(entries.length).toBeGreaterThan(observable.length * 0.9);
  });
});

describe('an entry', () => {
  const entry = handbookEntry('order.cancel.executing-refused');

  it('says the same in a terminal and as a page', () => {
    const [text, markdown] = [entryText(entry), entryPage(entry)].map((one) =>
      one.replaceAll(/\s+/g, ' '),
    );
    for (const said of [entry.summary, entry.example?.message ?? 'none', entry.remedy ?? 'none']) {
      expect(text).toContain(said);
      expect(markdown).toContain(said);
    }
    expect(entry.rules.map(({ id }) => id)).toEqual(['order.cancels-too-late', 'order.effects']);
    expect(markdown).toContain('```sh npx assay check --mutation cancel-while-executing ```');
  });

  it('of an unobservable requirement gives the reason, and no remedy', () => {
    const { remedy, example, unobservable = 'none' } = handbookEntry('settlement.four-legs');
    expect([remedy, example]).toEqual([undefined, undefined]);
    expect(entryText(handbookEntry('settlement.four-legs')).replaceAll(/\s+/g, ' ')).toContain(
      unobservable,
    );
  });
});
