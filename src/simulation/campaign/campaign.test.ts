import { describe, expect, it } from 'vitest';
import { ruleOfThree } from './text.ts';
import { exitCodeOfCampaign } from './exit-code.ts';
import { rangeFold } from './fold.ts';
import { mergeSummaries } from './merge.ts';
import { isCampaign, readCampaign } from './read.ts';
import { missingIn, piecesOf, seedRange } from './seed-range.ts';
import { finding, options, outcome, suite, summaryOf } from './testing.ts';
import { toCampaignJson, toCampaignText } from './text.ts';

const worlds = (first: bigint, count: number) =>
  Array.from({ length: count }, (_, n) => outcome(first + BigInt(n)));

describe('ranges of seeds', () => {
  it('reach the last of 64 bits and not beyond', () => {
    expect(seedRange((1n << 64n) - 3n, 3)).toBeDefined();
    for (const [first, count] of [
      [(1n << 64n) - 3n, 4],
      [-1n, 1],
      [0n, 0],
      [0n, 1.5],
    ] as const) {
      expect(seedRange(first, count)).toBeUndefined();
    }
  });

  it('are cut into pieces that make up the whole', () => {
    const whole = { first: 7n, count: 23 };
    const pieces = [...piecesOf(whole, 10)];
    expect(pieces.map(({ count }) => count)).toEqual([10, 10, 3]);
    expect(missingIn(whole, pieces)).toEqual([]);
    expect(missingIn(whole, pieces.slice(1, 2))).toEqual([
      { first: 7n, count: 10 },
      { first: 27n, count: 3 },
    ]);
  });
});

describe('a fold', () => {
  it('tells the first seed of a cause, how many seeds show it, and the time until it was found', () => {
    const [hold, event] = [finding('hold.left'), finding('event.twice')];
    const summary = summaryOf(5n, [
      outcome(5n, { host_ms: 10 }),
      outcome(6n, { host_ms: 20, findings: [hold, { ...hold, message: 'again' }] }),
      outcome(7n, { host_ms: 40, findings: [event, hold] }),
    ]);
    expect(summary.causes).toMatchObject([
      { cause: 'hold.left', first_seed: '0x0000000000000006', seeds: 2, found_after_ms: 30 },
      { cause: 'event.twice', first_seed: '0x0000000000000007', seeds: 1, found_after_ms: 70 },
    ]);
    expect(summary.causes[0]?.message).toBe('hold.left is broken');
  });

  it('takes no world that is not the next one', () => {
    const fold = rangeFold(suite, options, 5n);
    fold.add(outcome(5n));
    expect(() => fold.add(outcome(5n))).toThrow('0x0000000000000005 came for 0x0000000000000006');
    expect(() => fold.add(outcome(7n))).toThrow(RangeError);
    expect(fold.summary().worlds).toBe(1);
  });
});

describe('summaries that do not go together', () => {
  const one = { name: 'a.json', summary: summaryOf(1n, worlds(1n, 10)) };
  const problemWith = (summary: typeof one.summary): string => {
    const merged = mergeSummaries([one, { name: 'b.json', summary }]);
    return merged.ok ? 'merged' : merged.problem;
  };

  it('are named with the seeds that both have', () => {
    expect(problemWith(summaryOf(10n, worlds(10n, 2)))).toBe(
      'a.json has seeds 0x0000000000000001 to 0x000000000000000a, b.json has seeds 0x000000000000000a to 0x000000000000000b: the same seeds would count twice',
    );
    expect(problemWith(summaryOf(11n, worlds(11n, 2)))).toBe('merged');
  });

  it('are named with their suites and their options', () => {
    const next = worlds(11n, 2);
    const other = { ...suite, digest: 'cd'.repeat(32) };
    expect(problemWith(summaryOf(11n, next, options, other))).toBe(
      'a.json was played by suite 1.2.3 (abababababab), b.json by 1.2.3 (cdcdcdcdcdcd)',
    );
    expect(problemWith(summaryOf(11n, next, { ...options, mutation: 'x', faults: [] }))).toBe(
      'a.json was played with other options than b.json: none; --faults none --mutation x',
    );
  });

  it('are not those whose faults are named in another order', () => {
    const how = (faults: string[]) => ({ ...options, faults });
    const [left, right] = [
      summaryOf(1n, worlds(1n, 1), how(['stall', 'revert'])),
      summaryOf(2n, worlds(2n, 1), how(['revert', 'stall', 'revert'])),
    ];
    expect(
      mergeSummaries([
        { name: 'a', summary: left },
        { name: 'b', summary: right },
      ]).ok,
    ).toBe(true);
  });
});

