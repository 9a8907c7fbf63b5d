import { afterEach, expect, it } from 'vitest';
import { referenceAnswers } from '../spec/gaps/index.ts';
import { playOnReference } from '../run/play-embedded.ts';
import { loadWritten } from '../run/try-reproduction.ts';
import { referenceCockpit } from './cockpit.ts';
import type { Openers } from './opened.ts';
import type { Session } from './session.ts';
import type { Act } from './view/messages.ts';

const openers: Openers = {
  library: { folder: '.', names: ['a.yaml'] },
  cwd: '.',
  tamperOf: () => ({}),
  readLibrary: () => `scenario: An order expires
steps:
  - sender: create order
    save: order
  - wait: 61s
  - sender: read order
    of: $order
    expect: { status: EXPIRED }
`,
};

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function begin(): Promise<Session> {
  const session = await referenceCockpit({ seed: 7n, assignment: referenceAnswers, openers });
  open.push(session);
  return session;
}

const idIn = (session: Session): string =>
  session.rows.findLast(({ what }) => what === 'order.create')?.intentId ?? '';

const quoteIn = (session: Session): string =>
  session.rows.findLast(({ what }) => what === 'quote.submit')?.quotes?.[0]?.quote_id ?? '';

const act = (session: Session, party: string, action: Act['action'], more: Partial<Act> = {}) =>
  session.do({ do: 'act', party, action, ...more });

/** The states that one's own stream tells of an order, each once. */
const statesOf = (session: Session, order: string): readonly string[] => [
  ...new Set(
    session.rows.flatMap(({ orders = [] }) =>
      orders.flatMap((one) => (one.intent_id === order ? (one.status ?? []) : [])),
    ),
  ),
];

async function trade(session: Session): Promise<string> {
  await act(session, 'sender', 'create order');
  const order = idIn(session);
  await act(session, 'maker_a', 'submit quote', { order, fields: { fx_rate: '0.92' } });
  await act(session, 'sender', 'accept quote', { order, quote: quoteIn(session) });
  return order;
}

/** Steps from deadline to deadline until nothing is due. */
async function stepToTheEnd(session: Session): Promise<number> {
  for (let steps = 0; steps < 30; steps += 1)
    if (!(await session.do({ do: 'step' })).ok) return steps;
  throw new Error('it does not come to an end');
}

it('lets an order settle, deadline by deadline', async () => {
  const session = await begin();
  const order = await trade(session);
  const began = session.state().now;
  expect(session.state().deadlines[0]?.what).toBe('settlement-start');
  expect(await stepToTheEnd(session)).toBeGreaterThan(4);
  expect(session.state().now - began).toBe(4_000);
  expect(statesOf(session, order)).toEqual(['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED']);
  expect(session.state().holdings?.['sender']?.['USD']).toMatch(/^-/);
});

it('says what is wrong with a verb, and does nothing', async () => {
  const session = await begin();
  const rows = session.rows.length;
  expect(await act(session, 'nobody', 'create order')).toMatchObject({ ok: false });
  expect(await act(session, 'sender', 'cancel order')).toMatchObject({
    problem: 'cancel order: choose an order',
  });
  expect(await session.do({ do: 'advance', ms: -1 })).toMatchObject({ ok: false });
  expect(await session.do({ do: 'nothing' } as never)).toMatchObject({ ok: false });
  expect(await session.do({ do: 'step' })).toMatchObject({ ok: false });
  expect(session.rows).toHaveLength(rows);
});

it('goes back to a moment and on from there, on a line of its own', async () => {
  const session = await begin();
  const order = await trade(session);
  await stepToTheEnd(session);
  const place = session.rows.findIndex(({ what }) => what === 'quote.submit');
  const before = session.rows.slice(0, place + 1);
  expect(await session.do({ do: 'fork', place })).toMatchObject({ ok: true });
  expect(session.rows.slice(0, place + 1)).toEqual(before);
  expect(statesOf(session, order)).toEqual(['PENDING']);
  await act(session, 'sender', 'cancel order', { order });
  expect(statesOf(session, order).at(-1)).toBe('FAILED');
  await session.do({ do: 'line', line: 0 });
  expect(statesOf(session, order).at(-1)).toBe('SETTLED');
  expect(session.state().lines).toEqual(['line 1', 'line 2, from line 1']);
});

