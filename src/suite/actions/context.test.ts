import { expect, it, describe } from 'vitest';
import { fakeTarget, runAsCheck, req, startOfTime } from '../engine/testing.ts';
import {
  isByUndeclaredMaker,
  assertOrInconclusive,
  isBefore,
  liesWithin,
  targetNow,
  targetTime,
  untilPast,
} from './context.ts';

it('knows the quotes of makers that the target file does not declare', async () => {
  const target = fakeTarget({ answer: () => ({ status: 200 }), parties: ['sender', 'maker_a'] });
  await runAsCheck(target, async (t) => {
    const quoteOf = (maker: string) => ({ quote_id: 'q', market_maker_party_id: maker });
    expect(isByUndeclaredMaker(t, quoteOf('Elsewhere::0a'))).toBe(true);
    expect(isByUndeclaredMaker(t, quoteOf(t.party('maker_a').partyId))).toBe(false);
    expect(isByUndeclaredMaker(t, { quote_id: 'q' })).toBe(false);
    await t.party('sender').call('order.list');
  });
});

describe('moments of the target', () => {
  const target = fakeTarget({ offset: { least: -100, most: 300 } });

  it('are known to the accuracy of clocks and network', () => {
    expect(targetTime({ target }, { sent: 1_000, received: 1_050 })).toEqual({
      earliest: 900,
      latest: 1_350,
    });
    expect(targetNow({ target })).toEqual({
      earliest: startOfTime - 100,
      latest: startOfTime + 300,
    });
  });

  it('are certainly before, certainly after, or undecided', () => {
    const when = { earliest: 10, latest: 20 };
    expect(isBefore(when, 21)).toBe(true);
    expect(isBefore(when, 9)).toBe(false);
    expect([10, 15, 20].map((moment) => isBefore(when, moment))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(liesWithin(9, when)).toBe(false);
    expect(liesWithin(9, when, 1)).toBe(true);
  });

  it('have certainly passed after a wait for them', async () => {
    const deadline = startOfTime + 5_000;
    await runAsCheck(target, (t) => untilPast(t, deadline));
    expect(targetNow({ target }).earliest).toBe(deadline + 1);
  });
});

describe('an undecidable assertion', () => {
  it('is inconclusive', async () => {
    const result = await runAsCheck(fakeTarget(), async (t) => {
      const otherwise = { message: 'It was late.', undecidable: 'the answer straddled it' };
      assertOrInconclusive(t, req('a.one'), undefined, otherwise);
      assertOrInconclusive(t, req('a.two'), false, otherwise);
    });
    expect(result.judged.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['inconclusive', 'the answer straddled it'],
      ['fail', 'It was late.'],
    ]);
  });
});
