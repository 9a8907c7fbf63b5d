import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../fields.ts';
import { parts } from '../vocabulary.ts';
import {
  castNames,
  controls,
  fieldRequirement,
  fieldTables,
  findRequirement,
  isRequirementId,
  type Requirement,
  type RequirementId,
  requirementIds,
  requirements,
  subjectOf,
} from './index.ts';
import { acceptanceFields, assignedFields, chosenFields, settlementFields } from './families.ts';

const catalogue: Readonly<Record<string, Requirement>> = requirements;
const entries = Object.entries(catalogue);
const sections: Readonly<Record<string, number>> = {
  '1': 5,
  '2': 8,
  '3': 2,
  '4': 5,
  '5': 7,
  '6': 0,
  '7': 5,
  '8': 0,
  '9': 3,
};

describe('the catalogue', () => {
  it('has stable, well-formed names', () => {
    const malformed = requirementIds.filter(
      (id) => !/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/.test(id),
    );
    expect(malformed).toEqual([]);
    expect(requirementIds.length).toBeGreaterThan(220);
  });

  it('names existing parts and sections only', () => {
    const wrong = entries.filter(([, { part }]) => {
      const [root = '', section] = part.split('.');
      const known = (parts as readonly string[]).includes(root);
      return !known || (section !== undefined && !(Number(section) <= (sections[root] ?? 0)));
    });
    expect(wrong).toEqual([]);
  });

  it.each(parts)('has entries for part %s', (part) => {
    expect(entries.some(([, one]) => one.part === part || one.part.startsWith(`${part}.`))).toBe(
      true,
    );
  });

  it('says each thing in one sentence, and no sentence twice in one part', () => {
    const clumsy = entries.filter(([, { summary }]) => !/^\S.*\.$/.test(summary));
    expect(clumsy).toEqual([]);
    const seen = new Map<string, string>();
    const doubled = entries.filter(([id, { part, summary }]) => {
      const before = seen.get(`${part} ${summary}`);
      seen.set(`${part} ${summary}`, id);
      return before !== undefined;
    });
    expect(doubled.map(([id]) => id)).toEqual([]);
  });

  it('needs only existing controls, and gives a reason if nothing can be judged', () => {
    const strange = entries.filter(
      ([, { needs }]) =>
        !(needs?.parties ?? []).every((name) => castNames.includes(name)) ||
        !(needs?.controls ?? []).every((name) => controls.includes(name)),
    );
    expect(strange).toEqual([]);
    const groundless = entries.filter(
      ([, { needs, unobservable }]) => needs === undefined && (unobservable ?? '').length < 20,
    );
    expect(groundless).toEqual([]);
    expect(entries.filter(([, one]) => one.unobservable !== undefined).length).toBeLessThan(10);
  });

  it('gives the subject of each requirement, and the kind of its violation', () => {
    const named: Partial<Record<RequirementId, Requirement['about']>> = {
      'order.list.own-only': { endpoint: 'order.list' },
      'access.order.cancel.custodian-refused': { endpoint: 'order.cancel' },
      'auth.order.cancel.token-required': { endpoint: 'order.cancel', token: true },
      'auth.foreign-key-refused': { token: true },
      'order.accept.expired-order-refused': { endpoint: 'quote.accept' },
      'event.quote-accepted.has-fx-rate': { event: 'quote_accepted', field: 'fx_rate' },
      'limit.heartbeat-interval.maker-stream': { event: 'heartbeat' },
      'settlement.fx-rate.as-order': { field: 'fx_rate' },
      'meta.request-id.distinct': { field: 'meta.request_id' },
      'claim.aud.form': { field: 'claims.aud' },
      'order.state.settled-absorbs': { field: 'status' },
      'error.refusal-is-4xx': {},
    };
    const ids = Object.keys(named) as RequirementId[];
    expect(Object.fromEntries(ids.map((id) => [id, subjectOf(id)]))).toEqual(named);
    expect(subjectOf('ours.form')).toEqual({});
    const departing: Partial<Record<RequirementId, Requirement['departs']>> = {
      'order.memo.unchanged': 'changed',
      'order.state.settled-absorbs': 'wrong state',
      'rfq.hides-order-particulars': 'gives away',
      'event.order-updated.once': 'repeated',
      'order.create.once': undefined,
    };
    for (const [id, departs] of Object.entries(departing)) {
      expect([id, findRequirement(id)?.departs]).toEqual([id, departs]);
    }
  });

  it('is a literal union for the compiler', () => {
    // @ts-expect-error a name that nobody gave
    const misspelled: RequirementId = 'order.fx-rate.set-on-acceptence';
    expect(isRequirementId(misspelled)).toBe(false);
    expect(isRequirementId('toString')).toBe(false);
    // @ts-expect-error a facet that this field has not
    expect(isRequirementId(fieldRequirement('order', 'fx_rate', 'echo'))).toBe(false);
    expect(fieldRequirement('order', 'fx_rate', 'form')).toBe('order.fx-rate.form');
  });
});

describe('part 2 and the claims of part 5.3', () => {
  it('sorts the fields of an order by the moments of their table', () => {
    const at = (moment: string): string[] =>
      fieldsOf(fieldTables.order)
        .filter((field) => field.moment === moment)
        .map(({ name }) => name);
    expect(at('creation')).toEqual([...assignedFields]);
    expect(at('sent')).toEqual([...chosenFields]);
    expect(at('acceptance')).toEqual([...acceptanceFields]);
    expect(at('settlement')).toEqual([...settlementFields]);
  });
});