it('exports what was done as a scenario that comes to the same end', async () => {
  const session = await begin();
  const settled = await trade(session);
  await session.do({ do: 'advance', ms: 5_000 });
  await session.do({ do: 'fault', fault: 'revert leg 2', order: 'next' });
  const failed = await trade(session);
  await session.do({ do: 'advance', ms: 777 });
  await act(session, 'sender', 'cancel order', { order: settled });
  await session.do({ do: 'advance', ms: 4_000 });
  const text = await session.exported();
  const { played, rules } = await playOnReference(loadWritten(text), {
    seed: 99n,
    keepsRecords: false,
  });
  expect(played.failures).toEqual([]);
  expect(played.verdict).toBe('pass');
  expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(text).toContain('status: SETTLED');
  expect(statesOf(session, failed).at(-1)).toBe('FAILED');
  expect(text).toContain('status: FAILED');
});

it('lets all that was done happen again under other answers to gaps', async () => {
  const session = await begin();
  const order = await trade(session);
  const { gaps } = session.hello;
  const lifetime = gaps.find(({ id }) => id === 'order.lifetime');
  const [usual, other = ''] = lifetime?.values ?? [];
  expect(await session.do({ do: 'answers', answers: { 'order.lifetime': 'never' } })).toMatchObject(
    {
      ok: false,
    },
  );
  await session.do({ do: 'answers', answers: { 'order.lifetime': other } });
  expect(session.state().answers).toEqual({ 'order.lifetime': other });
  expect(other).not.toBe(usual);
  expect(statesOf(session, order)).toContain('QUOTED');
  expect(await session.exported()).toContain(`order.lifetime: ${other}`);
});

it('judges all records so far', async () => {
  const session = await begin();
  await trade(session);
  await new Promise<void>((resolve) => {
    session.watch(() => {
      if (session.state().verdict.records === session.rows.length) resolve();
    });
  });
  const { findings, exercised } = session.state().verdict;
  expect(findings).toEqual([]);
  expect(exercised).toBeGreaterThan(50);
});

it('walks through a scenario, and goes on from a moment of it', async () => {
  const session = await begin();
  await session.do({ do: 'open', open: { kind: 'library', name: 'a.yaml' } });
  const { opened, mode } = session.state();
  expect(mode).toBe('opened');
  expect(opened).toMatchObject({ title: 'An order expires', outcome: 'pass', canFork: true });
  const [created, waited] = opened?.steps ?? [];
  expect(created?.says).toBe('create order');
  expect(waited?.place).toBeGreaterThan(created?.place ?? 0);
  expect(await act(session, 'sender', 'create order')).toMatchObject({ ok: false });
  const order = idIn(session);
  await session.do({ do: 'fork', place: created?.place ?? 0 });
  expect(session.state().mode).toBe('live');
  expect(idIn(session)).toBe(order);
  await act(session, 'sender', 'cancel order', { order });
  expect(statesOf(session, order)).toEqual(['PENDING', 'FAILED']);
});

it('lets time pass by itself until it is stopped', async () => {
  const session = await begin();
  const began = session.state().now;
  const passed = new Promise<void>((resolve) => {
    session.watch(() => {
      if (session.state().now > began) resolve();
    });
  });
  expect(await session.do({ do: 'run', speed: -1 })).toMatchObject({ ok: false });
  await session.do({ do: 'run', speed: 60 });
  expect(session.state().speed).toBe(60);
  await passed;
  await session.do({ do: 'stop' });
  expect(session.state().speed).toBe(0);
});

it('says why something cannot be opened', async () => {
  const session = await begin();
  const wrong = [
    { kind: 'library', name: '../secret.yaml' },
    { kind: 'text', name: 'x.yaml', text: 'scenario: [' },
    { kind: 'text', name: 'x.jsonl', text: 'nothing' },
    { kind: 'world', seed: 'seven' },
  ] as const;
  for (const one of wrong) {
    const answer = await session.do({ do: 'open', open: one });
    expect(answer).toMatchObject({ ok: false });
  }
  expect(session.state().mode).toBe('live');
});
