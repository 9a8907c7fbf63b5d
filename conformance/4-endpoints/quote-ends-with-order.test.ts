import { expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { ignored } from '../../mutants/defects/requests.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { ranOn } from '../../test/support/tampered.ts';
import { endsWithOrderChecks } from './quote-ends-with-order.ts';

async function verdictsOn(answers: Parameters<typeof assign>[0], tamper: Tamper = {}) {
  const { checks, failed } = await ranOn(endsWithOrderChecks, {
    assignment: assign(answers),
    tamper,
  });
  return [...checks.map(({ verdict }) => verdict), ...failed];
}

/** Refuses quotes by the milliseconds from the end of their order to their own end. */
const refusing = (isRefused: (laterMs: number) => boolean): Tamper =>
  ignored('quote.submit', ({ order, body }) => {
    const { valid_until } = body as { readonly valid_until?: unknown };
    return order && isRefused((parseTimestamp(valid_until) ?? 0) - order.expiresAt);
  })();

it.each([
  ['by the usual answers', {}],
  ['if no quote may outlive its order', { 'quote.beyond_expiry': 'refuse' }],
  ['if a maker quotes once', { 'quote.twice': 'refuse' }],
  ['if a second quote replaces the first', { 'quote.twice': 'replace' }],
  ['if the moment itself has not passed', { 'time.boundary': 'not-yet' }],
  ['if a settlement ends with its quote', { 'settlement.beyond_validity': 'fails' }],
  ['if orders live for half a minute', { 'order.lifetime': '30s' }],
  [
    'if orders live for an hour, and quotes no longer',
    { 'order.lifetime': '3600s', 'quote.max_validity': '1h' },
  ],
] as const)('a quote that ends with its order is taken and accepted %s', async (_, answers) => {
  expect(await verdictsOn(answers)).toEqual(['pass', 'pass']);
});

it.each([
  ['must end before their orders', (laterMs: number) => laterMs >= 0],
  ['must outlive their orders', (laterMs: number) => laterMs <= 0],
  ['must end seconds before their orders', (laterMs: number) => laterMs > -3_000],
] as const)('nobody is accused if quotes %s', async (_, isRefused) => {
  expect(await verdictsOn({}, refusing(isRefused))).toEqual(['out_of_scope', 'out_of_scope']);
});

it.each([{}, { 'quote.twice': 'refuse' }] as const)(
  'a refusal between two accepted quotes fails: %o',
  async (answers) => {
    expect(
      await verdictsOn(
        answers,
        refusing((laterMs) => laterMs === 0),
      ),
    ).toEqual(['fail', 'fail', 'access.quote.submit.market-maker-allowed']);
  },
);

it('a quote that was taken is accepted', async () => {
  const tamper = mutationNamed('quote-that-ends-with-its-order-not-accepted')?.tamper() ?? {};
  expect(await verdictsOn({}, tamper)).toEqual([
    'fail',
    'fail',
    'order.expires-at.acceptable-until',
  ]);
});
