import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { random } from '../../random/random.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { type Check, defineCheck } from './check.ts';
import { createOrder, paramsOf } from '../actions/orders.ts';
import { assertRefusedWithControl } from '../actions/refusal-assertions.ts';
import { runChecks } from './run-checks.ts';
import { fakeTarget } from './testing.ts';

// The example of docs/checks.md, from here
export const checks: readonly Check[] = [
  defineCheck({
    id: 'order.cancel.by-outsider',
    title: 'An institution that has no part in an order cannot cancel it.',
    requirements: ['order.cancel.foreign-institution-refused'],
    needs: { parties: ['sender', 'outsider'] },
    async run(t) {
      const order = await createOrder(t);
      const cancelAs = (party: 'sender' | 'outsider') =>
        t.party(party).call('order.cancel', { params: paramsOf(order) });
      const requirement = 'order.cancel.foreign-institution-refused';
      await assertRefusedWithControl(t, requirement, {
        refusedCall: () => cancelAs('outsider'),
        controlCall: () => cancelAs('sender'),
        differsBy: 'another institution in place of the sender',
      });
    },
  }),
];
// to here

const fenced = (file: string, from: string, to: string): string => {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const start = text.indexOf(from) + from.length;
  return text.slice(start, text.indexOf(to, start));
};

const target = (kept: 'kept' | 'broken') => {
  let status = 'PENDING';
  return fakeTarget({
    answer: ({ endpoint, party }) => {
      if (endpoint === 'order.cancel') {
        if (party === 'outsider' && kept === 'kept') return { status: 404 };
        status = 'FAILED';
      }
      return { status: 200, body: { data: { intent_id: 'x', status } } };
    },
  });
};

describe('the example of the guide', () => {
  it('is this one', () => {
    const here = fenced('./example-check.test.ts', ', from here\n', '// to here');
    expect(fenced('../../../docs/checks.md', '```ts\n', '```')).toBe(here);
  });

  it.each([
    ['kept', 'pass'],
    ['broken', 'fail'],
  ] as const)('judges a target that has %s the sentence: %s', async (kept, verdict) => {
    const result = await runChecks({
      target: target(kept),
      checks,
      rules: [],
      options: { random: random('1') },
      catalogue: requirements,
    });
    expect(result.checks[0]?.verdict).toBe(verdict);
  });
});
