import { expect, it } from 'vitest';
import { ignored } from '../../mutants/defects/requests.ts';
import { discovered, ranOn } from '../../test/support/tampered.ts';
import { quoteAgainChecks } from './quote-expiry.ts';

/** Refuses a second quote of a maker, always or while the first is PENDING. */
const refusing = (isAlways: boolean) =>
  ignored('quote.submit', ({ quotes, caller }) =>
    quotes.some(
      ({ makerPartyId, status }) =>
        makerPartyId === caller.partyId && (isAlways || status === 'PENDING'),
    ),
  )();

it.each([
  ['never takes', true, 'out_of_scope'],
  ['takes', false, 'pass'],
] as const)(
  'a target that %s a second quote once the first has lapsed',
  async (_, isAlways, verdict) => {
    const tamper = refusing(isAlways);
    const { checks, failed } = await ranOn(quoteAgainChecks, { prepare: discovered, tamper });
    expect([checks.map((check) => check.verdict), failed]).toEqual([[verdict, 'pass'], []]);
  },
);