describe('the text of a campaign', () => {
  it('says how much is known where nothing was found', () => {
    const text = toCampaignText(summaryOf(1n, worlds(1n, 2_000)));
    expect(text).toContain('Nothing found in 2,000 worlds: with 95 % confidence at most 0.15 %');
    expect([ruleOfThree(2_000), ruleOfThree(2)]).toEqual([0.0015, 1]);
    expect(toCampaignText(summaryOf(1n, []))).toContain('No world was played');
  });

  it('shows each cause and how to play its first seed again, and what the catalogue says', () => {
    const message = 'a message \u001B[31m from a target';
    const how = { ...options, mutation: 'hold-lost' };
    const summary = summaryOf(
      1n,
      [
        outcome(1n, { host_ms: 1_500 }),
        outcome(2n, { host_ms: 1_500, findings: [{ ...finding('hold.left'), message }] }),
      ],
      how,
    );
    const text = toCampaignText(summary, ({ worlds: n }) => [`never reached in ${n}: leap day`]);
    expect(text).toContain('first in seed 0x0000000000000002, after 3.0 s; in 1 of 2 worlds');
    expect(text).toContain('next: assay simulate --seed 0x0000000000000002 --mutation hold-lost');
    expect(text).toContain('\\u001b[31m from a target');
    expect(text).toContain('never reached in 2: leap day');
  });

  it('ends with 1 where the target is at fault, with 3 where Assay is or seeds are missing', () => {
    const of = (blame: 'defect' | 'harness') =>
      summaryOf(1n, [outcome(1n, { findings: [{ ...finding('x'), blame }] })]);
    expect(exitCodeOfCampaign(of('defect'), 'seeds missing')).toBe(1);
    expect(exitCodeOfCampaign(of('harness'), 'none missing')).toBe(3);
    expect(exitCodeOfCampaign(summaryOf(1n, worlds(1n, 1)), 'seeds missing')).toBe(3);
    expect(exitCodeOfCampaign(summaryOf(1n, worlds(1n, 1)), 'none missing')).toBe(0);
    const withoutOrders = summaryOf(1n, [outcome(1n, { met: [], reached: {} })]);
    expect(exitCodeOfCampaign(withoutOrders, 'none missing')).toBe(3);
    expect(toCampaignText(withoutOrders)).toContain('No order came about, so nothing is known.');
  });
});

describe('the file of a campaign', () => {
  const summary = summaryOf(1n, [outcome(1n, { findings: [finding('x')] }), outcome(2n)]);
  const written = toCampaignJson(summary);

  it('reads back as it was written', () => {
    expect(readCampaign(written)).toEqual({ ok: true, value: summary });
    expect(isCampaign(written)).toBe(true);
    expect(isCampaign('{"format":"assay.report/1","notes":["assay.campaign/1"]}')).toBe(false);
  });

  it.each([
    ['{', 'not JSON'],
    ['{"format":"assay.report/1"}', 'not a campaign: "format" is not "assay.campaign/1"'],
    [
      written.replace('"count": 2', '"count": 3'),
      'not a campaign: worlds is 2, but there are 3 seeds',
    ],
    [
      written.replace('"first": "0x', '"first": "1x'),
      'not a campaign: seeds[0].first is not a seed',
    ],
    [written.replace('"rule": "', '"ruler": "'), 'not a campaign: causes[0].rule is not a text'],
    [written.replace('"process"', '"deep"'), 'not a campaign: options.depth is not one of core'],
    [written.replace('"version"', '"vision"'), 'not a campaign: suite.version is not a text'],
  ])('is refused where it is wrong (%#)', (text, problem) => {
    const read = readCampaign(text);
    expect(read.ok ? 'sound' : read.problem).toContain(problem);
  });
});
