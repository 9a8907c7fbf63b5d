import { describe, expect, it } from 'vitest';
import type {
  OperationKind,
  Operation,
  QuoteFacts,
  ReplyKind,
  OrderHistory,
  Views,
} from './order-history.ts';
import { linearize, compareWithModel } from './linearize.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';

const start = 1_000_000;
const expiresAt = start + 60_000;
const facts: QuoteFacts = { maker: 'maker_a', validUntil: start + 30_000, isPayable: true };

interface Step {
  readonly kind: OperationKind;
  readonly by?: string;
  readonly reply?: ReplyKind;
  readonly quote?: string;
  readonly status?: OrderState;
  readonly names?: string;
  readonly blamesCancel?: boolean;
  readonly shown?: readonly (readonly [string, QuoteState])[];
  /** Milliseconds after the start; answered at once. */
  readonly at?: number;
}

/** Commands one after another; those in an inner list were sent at once. */
function history(
  steps: readonly (Step | readonly Step[])[],
  quotes: Readonly<Record<string, Partial<QuoteFacts>>> = {},
): OrderHistory {
  const operations: Operation[] = [];
  let clock = 0;
  for (const group of [{ kind: 'create' } as Step, ...steps]) {
    const all: readonly Step[] = 'kind' in group ? [group] : group;
    const begin = clock + 1;
    for (const one of all) {
      clock = Math.max(clock, begin) + 1;
      const { kind, by = kind === 'submit' ? 'maker_a' : 'sender', reply = 'yes', at = 0 } = one;
      const common = { id: `#${clock}`, kind, party: by, reply, begin, end: clock };
      const status = reply === 'yes' ? 200 : 409;
      operations.push({
        ...common,
        from: start + at,
        to: reply === 'lost' ? Number.POSITIVE_INFINITY : start + at,
        ...(one.quote !== undefined && { quote: one.quote }),
        ...(one.status && { status: one.status }),
        ...(one.names !== undefined && { names: one.names }),
        ...(one.blamesCancel && { blamesCancel: true }),
        ...(one.shown && { shown: one.shown }),
        call: { exchange: { role: 'institution', response: { status, headers: {} } } } as never,
      });
    }
  }
  return {
    expiresAt,
    quotes: new Map(Object.entries(quotes).map(([id, known]) => [id, { ...facts, ...known }])),
    seen: new Set(
      operations.flatMap(({ status, blamesCancel }) => (status && !blamesCancel ? [status] : [])),
    ),
    operations,
  };
}

const kindOf = (one: OrderHistory, views: Views = 'lagging') =>
  linearize(one, one.operations, { views }).kind;

const submit: Step = { kind: 'submit', quote: 'q' };
const accept: Step = { kind: 'accept', quote: 'q' };
const cancel: Step = { kind: 'cancel' };
const reads = (status: OrderState, more: Partial<Step> = {}): Step => ({
  kind: 'read',
  status,
  ...more,
});
const refused = (one: Step): Step => ({ ...one, reply: 'no' });
const q = { q: {} };
const two = { q: {}, r: { maker: 'maker_b' } };
const rival: Step = { kind: 'submit', quote: 'r', by: 'maker_b' };
const acceptRival: Step = { kind: 'accept', quote: 'r' };

