import type { CastName, Needs } from './requirement.ts';

/**
 * Target time that exercising takes, in milliseconds, with the reference's defaults and room to spare. A target may
 * take longer (its orders may live for an hour); a check then says so when it knows.
 */
const waits = {
  settlementMs: 10_000,
  quoteExpiryMs: 5_000,
  orderExpiryMs: 65_000,
  settlementWindowMs: 45_000,
  heartbeatMs: 62_000,
  tokenExpiryMs: 3_605_000,
} as const;

export const needsOf = (
  parties: readonly CastName[],
  waitMs?: number,
  more?: Omit<Needs, 'parties' | 'waitMs'>,
): Needs => ({ parties, ...(waitMs !== undefined && { waitMs }), ...more });

/** What it takes to exercise a statement, by the parties beside the sender or by what has to happen. */
export const needs = {
  sender: needsOf(['sender']),
  outsider: needsOf(['sender', 'outsider']),
  outsiderMaker: needsOf(['sender', 'outsider', 'maker_a']),
  outsiders: needsOf(['sender', 'outsider', 'outsider_custodian', 'maker_a']),
  custodian: needsOf(['sender', 'sender_custodian']),
  custodianMaker: needsOf(['sender', 'sender_custodian', 'maker_a']),
  custodianTwoMakers: needsOf(['sender', 'sender_custodian', 'maker_a', 'maker_b']),
  custodianSettlement: needsOf(['sender', 'sender_custodian', 'maker_a'], waits.settlementMs),
  receiverCustodian: needsOf(['sender', 'receiver_custodian']),
  receiverCustodianMaker: needsOf(['sender', 'receiver_custodian', 'maker_a']),
  outsiderCustodian: needsOf(['sender', 'outsider_custodian']),
  outsiderCustodianMaker: needsOf(['sender', 'outsider_custodian', 'maker_a']),
  maker: needsOf(['sender', 'maker_a']),
  makerAlone: needsOf(['maker_a']),
  twoMakers: needsOf(['sender', 'maker_a', 'maker_b']),
  threeMakers: needsOf(['sender', 'maker_a', 'maker_b', 'maker_c']),
  signing: needsOf(['sender'], undefined, { signing: true }),
  settlement: needsOf(['sender', 'maker_a'], waits.settlementMs),
  settlementTwoMakers: needsOf(['sender', 'maker_a', 'maker_b'], waits.settlementMs),
  settlementFailure: needsOf(['sender', 'maker_a'], waits.settlementMs, {
    controls: ['fail_settlement'],
  }),
  settlementStalled: needsOf(['sender', 'maker_a'], waits.settlementWindowMs, {
    controls: ['stall_settlement'],
  }),
  validationFailure: needsOf(['sender'], undefined, { controls: ['fail_validation'] }),
  withdrawal: needsOf(['sender'], undefined, { controls: ['withdraw_order'] }),
  withdrawalMaker: needsOf(['sender', 'maker_a'], undefined, { controls: ['withdraw_order'] }),
  orderExpiry: needsOf(['sender'], waits.orderExpiryMs),
  rfqExpiry: needsOf(['sender', 'maker_a'], waits.orderExpiryMs),
  rfqExpiryTwoMakers: needsOf(['sender', 'maker_a', 'maker_b'], waits.orderExpiryMs),
  quoteExpiry: needsOf(['sender', 'maker_a'], waits.quoteExpiryMs),
  tokenExpiry: needsOf(['sender'], waits.tokenExpiryMs),
  heartbeat: needsOf(['sender'], waits.heartbeatMs),
  heartbeatMaker: needsOf(['maker_a'], waits.heartbeatMs),
  heartbeatTraffic: needsOf(['sender', 'maker_a'], waits.heartbeatMs),
} as const satisfies Record<string, Needs>;
