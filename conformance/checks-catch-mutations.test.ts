import { describe, expect, it } from 'vitest';
import type { Check } from '../src/suite/engine/check.ts';
import { mutationNamed } from '../mutants/index.ts';
import { ranOn } from '../test/support/tampered.ts';
import { envelopeChecks } from './base-urls-and-envelopes.ts';
import { endpointChecks } from './4-endpoints/index.ts';
import { eventChecks } from './6-events/index.ts';
import { errorChecks } from './7-errors/index.ts';
import { twinChecks } from './twins.ts';

const all: readonly Check[] = [
  ...envelopeChecks,
  ...endpointChecks,
  ...eventChecks,
  ...errorChecks,
  ...twinChecks,
];

/** The requirements that some checks alone, with the rules, find broken by one mutation. */
async function failing(mutation: string, only: string): Promise<readonly string[]> {
  const tamper = mutationNamed(mutation)?.tamper();
  if (!tamper) throw new Error(`no mutation is called ${mutation}`);
  const checks = all.filter(({ id }) => id.startsWith(only));
  return (await ranOn(checks, { tamper })).failed;
}

const brokenBy = (mutation: string): readonly string[] => mutationNamed(mutation)?.breaks ?? [];

describe('checks of lists, events and errors, each alone with the rules', () => {
  it('have names of their own', () => {
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  // Some of each kind: `npm run judge` tries them all.
  it.each([
    ['bad-rate-means-one', 'quote.submit.malformed-rate'],
    ['rate-read-up-to-the-first-letter', 'quote.submit.malformed-rate'],
    ['broken-id-is-500', 'error.malformed-id.order.read.sender'],
    ['pending-filter-holds-accepted', 'quote.list.filters.maker_a'],
    ['created-order-listed-once-quoted', 'order.create.usual'],
    ['expired-request-stays-listed', 'rfq.list.left.expired'],
    ['own-list-differs-from-request', 'quote.lists.three-makers'],
    ['settlements-listed-while-executing', 'settlement.list.early.sender'],
    ['pending-order-has-settlement', 'settlement.read.unknown'],
    ['filtered-stream-without-quotes', 'stream.filter.two-orders.sender'],
    ['update-told-for-each-quote', 'event.order-updated.only-on-change'],
    ['second-loser-not-told', 'event.selection.maker_a.sender'],
    ['no-event-on-expired-request', 'event.request-expired'],
    ['third-quote-not-told', 'event.quote-received.each.sender'],
    ['single-order-with-pagination', 'envelope.open'],
    ['rates-with-zeros-rounded-down', 'order.twins.rate-digits'],
  ] as const)('%s fails %s', async (mutation, caught) => {
    const failed = await failing(mutation, caught);
    expect(brokenBy(mutation).some((id) => failed.includes(id))).toBe(true);
  });
});
