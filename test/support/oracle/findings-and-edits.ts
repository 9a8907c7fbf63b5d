import type { Exchange, History, HistoryRecord } from '../../../src/history/records.ts';
import { cast, type CastName } from '../../../src/spec/requirements/index.ts';
import { allRules, type OracleContext, type Finding, viewOf } from '../../../src/oracle/index.ts';
import { judgeWhoeverActed } from '../../../src/oracle/judge-whoever-acted.ts';
import { partyIds } from './fake-wire.ts';
import { FakeTarget, type FakeTargetOptions } from './fake-target.ts';

export { FakeTarget } from './fake-target.ts';

export const context = (more: Partial<OracleContext> = {}): OracleContext => ({
  offset: { least: 0, most: 0 },
  answers: () => undefined,
  cast: Object.fromEntries(
    Object.entries(cast).map(([name, role]) => [
      name,
      { role, partyId: partyIds[name as CastName] },
    ]),
  ),
  ...more,
});

/** Everything that any rule says of a history. */
export function judge(history: History, more: Partial<OracleContext> = {}): Finding[] {
  const view = viewOf(history, context(more));
  return allRules.flatMap((rule) => [...judgeWhoeverActed(rule, view)]);
}

/** Outcomes of a requirement, from all rules that announce it. */
export function outcomes(
  history: History,
  requirement: string,
  more: Partial<OracleContext> = {},
): readonly string[] {
  const view = viewOf(history, context(more));
  return allRules
    .filter((rule) => (rule.requirements as readonly string[]).includes(requirement))
    .flatMap((rule) => [...judgeWhoeverActed(rule, view)])
    .filter((each) => each.requirement === requirement)
    .map(({ outcome }) => outcome);
}

/** True if a rule finds the requirement broken. */
export const fails = (
  history: History,
  requirement: string,
  more: Partial<OracleContext> = {},
): boolean => outcomes(history, requirement, more).includes('fail');

/** Requirements that were exercised and held. */
export const passed = (history: History): string[] => [
  ...new Set(
    judge(history)
      .filter((each) => each.outcome === 'pass')
      .map((each) => each.requirement),
  ),
];

/**
 * The whole life of an order with all parties listening and all resources read: it exercises every
 * requirement that needs no control.
 */
export function fullTrade(options: FakeTargetOptions = {}): FakeTarget {
  const fake = new FakeTarget(options);
  const parties: readonly CastName[] = [
    'sender',
    'sender_custodian',
    'receiver_custodian',
    'maker_a',
    'maker_b',
    'maker_c',
    'outsider',
  ];
  for (const party of parties) {
    fake.token(party);
    fake.whoami(party);
    fake.listen(party);
  }
  fake.refuse('sender', 'order.list', { auth: 'none', status: 401 });
  fake.refuse('sender', 'order.list', { auth: 'expired', status: 401 });

  const order = fake.create();
  const filtered = fake.listen('sender', order.intent_id);
  for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const) {
    fake.advance(3_000);
    fake.list(maker, 'rfq.list');
    fake.readRequest(maker, order);
  }
  const first = fake.quote('maker_a', order, '0.85');
  const rival = fake.quote('maker_b', order, '0.84');
  fake.quote('maker_c', order, '0.83');
  fake.read('sender', order);
  fake.advance(2_500);
  everyList(fake, order.intent_id);
  fake.accept(order, first);
  fake.refuse('sender', 'quote.accept', {
    params: { intent_id: order.intent_id, quote_id: rival.quote_id },
  });
  fake.read('sender', order);
  fake.advance(1_000);
  fake.read('sender', order);
  fake.read('sender_custodian', order);
  fake.advance(4_000);
  fake.read('sender', order);
  fake.advance(3_000);
  fake.read('sender_custodian', order);
  fake.list('maker_a', 'settlement.list');
  fake.readSettlement('maker_a', order);
  everyList(fake, order.intent_id);
  fake.refuse('sender', 'order.cancel', { params: { intent_id: order.intent_id } });
  fake.refuse('outsider', 'order.read', { params: { intent_id: order.intent_id }, status: 404 });
  fake.refuse('maker_a', 'order.list', { status: 403 });
  fake.read('receiver_custodian', order);

  const second = fake.create();
  fake.advance(3_000);
  const won = fake.quote('maker_b', second, '1');
  fake.quote('maker_a', second, '0.9');
  fake.accept(second, won, 'sender_custodian');
  fake.advance(9_000);
  fake.read('sender', second);

  const foreign = fake.create('outsider', {
    sender_custodian_party_id: partyIds.outsider_custodian,
    receiver_custodian_party_id: 'Other::1220ee',
  });
  fake.advance(3_000);
  everyList(fake, order.intent_id);
  fake.list('maker_b', 'settlement.list');
  fake.refuse('sender', 'order.read', { params: { intent_id: foreign.intent_id }, status: 404 });
  const third = fake.create();
  fake.cancel(third);
  const fourth = fake.create();
  fake.readRequest('maker_a', fourth);
  fake.quote('maker_a', fourth, '0.9', 5_000);
  fake.advance(9_000);
  fake.read('sender', third);
  everyList(fake, fourth.intent_id);
  fake.advance(60_000);
  fake.read('sender', fourth);
  fake.hangUp(filtered);
  fake.advance(30_000);
  fake.read('sender', fourth);
  everyList(fake, fourth.intent_id);
  return fake;
}

