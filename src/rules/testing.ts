import type { Exchange, History, HistoryRecord } from '../history/records.ts';
import { cast, type CastName } from '../spec/requirements/index.ts';
import { allRules, type JudgeContext, type Observation, viewOf } from './index.ts';
import { partyIds, World, type WorldOptions } from './testing-world.ts';

export { partyIds, World } from './testing-world.ts';

export const context = (more: Partial<JudgeContext> = {}): JudgeContext => ({
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
export function judge(history: History, more: Partial<JudgeContext> = {}): Observation[] {
  const view = viewOf(history, context(more));
  return allRules.flatMap((rule) => [...rule.judge(view)]);
}

const blamed = (observations: readonly Observation[], outcome: string): string[] => [
  ...new Set(
    observations.filter((each) => each.outcome === outcome).map((each) => each.requirement),
  ),
];

/** Requirements that something fails, or warns of. */
export const failed = (history: History, more?: Partial<JudgeContext>): string[] =>
  blamed(judge(history, more), 'fail');
export const warned = (history: History, more?: Partial<JudgeContext>): string[] =>
  blamed(judge(history, more), 'warn');
export const passed = (history: History, more?: Partial<JudgeContext>): string[] =>
  blamed(judge(history, more), 'pass');

/** A whole life, with everybody listening and everything read: whatever can be judged without controls, is. */
export function wholeLife(options: WorldOptions = {}): World {
  const world = new World(options);
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
    world.token(party);
    world.whoami(party);
    world.listen(party);
  }
  world.refuse('sender', 'order.list', { auth: 'none', status: 401 });
  world.refuse('sender', 'order.list', { auth: 'expired', status: 401 });

  const order = world.create();
  const filtered = world.listen('sender', order.intent_id);
  for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const) {
    world.advance(3_000);
    world.list(maker, 'rfq.list');
    world.readRequest(maker, order);
  }
  const first = world.quote('maker_a', order, '0.85');
  world.quote('maker_b', order, '0.84');
  world.quote('maker_c', order, '0.83');
  world.read('sender', order);
  world.advance(2_500);
  everyList(world, order.intent_id);
  world.accept(order, first);
  world.refuse('sender', 'quote.accept', {
    params: { intent_id: order.intent_id, quote_id: uuidOf(world, 2) },
  });
  world.read('sender', order);
  world.advance(1_000);
  world.read('sender', order);
  world.read('sender_custodian', order);
  world.advance(4_000);
  world.read('sender', order);
  world.advance(3_000);
  world.read('sender_custodian', order);
  world.list('maker_a', 'settlement.list');
  world.readSettlement('maker_a', order);
  everyList(world, order.intent_id);
  world.refuse('sender', 'order.cancel', { params: { intent_id: order.intent_id } });
  world.refuse('outsider', 'order.read', { params: { intent_id: order.intent_id }, status: 404 });
  world.refuse('maker_a', 'order.list', { status: 403 });
  world.read('receiver_custodian', order);

  const second = world.create();
  world.advance(3_000);
  const won = world.quote('maker_b', second, '1');
  world.quote('maker_a', second, '0.9');
  world.accept(second, won, 'sender_custodian');
  world.advance(9_000);
  world.read('sender', second);

  const third = world.create();
  world.cancel(third);
  const fourth = world.create();
  world.readRequest('maker_a', fourth);
  world.quote('maker_a', fourth, '0.9', 5_000);
  world.advance(9_000);
  world.read('sender', third);
  everyList(world, fourth.intent_id);
  world.advance(60_000);
  world.read('sender', fourth);
  world.hangUp(filtered);
  world.advance(30_000);
  world.read('sender', fourth);
  everyList(world, fourth.intent_id);
  return world;
}

const uuidOf = (_: World, n: number): string =>
  `00000000-0000-4000-8000-bb${String(n).padStart(10, '0')}`;

function everyList(world: World, intentId: string): void {
  const params = { intent_id: intentId };
  world.list('sender', 'order.list');
  world.list('sender', 'order.list', { size: 2 });
  world.list('sender', 'order.list', { query: { status: 'SETTLED' } });
  world.list('sender_custodian', 'order.list');
  world.list('sender', 'order.quotes', { params });
  world.list('sender_custodian', 'order.quotes', { params });
  for (const maker of ['maker_a', 'maker_b'] as const) {
    world.list(maker, 'rfq.list');
    world.list(maker, 'rfq.quotes', { params });
    world.list(maker, 'quote.list');
    world.list(maker, 'quote.list', { query: { status: 'REJECTED' } });
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

export const exchanges = (
  history: History,
  edit: (exchange: Mutable<Exchange>, body: Record<string, any>) => void,
): History =>
  altered(history, (record) => {
    if (record.kind === 'exchange') {
      edit(record as Mutable<Exchange>, (record.response?.body ?? {}) as Record<string, any>);
    }
    return record;
  });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
