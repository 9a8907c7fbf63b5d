import type { FaultPlan } from '../faults/faults.ts';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import { exchange as made, frame as madeFrame } from '../../test/support/records.ts';
import { stepsOf } from './steps-of-history.ts';
import { sliceOf } from './slice.ts';
import { isNamed, type ReproStep } from './steps.ts';

const orderId = '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0001';
const quoteId = '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0002';

let count = 0;
const exchange = (given: Parameters<typeof made>[0]): Exchange => {
  count += 1;
  return made({ id: `c#${count}`, by: 'c', at: count * 1_000, ...given });
};
const answer = (data: unknown, status = 200) => ({ status, headers: {}, body: { data } });

const created = exchange({
  endpoint: 'order.create',
  request: {
    method: 'POST',
    path: '/api/v1/orders',
    headers: { authorization: '***' },
    body: { source_contract_id: `${'a1'.repeat(32)}#0`, receiver_party_id: 'Bank::12', memo: 'x' },
  },
  response: answer({ intent_id: orderId }, 201),
});
const unrelated = exchange({ endpoint: 'stats.read', data: {} });
const params = { intent_id: orderId };
const quoted = exchange({
  endpoint: 'quote.submit',
  party: 'maker_a',
  params,
  body: { fx_rate: '1', valid_until: new Date(count * 1_000 + 1_000 + 30_000).toISOString() },
  status: 201,
  data: { quote_id: quoteId },
});
const read = exchange({ endpoint: 'order.read', params, data: params });
const again = exchange({
  ...read,
  id: 'c#again',
  auth: 'of maker_a',
  sent: 5_000,
  received: 5_000,
});
const history = { records: [created, unrelated, quoted, read, again] };
const known = { partyIds: new Map([['Bank::12', 'outsider']] as const), aheadMs: 0, controls: [] };

const stepsWith = (extent: 'story' | 'orders' | 'all') =>
  stepsOf(sliceOf(history, 'c', [again.id], extent), known);

it.each([
  ['at once', undefined],
  ['at the same hour', { next: '00:00:01.500', lessMs: 0 }],
  ['on the same date', { next: '01-01T00:00:01.500', lessMs: 0 }],
] as const)('waits for the time of the day or of the year where it begins %s', (begins, until) => {
  const [first] = stepsOf(sliceOf(history, 'c', [again.id], 'story'), {
    ...known,
    aheadMs: 500,
    begins,
  });
  expect(first?.kind === 'wait' ? first.until : undefined).toEqual(until);
});

it.each([
  ['2032-02-28T23:59:50.000Z', { next: '02-29T00:00:00.000', lessMs: 10_000 }],
  ['2030-02-28T23:59:50.000Z', { next: '02-28T23:59:50.000', lessMs: 0 }],
])('counts back from the leap day where it began on the eve of one: %s', (began, until) => {
  const [first] = stepsOf(sliceOf(history, 'c', [again.id], 'story'), {
    ...known,
    aheadMs: Date.parse(began) - created.sent,
    begins: 'on the same date',
  });
  expect(first?.kind === 'wait' ? first.until : undefined).toEqual(until);
});

it('reports the creator of its order if a scenario cannot name that party', () => {
  const unnamedIn = (records: readonly Exchange[]) =>
    sliceOf({ records }, 'c', [again.id], 'story').unnamed;
  expect(unnamedIn([created, quoted, again])).toBeUndefined();
  expect(unnamedIn([{ ...created, party: 'sender_5' }, quoted, again])).toBe('sender_5');
});

it('keeps what changed the order, and the evidence', () => {
  const kept = (extent: 'story' | 'orders' | 'all') =>
    stepsWith(extent).flatMap((step) => (isNamed(step) ? [step.recorded.id] : []));
  expect(kept('story')).toEqual([created.id, quoted.id, again.id]);
  expect(kept('orders')).toEqual([created.id, quoted.id, read.id, again.id]);
  expect(kept('all')).toHaveLength(5);
});

it('keeps what happened at the same time to another order of the same party', () => {
  const otherId = orderId.replace(/.$/, '9');
  const asked = { ...created, sent: 0, response: answer({ intent_id: otherId }, 201) };
  const beside = { ...asked, id: 'c#beside' };
  const strangeId = orderId.replace(/.$/, '8');
  const strange = {
    ...asked,
    id: 'c#strange',
    party: 'outsider',
    response: answer({ intent_id: strangeId }, 201),
  };
  const records = [strange, beside, created, quoted, read, again];
  const { exchanges } = sliceOf({ records }, 'c', [again.id], 'neighbours');
  expect(new Set(exchanges.map(({ id }) => id))).toEqual(
    new Set([beside.id, created.id, quoted.id, again.id]),
  );
});

it('writes references in place of ids, and moments from now', () => {
  const calls = stepsWith('story').filter((step) => step.kind === 'call');
  const [order, quote, last] = calls;
  const id = { kind: 'answer', step: 'order', path: ['data', 'intent_id'] };
  expect(order?.body).toEqual({
    kind: 'object',
    fields: [
      ['source_contract_id', { kind: 'fresh', digits: 64, end: '#0' }],
      ['receiver_party_id', { kind: 'party', party: 'outsider' }],
      ['memo', { kind: 'plain', value: 'x' }],
    ],
  });
  expect(order?.headers).toEqual({});
  expect(quote?.body).toMatchObject({
    fields: [
      ['fx_rate', {}],
      ['valid_until', { ms: 30_000 }],
    ],
  });
  expect(quote?.path).toMatchObject({ kind: 'text', parts: [{}, id, { value: '/quotes' }] });
  expect(last).toMatchObject({ intentId: id, token: 'maker_a' });
});

