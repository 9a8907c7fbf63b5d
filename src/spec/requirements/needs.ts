import type { CastName, Needs, Requirement } from './requirement.ts';
import type { Part } from '../vocabulary.ts';

/**
 * Target time that exercising takes, in milliseconds, with the reference's defaults and room to spare. A target may
 * take longer (its orders may live for an hour); a check then says so when it knows.
 */
export const waits = {
  settlementMs: 10_000,
  quoteExpiryMs: 5_000,
  orderExpiryMs: 65_000,
  settlementWindowMs: 45_000,
  heartbeatMs: 62_000,
  tokenExpiryMs: 3_605_000,
} as const;

export const needsOf = (
  parties: readonly CastName[],
  more: Omit<Needs, 'parties'> = {},
): Needs => ({ parties, ...more });

export const needsSender = needsOf(['sender']);
export const needsCustodian = needsOf(['sender', 'sender_custodian']);
export const needsMaker = needsOf(['sender', 'maker_a']);
export const needsTwoMakers = needsOf(['sender', 'maker_a', 'maker_b']);
export const needsCustodianTwoMakers = needsOf([
  'sender',
  'sender_custodian',
  'maker_a',
  'maker_b',
]);
export const needsCustodianMaker = needsOf(['sender', 'sender_custodian', 'maker_a']);
export const needsSettlement = needsOf(['sender', 'maker_a'], { waitMs: waits.settlementMs });
export const needsSettlementTwoMakers = needsOf(['sender', 'maker_a', 'maker_b'], {
  waitMs: waits.settlementMs,
});
export const needsOrderExpiry = needsOf(['sender'], { waitMs: waits.orderExpiryMs });
export const needsRfqExpiry = needsOf(['sender', 'maker_a'], { waitMs: waits.orderExpiryMs });
export const needsQuoteExpiry = needsOf(['sender', 'maker_a'], { waitMs: waits.quoteExpiryMs });
export const needsSettlementFailure = needsOf(['sender', 'maker_a'], {
  waitMs: waits.settlementMs,
  controls: ['fail_settlement'],
});
export const needsSigning = needsOf(['sender'], { signing: true });

export const must = (part: Part, summary: string, needs?: Needs): Requirement => ({
  part,
  level: 'must',
  summary,
  ...(needs && { needs }),
});

export const vague = (part: Part, summary: string, needs?: Needs): Requirement => ({
  part,
  level: 'vague',
  summary,
  ...(needs && { needs }),
});

/** A statement that no black box can judge, with the reason. */
export const notObservable = (part: Part, summary: string, unobservable: string): Requirement => ({
  part,
  level: 'must',
  summary,
  unobservable,
});