describe('an order of effects', () => {
  it.each<[string, readonly (Step | readonly Step[])[]]>([
    [
      'accept, then cancel, both in time',
      [submit, [accept, cancel], reads('FAILED', { at: 3_000 })],
    ],
    [
      'cancel first: the acceptance is refused',
      [submit, [refused(accept), cancel], reads('EXPIRED')],
    ],
    [
      'the acceptance first, the cancel too late',
      [submit, [accept, refused(cancel)], reads('SETTLED', { at: 4_000 })],
    ],
    ['both lose to each other', [submit, [accept, refused(accept)], reads('QUOTED')]],
    [
      'a cancel that takes effect a little later',
      [cancel, reads('PENDING'), reads('FAILED', { at: 1_500 })],
    ],
    ['no answer, and no effect', [submit, { ...accept, reply: 'lost' }, reads('PENDING')]],
    ['no answer, and an effect', [submit, { ...accept, reply: 'lost' }, reads('QUOTED')]],
    [
      'no answer, and an effect that comes later',
      [submit, { ...accept, reply: 'lost' }, reads('PENDING'), reads('EXECUTING')],
    ],
    [
      "a view of another party's that lags",
      [submit, accept, reads('PENDING', { by: 'custodian' })],
    ],
    ['an acceptance as its deadline passes, refused', [submit, refused({ ...accept, at: 29_990 })]],
    ['an acceptance as its deadline passes, taken', [submit, { ...accept, at: 30_010 }]],
    ['asked to slow down', [submit, { ...accept, reply: 'void' }, reads('PENDING')]],
  ])('is found: %s', (_, steps) => {
    expect(kindOf(history(steps, q))).toBe('legal');
  });

  it.each<[string, readonly (Step | readonly Step[])[], string]>([
    [
      'both succeed, and the order settles',
      [submit, [accept, cancel], reads('SETTLED', { at: 4_000 })],
      'order.state.legal-under-race',
    ],
    [
      'a quote known for long cannot be accepted',
      [submit, refused({ ...accept, at: 2_500 })],
      'quote.state.usable-until-deadline',
    ],
    ['a cancel is refused while PENDING', [refused(cancel)], 'order.cancel.pending'],
    [
      'a refused cancel ends the order',
      [{ ...cancel, reply: 'void' }, reads('EXPIRED', { blamesCancel: true })],
      'order.state.listed-transitions-only',
    ],
    [
      'a cancel never takes effect',
      [submit, cancel, reads('PENDING', { at: 5_000 })],
      'order.state.listed-transitions-only',
    ],
    [
      'a quote is accepted when it is over',
      [submit, { ...accept, at: 30_500 }],
      'order.accept.expired-quote-refused',
    ],
    [
      'EXECUTING is cancelled',
      [submit, accept, reads('EXECUTING'), cancel],
      'order.cancel.executing-refused',
    ],
    [
      'its own view goes back',
      [submit, accept, reads('PENDING', { at: 2_500 })],
      'order.state.listed-transitions-only',
    ],
  ])('is not found where %s', (_, steps, requirement) => {
    expect(compareWithModel(history(steps, q))).toMatchObject({ kind: 'broken', requirement });
  });

  it('admits one of two acceptances at once, not both', () => {
    const at = (second: Step) => history([submit, rival, [accept, second]], two);
    expect(kindOf(at(refused(acceptRival)))).toBe('legal');
    expect(compareWithModel(at(acceptRival))).toMatchObject({
      requirement: 'order.state.legal-under-race',
    });
  });

  it('follows the rivals of the selected quote', () => {
    const at = (state: QuoteState, moment = 0) =>
      history([submit, rival, accept, { kind: 'quotes', shown: [['r', state]], at: moment }], two);
    expect(kindOf(at('REJECTED'))).toBe('legal');
    expect(kindOf(at('PENDING'))).toBe('legal');
    expect(compareWithModel(at('PENDING', 2_500))).toMatchObject({
      requirement: 'quote.state.listed-transitions-only',
    });
    expect(compareWithModel(at('ACCEPTED'))).toMatchObject({
      requirement: 'quote.state.listed-transitions-only',
    });
  });

  it('lets a rival quote lapse only if it had hardly any time left', () => {
    const lapsed: Step = { kind: 'quotes', shown: [['r', 'EXPIRED']], at: 6_000 };
    const at = (leftMs: number) =>
      history([submit, rival, accept, lapsed], {
        ...two,
        r: { ...two['r'], validUntil: start + leftMs },
      });
    expect(kindOf(at(1_000))).toBe('legal');
    expect(compareWithModel(at(4_000))).toMatchObject({
      requirement: 'quote.state.listed-transitions-only',
    });
  });

  it('says if the unexplained part is the named quote or the state', () => {
    const read = (status: OrderState, names: string) =>
      compareWithModel(history([submit, rival, accept, reads(status, { names })], two));
    expect(read('QUOTED', 'q')).toMatchObject({ kind: 'kept' });
    const requirement = 'order.state.listed-transitions-only';
    expect(read('QUOTED', 'r')).toMatchObject({
      requirement,
      message: expect.stringMatching(/^The `quote_id` of an/),
    });
    const unasked = history([submit, reads('SETTLED', { names: 'q' })], two);
    expect(compareWithModel(unasked)).toMatchObject({
      requirement,
      message: expect.stringMatching(/^An order was in a/),
    });
  });

  it("lets a party's own reads follow what it did a while later, not each other", () => {
    expect(kindOf(history([submit, accept, reads('PENDING')], q))).toBe('legal');
    expect(kindOf(history([submit, accept, reads('QUOTED'), reads('PENDING')], q))).toBe('illegal');
  });

  it('lets a view lag for a while, not for long', () => {
    const later = (at: number) => reads('PENDING', { by: 'custodian', at });
    expect(kindOf(history([submit, accept, later(1_000)], q))).toBe('legal');
    expect(kindOf(history([submit, accept, later(1_000)], q), 'fresh')).toBe('illegal');
    expect(kindOf(history([submit, accept, later(2_500)], q))).toBe('illegal');
  });

  it('gives up at its bound of steps', () => {
    const crowd = Array.from({ length: 12 }, (_, index) => refused({ ...accept, by: `p${index}` }));
    const one = history([submit, [...crowd, accept, cancel], reads('SETTLED')], q);
    expect(linearize(one, one.operations, { views: 'lagging', mostSteps: 200 }).kind).toBe(
      'unknown',
    );
  });
});