it('keeps identifying fields of an order that was sent twice', () => {
  const again = { ...created, id: 'again' };
  const bodies = (exchanges: readonly Exchange[]) =>
    stepsOf({ exchanges, needed: new Set(), resumed: new Map() }, known).flatMap((step) =>
      step.kind === 'call' && step.body?.kind === 'object' ? [step.body.fields[0]?.[1].kind] : [],
    );
  expect(bodies([created, quoted, again])).toEqual(['plain', expect.anything(), 'plain']);
  expect(bodies([created])).toEqual(['fresh']);
});

it('waits as long as the check did', () => {
  expect(stepsWith('story').filter(({ kind }) => kind === 'wait')).toEqual([
    { kind: 'wait', ms: 2_000 },
    { kind: 'wait', ms: 2_000 },
  ]);
});

describe('faults of the target, and ends of streams', () => {
  const restart = {
    at: 2_500,
    precededBy: 2,
    fault: { fault: 'restart', ms: 500 } as const,
    lastsMs: 500,
  };
  const kinds = (steps: readonly ReproStep[]) =>
    steps.map((step) => (isNamed(step) ? step.name : step.kind === 'wait' ? step.ms : step.kind));

  it('keep their place and their duration', () => {
    const slice = sliceOf(history, 'c', [again.id], 'story');
    expect(kinds(stepsOf(slice, { ...known, faultEvents: [restart] }))).toEqual([
      'order',
      1_500,
      'fault',
      'quote',
      2_000,
      'order_read',
    ]);
  });

  it('name their order, and are left out without it', () => {
    const slice = sliceOf(history, 'c', [again.id], 'story');
    const fault = { fault: 'leg reverts', leg: 1 } as const;
    const struck = { ...restart, fault, intentId: orderId };
    const faults = (intentId: string) =>
      stepsOf(slice, { ...known, faultEvents: [{ ...struck, intentId }] }).filter(
        ({ kind }) => kind === 'fault',
      );
    expect(faults(orderId)).toEqual([
      { kind: 'fault', fault, of: expect.objectContaining({ step: 'order' }) },
    ]);
    expect(faults(quoteId)).toEqual([]);
  });

  it('resume a stream where the history resumed it', () => {
    const opening = (more: Partial<Exchange> = {}): Exchange =>
      exchange({ endpoint: 'order.events', opensStream: true, ...more });
    const first = opening();
    const frame = madeFrame({ stream: first.id, eventId: '7', at: first.sent });
    const end = {
      kind: 'end',
      stream: first.id,
      by: 'c',
      party: 'sender',
      at: first.sent + 100,
      cause: 'error',
    } as const;
    const second = opening({
      request: { method: 'GET', path: '/', headers: { 'last-event-id': '7' } },
      precededBy: 3,
    });
    const { records } = { records: [first, frame, end, second] };
    const slice = sliceOf({ records }, 'c', [second.id], 'story');
    const steps = stepsOf(slice, known);
    expect(kinds(steps)).toEqual(['stream_of_sender', 100, 'drop', 900, 'stream_of_sender_2']);
    expect(steps.at(-1)).toMatchObject({ kind: 'listen', resumes: 'stream_of_sender' });
    const struck = { ...restart, at: end.at, precededBy: 2, lastsMs: 0 };
    const restarted = stepsOf(slice, { ...known, faultEvents: [struck] });
    expect(kinds(restarted)).toEqual(['stream_of_sender', 100, 'fault', 900, 'stream_of_sender_2']);
    const stepsAfter = (fault: FaultPlan) =>
      kinds(stepsOf(slice, { ...known, faultEvents: [{ ...struck, fault }] }));
    expect(stepsAfter({ fault: 'validation fails' })).toContain('drop');
    for (const fault of ['streams drop', 'streams break'] as const) {
      expect(stepsAfter({ fault, party: 'sender' })).toEqual(kinds(restarted));
      expect(stepsAfter({ fault, party: 'maker_a' })).toContain('drop');
    }
    expect(stepsAfter({ fault: 'partition', party: 'sender', ms: 1 })).toEqual(kinds(restarted));
  });

  it('leave out faults of streams that the flow does not have', () => {
    const slice = sliceOf(history, 'c', [again.id], 'story');
    const fault = { fault: 'streams break', party: 'sender' } as const;
    const steps = stepsOf(slice, { ...known, faultEvents: [{ ...restart, fault }] });
    expect(kinds(steps)).not.toContain('fault');
  });

  it('says why a token cannot be had without the key that signs it', () => {
    const asked = exchange({ endpoint: 'identity.read', auth: 'wrong audience (another)' });
    const slice = sliceOf({ records: [asked] }, 'c', [asked.id], 'story');
    expect(() => stepsOf(slice, known)).toThrow('only a signing key makes: wrong audience');
    const token = { kind: 'signed', party: 'sender', claims: { aud: 'svc' } };
    expect(stepsOf(slice, { ...known, canSign: true })).toMatchObject([{ token }]);
  });
});
