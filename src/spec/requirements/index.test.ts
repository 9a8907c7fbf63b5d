import { describe, expect, it } from 'vitest';
import { endpointNames, endpoints } from '../endpoints.ts';
import { eventKinds } from '../events.ts';
import { fieldsOf } from '../fields.ts';
import { limits } from '../limits.ts';
import { orderTransitions, quoteTransitions } from '../states.ts';
import { parts, type Role, roles } from '../vocabulary.ts';
import {
  accessRequirement,
  castNames,
  controls,
  fieldRequirement,
  fieldTables,
  findFieldRequirement,
  findRequirement,
  guardedEndpoints,
  isRequirementId,
  type Requirement,
  type RequirementId,
  requirementIds,
  requirements,
  subjectOf,
  type TableName,
  tokenRequirement,
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

const kebab = (text: string): string => text.toLowerCase().replaceAll('_', '-');

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

  it('needs what exists, and gives a reason where nothing can be judged', () => {
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

  it('says what each requirement is about, and what breaking it is', () => {
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
  const rows = Object.keys(fieldTables).flatMap((table) =>
    fieldsOf(fieldTables[table as TableName]).map((field) => [table as TableName, field] as const),
  );

  it.each(rows)('%s: a form and a presence for $name', (table, field) => {
    const facets = {
      creation: ['present'],
      sent: field.name === 'memo' ? ['echo', 'unchanged'] : ['present', 'echo', 'unchanged'],
      acceptance: ['set-on-acceptance', 'not-before-acceptance', 'unchanged'],
      settlement: ['set-on-settlement', 'not-before-settlement', 'unchanged'],
    }[field.moment];
    const missing = ['form', ...facets].filter(
      (facet) => findFieldRequirement(table, field.name, facet) === undefined,
    );
    expect(missing).toEqual([]);
  });

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

describe('the other tables', () => {
  it.each([...orderTransitions])('order: $from to $to', ({ from, to }) => {
    expect(isRequirementId(`order.state.${kebab(from)}-to-${kebab(to)}`)).toBe(true);
  });

  it.each([...quoteTransitions])('quote: $from to $to', ({ from, to }) => {
    expect(isRequirementId(`quote.state.${kebab(from)}-to-${kebab(to)}`)).toBe(true);
  });

  it.each(endpointNames)('endpoint %s: what it does, and who may', (name) => {
    const stream = endpoints[name].result === 'stream';
    expect(requirementIds.some((id) => id.startsWith(stream ? 'stream.' : `${name}.`))).toBe(true);
    const guarded = guardedEndpoints.find((one) => one === name);
    const wanted: readonly string[] = guarded
      ? [tokenRequirement(guarded), ...roles.map((role) => accessRequirement(guarded, role))]
      : [`${name}.no-token-needed`];
    expect(wanted.filter((id) => !isRequirementId(id))).toEqual([]);
  });

  it('allows each endpoint to the roles of its table, and to no other', () => {
    const allowed = (role: Role): string[] =>
      guardedEndpoints.filter((name) => isRequirementId(`access.${name}.${role}-allowed`));
    expect(allowed('market-maker')).toHaveLength(10);
    expect(allowed('institution')).toHaveLength(9);
    expect(allowed('custodian')).toEqual([
      'identity.read',
      'stats.read',
      'order.list',
      'order.events',
      'order.read',
      'order.quotes',
      'proposal.accept',
      'quote.accept',
    ]);
  });

  it.each(Object.entries(eventKinds))(
    'event %s: sent, once, with its fields',
    (name, { fields }) => {
      const wanted = ['sent', 'once', ...fields.map((field) => `has-${kebab(field)}`)];
      const missing = wanted.filter((facet) => !isRequirementId(`event.${kebab(name)}.${facet}`));
      expect(missing).toEqual([]);
    },
  );

  it('has the heartbeat of both streams', () => {
    expect(isRequirementId('event.heartbeat.order-stream')).toBe(true);
    expect(isRequirementId('event.heartbeat.maker-stream')).toBe(true);
  });

  it('has every limit', () => {
    const ids: Readonly<Record<keyof typeof limits, readonly RequirementId[]>> = {
      tokenLifetimeSeconds: ['limit.token-lifetime'],
      heartbeatIntervalMs: [
        'limit.heartbeat-interval.order-stream',
        'limit.heartbeat-interval.maker-stream',
      ],
      settlementDurationMs: ['limit.settlement-duration'],
    };
    for (const id of Object.values(ids).flat()) expect(requirements[id].part).toBe('8');
  });
});
