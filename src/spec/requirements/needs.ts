import type { Deviation } from '../deviations.ts';
import type { EndpointName } from '../endpoints.ts';
import type { EventName, heartbeat } from '../events.ts';
import type { GapId } from '../gaps/index.ts';
import type { Part } from '../vocabulary.ts';
import type { CastName, Excuse, Needs, Requirement, Subject } from './requirement.ts';
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

/** Needs of a statement, named after the parties beside the sender, or after the event that has to happen. */
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

export type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Kebab<Tail>}`
  : S;
export const kebab = <S extends string>(name: S): Kebab<S> =>
  name.toLowerCase().replaceAll('_', '-') as Kebab<S>;

/** A statement that is not like the others of its part. */
export type Statement = Pick<Requirement, 'summary'> & Partial<Requirement>;
/** @param section part of the document, if it is not that of the statements beside it */
type Says = (summary: string, section?: Part) => Statement;
export type Statements<Name extends string> = Readonly<Record<Name, string | Statement>>;

/** Makes a statement with the needs of its part; every method but `says` takes the needs of its own name. */
const saying = (known: Partial<Requirement>) => {
  const saysWith =
    (more: Partial<Requirement>): Says =>
    (summary, section) => ({ ...known, ...more, summary, ...(section && { part: section }) });
  const says = saysWith({});
  const withNeeds = Object.entries(needs).map(([name, needed]) => [
    name,
    saysWith({ needs: needed }),
  ]);
  const others = Object.fromEntries(withNeeds) as Readonly<Record<keyof typeof needs, Says>>;
  return Object.assign(says, { says, ...others });
};

/** `needing.settlement('…')`: a statement that takes more, or less, than the others of its part. */
export const needing = saying({});

/** The subject of one statement, if it is not that of the statements beside it: a field, most often. */
const aboutOf = (about: Subject | string) => ({
  about: typeof about === 'string' ? { field: about } : about,
});
export const of = (about: Subject | string) => saying(aboutOf(about));

/** `breach('not sent').settlement('…')`: a statement, with the deviation that breaks it. */
export const breach = (departs: Deviation, about?: Subject | string) =>
  saying({ departs, ...(about && aboutOf(about)) });

/** A statement whose words have no exact meaning, with the open question that admits a departure from it. */
export const vague = (gap: GapId, closes: Excuse['closes'], departs?: Deviation) =>
  saying({ level: 'vague', excuse: { gap, closes }, ...(departs && { departs }) });

/** A statement that no black box can judge, with the reason. */
export const notObservable = (summary: string, unobservable: string): Statement => ({
  summary,
  unobservable,
});

const statement = (said: string | Statement): Statement =>
  typeof said === 'string' ? { summary: said } : said;

/** The statements of one part. A bare sentence is a `must` that the given parties can exercise. */
export const part = <Id extends string>(
  name: Part,
  usual: Needs,
  statements: Statements<Id>,
): Readonly<Record<Id, Requirement>> => {
  const complete = (said: string | Statement): Requirement => {
    const own = statement(said);
    const needed = own.unobservable === undefined && { needs: usual };
    return { part: name, level: 'must', ...needed, ...own };
  };
  const entries = Object.entries<string | Statement>(statements);
  return Object.fromEntries(entries.map(([id, said]) => [id, complete(said)])) as Record<
    Id,
    Requirement
  >;
};

/**
 * Statements about one thing: their ids begin with its name.
 * @param departs the deviation that breaks a statement which names none itself
 */
export const about =
  <const Name extends string>(subject: Subject, name: Name, departs?: Deviation) =>
  <Facet extends string>(
    section: Part,
    usual: Needs,
    statements: Statements<Facet>,
  ): Readonly<Record<`${Name}.${Facet}`, Requirement>> => {
    const entries = Object.entries<string | Statement>(statements).map(([facet, said]) => {
      const own = { ...(departs && { departs }), ...statement(said) };
      return [`${name}.${facet}`, { ...own, about: { ...subject, ...own.about } }];
    });
    return part(section, usual, Object.fromEntries(entries) as Statements<`${Name}.${Facet}`>);
  };
/** `at('order.list')('4.2', …)`: statements about an endpoint. */
export const at = <const E extends EndpointName>(endpoint: E, departs?: Deviation) =>
  about({ endpoint }, endpoint, departs);
/** `on('order_updated')('6', …)`: statements about an event. */
export const on = <const E extends EventName | typeof heartbeat>(event: E, departs?: Deviation) =>
  about({ event }, `event.${kebab(event)}`, departs);
