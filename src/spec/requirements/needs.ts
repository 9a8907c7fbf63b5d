import type { GapId } from '../gaps/index.ts';
import type { Part } from '../vocabulary.ts';
import type { CastName, Excuse, Needs, Requirement } from './requirement.ts';

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

export const must = (part: Part, summary: string, needed: Needs): Requirement => ({
  part,
  level: 'must',
  summary,
  needs: needed,
});

/** A statement that is not like the others of its part. */
type Statement = Pick<Requirement, 'summary'> & Partial<Requirement>;

/** `needing.settlement('…')`: a statement that takes more, or less, than the others of its part. */
export const needing = Object.fromEntries(
  Object.entries(needs).map(([name, needed]) => [
    name,
    (summary: string): Statement => ({ summary, needs: needed }),
  ]),
) as Readonly<Record<keyof typeof needs, (summary: string) => Statement>>;

const statement = (said: string | Statement): Statement =>
  typeof said === 'string' ? { summary: said } : said;

/** A statement whose words have no exact meaning, with the open question that admits a departure from it. */
export const vague = (
  gap: GapId,
  closes: Excuse['closes'],
  said: string | Statement,
): Statement => ({ ...statement(said), level: 'vague', excuse: { gap, closes } });

/** A statement that no black box can judge, with the reason. */
export const notObservable = (summary: string, unobservable: string): Statement => ({
  summary,
  unobservable,
});

/** The statements of one part. A bare sentence is a `must` that the given parties can exercise. */
export const part = <Id extends string>(
  name: Part,
  usual: Needs,
  statements: Readonly<Record<Id, string | Statement>>,
): Readonly<Record<Id, Requirement>> => {
  const complete = (said: string | Statement): Requirement => {
    const { summary, level = 'must', excuse, unobservable, ...own } = statement(said);
    const rest = unobservable === undefined ? { needs: own.needs ?? usual } : { unobservable };
    return { part: own.part ?? name, level, ...(excuse && { excuse }), summary, ...rest };
  };
  const entries = Object.entries<string | Statement>(statements);
  return Object.fromEntries(entries.map(([id, said]) => [id, complete(said)])) as Record<
    Id,
    Requirement
  >;
};