function everyList(fake: FakeTarget, intentId: string): void {
  const params = { intent_id: intentId };
  fake.list('sender', 'order.list');
  fake.list('sender', 'order.list', { size: 2 });
  fake.list('sender', 'order.list', { query: { status: 'SETTLED' } });
  fake.list('sender_custodian', 'order.list');
  fake.list('sender', 'order.quotes', { params });
  fake.list('sender_custodian', 'order.quotes', { params });
  for (const maker of ['maker_a', 'maker_b'] as const) {
    fake.list(maker, 'rfq.list');
    fake.list(maker, 'rfq.quotes', { params });
    fake.list(maker, 'quote.list');
    fake.list(maker, 'quote.list', { query: { status: 'REJECTED' } });
  }
}

/** A copy of a history with some records changed; a record changed to undefined is left out. */
export function altered(
  { records }: History,
  change: (record: HistoryRecord) => HistoryRecord | undefined,
): History {
  return {
    records: records.flatMap((record) => {
      const next = change(structuredClone(record));
      return next ? [next] : [];
    }),
  };
}

/** A copy of a history with some exchanges refused. */
export const refusedWhere = (
  history: History,
  isRefused: (exchange: Exchange) => boolean,
  status = 403,
): History =>
  altered(history, (record) =>
    record.kind === 'exchange' && isRefused(record)
      ? { ...record, response: { status, headers: {}, body: { code: 'no' } } }
      : record,
  );

/** A copy of a history with other words in place of some. */
export const rewritten = (history: History, words: string | RegExp, by: string): History =>
  JSON.parse(JSON.stringify({ records: history.records }).replaceAll(words, by)) as History;

type Json = Record<string, unknown>;

const dataOf = (record: HistoryRecord): unknown => {
  if (record.kind === 'frame') return record.data;
  if (record.kind === 'end') return undefined;
  const body = record.response?.body as Json | undefined;
  return body?.['data'] ?? body;
};

export interface Place {
  /** The endpoint, or the event. */
  readonly at: string;
  readonly party?: CastName;
  /** Only where the resource is in this state. */
  readonly status?: string;
  /** Which of those that fit, counted from zero; all where absent. */
  readonly nth?: number;
}

const isAt = (record: HistoryRecord, { at, party }: Place): boolean =>
  record.kind !== 'end' &&
  (record.kind === 'exchange' ? record.endpoint : record.event) === at &&
  (party === undefined || record.party === party);

/** Records that a place names. */
export function recordsAt(history: History, place: Place): HistoryRecord[] {
  const found = history.records.filter((record) => {
    if (!isAt(record, place)) return false;
    const data = dataOf(record);
    const resources = (Array.isArray(data) ? data : [data]) as (Json | undefined)[];
    return place.status === undefined || resources.some((one) => one?.['status'] === place.status);
  });
  return place.nth === undefined ? found : found.slice(place.nth, place.nth + 1);
}

/** Changes the resources at a place: the one, or each item of a list. */
export function edited(history: History, place: Place, edit: (resource: Json) => void): History {
  return alteredAt(history, place, (record) => {
    const data = dataOf(record);
    for (const resource of (Array.isArray(data) ? data : [data]) as Json[]) {
      if (place.status === undefined || resource['status'] === place.status) edit(resource);
    }
    return record;
  });
}

/** Changes the exchanges at a place themselves: status, body, headers. */
export function withExchanges(
  history: History,
  place: Place,
  edit: (exchange: Mutable<Exchange>, body: Json) => void,
): History {
  return alteredAt(history, place, (record) => {
    if (record.kind === 'exchange') {
      edit(record as Mutable<Exchange>, (record.response?.body ?? {}) as Json);
    }
    return record;
  });
}

/** A copy of a history in which only the records at a place are copied, and changed. */
function alteredAt(
  history: History,
  place: Place,
  change: (record: HistoryRecord) => HistoryRecord,
): History {
  const chosen = new Set(recordsAt(history, place));
  return {
    records: history.records.map((record) =>
      chosen.has(record) ? change(structuredClone(record)) : record,
    ),
  };
}

/** Leaves out the records at a place. */
export function without(history: History, place: Place): History {
  const chosen = new Set(recordsAt(history, place));
  // Removed records also leave the `precededBy` counts of later requests.
  const gone = history.records.map((record) => chosen.has(record));
  return {
    records: history.records
      .filter((record) => !chosen.has(record))
      .map((record) => {
        if (record.kind !== 'exchange' || record.precededBy === undefined) return record;
        const fewer = gone.slice(0, record.precededBy).filter(Boolean).length;
        return { ...record, precededBy: record.precededBy - fewer };
      }),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Failures and warnings of all rules for a history. */
export const violations = (history: History, more: Partial<OracleContext> = {}): Finding[] =>
  judge(history, more).filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');

/** A world in which some parties listen. */
export function listening(...parties: readonly CastName[]): FakeTarget {
  const fake = new FakeTarget();
  for (const party of parties) {
    fake.token(party);
    fake.listen(party);
  }
  return fake;
}

/** A world in which some parties have tokens. */
export function issued(...parties: readonly CastName[]): FakeTarget {
  const fake = new FakeTarget();
  for (const party of parties) fake.token(party);
  return fake;
}

/** The same history of a target that writes its ids in upper case. */
export const withRaisedIds = (history: History): History =>
  JSON.parse(
    JSON.stringify(history).replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) =>
      id.toUpperCase(),
    ),
  ) as History;
