import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { type Assignment, gapIds, gaps } from '../../spec/gaps/index.ts';
import { castNames } from '../../spec/requirements/requirement.ts';
import { isTerminal } from '../../spec/states.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Fault } from './contract.ts';
import {
  configOf,
  CoreDriver,
  epoch,
  orderBody,
  parties,
} from '../../../test/support/core/core-driver.ts';
import {
  deadlinesOf,
  initialState,
  insideViolations,
  ordersOf,
  policyOf,
  quotesOf,
  restoreState,
  type SavedState,
  saveState,
  type State,
  step,
} from './index.ts';

type Act =
  | { readonly kind: 'create'; readonly max: string; readonly memo: string | undefined }
  | {
      readonly kind: 'quote';
      readonly order: number;
      readonly maker: number;
      readonly rate: string;
      readonly validMs: number;
    }
  | {
      readonly kind: 'accept';
      readonly order: number;
      readonly quote: number;
      readonly who: number;
    }
  | { readonly kind: 'cancel' | 'propose'; readonly order: number; readonly who: number }
  | { readonly kind: 'fault'; readonly order: number; readonly fault: Fault | null }
  | { readonly kind: 'wait'; readonly ms: number };

const place = fc.nat({ max: 1000 });
const fault = fc.constantFrom<Fault | null>(
  null,
  { kind: 'stall' },
  { kind: 'withdraw' },
  { kind: 'invalid' },
  { kind: 'revert', leg: 1 },
  { kind: 'revert', leg: 4 },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      max: fc.constantFrom('110', '150', '99999'),
      memo: fc.constantFrom(undefined, undefined, '!stall', '!revert:3', '!withdraw'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      order: place,
      maker: fc.nat({ max: 2 }),
      rate: fc.constantFrom('0.6', '0.7', '0.95', '1', '1.25'),
      validMs: fc.constantFrom(1, 700, 3000, 20_000, 70_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('accept' as const),
      order: place,
      quote: place,
      who: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'propose' as const),
      order: place,
      who: fc.nat({ max: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fault' as const), order: place, fault }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 1, 400, 900, 4000, 12_000, 61_000),
    }),
  },
);
const acts = fc.array(act, { minLength: 10, maxLength: 60, size: 'max' });
const answers = fc.record(
  Object.fromEntries(gapIds.map((id) => [id, fc.constantFrom(...gaps[id].values)])),
) as unknown as fc.Arbitrary<Assignment>;

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];
const makerNames = ['maker_a', 'maker_b', 'maker_c'] as const;

function perform(core: CoreDriver, one: Act): void {
  if (one.kind === 'wait') return core.wait(one.ms);
  if (one.kind === 'create') {
    const body = { ...orderBody, source_amount_max: one.max, ...(one.memo && { memo: one.memo }) };
    const contract = { source_contract_id: `ab#${core.log.length}` };
    core.ask('sender', 'order.create', {}, { body: { ...body, ...contract } });
    return;
  }
  const order = pick(ordersOf(core.state), one.order);
  if (order === undefined) return;
  const intent_id = order.id;
  switch (one.kind) {
    case 'quote': {
      const valid_until = formatTimestamp(core.now + one.validMs);
      const body = { fx_rate: one.rate, target_amount: '100', valid_until };
      core.ask(makerNames[one.maker] ?? 'maker_a', 'quote.submit', { intent_id }, { body });
      return;
    }
    case 'accept': {
      const quote = pick(quotesOf(core.state, intent_id), one.quote);
      if (quote === undefined) return;
      const who = pick(['sender', 'sender_custodian', 'receiver_custodian'] as const, one.who);
      core.ask(who ?? 'sender', 'quote.accept', { intent_id, quote_id: quote.id });
      return;
    }
    case 'cancel':
      core.ask(one.who === 0 ? 'sender' : 'outsider', 'order.cancel', { intent_id });
      return;
    case 'propose':
      core.ask('sender_custodian', 'proposal.accept', { intent_id });
      return;
    case 'fault':
      core.fault(pick([intent_id, 'next', 'all'], one.order) ?? 'all', one.fault);
  }
}

/** Every item of a list, page after page. */
function walk(
  state: State,
  answer: Assignment,
  who: number,
  endpoint: EndpointName,
  status?: string,
) {
  const caller = parties[castNames[who] ?? 'sender'];
  const { position, size } = {
    position: answer['list.page_param'],
    size: answer['list.page_size_param'],
  };
  const key = endpoint === 'quote.list' ? 'quote_id' : 'intent_id';
  const found: string[] = [];
  for (let page = 0; ; page += 1) {
    const at = position === 'offset' ? page * 3 : page + Number(answer['list.first_page']);
    const query = { [position]: String(at), [size]: '3', ...(status && { status }) };
    const command = { type: 'request', endpoint, caller, params: {}, query, entropy: '' } as const;
    const { reply } = step(state, command, epoch);
    if (!reply?.ok) throw new Error(reply?.error.detail);
    const items = reply.data as readonly Record<typeof key, string>[];
    found.push(...items.map((item) => item[key]));
    if (found.length >= (reply.pagination?.total_items ?? 0)) return found;
  }
}

/** Every list against a plain scan of the records. */
function checkLists(state: State, answer: Assignment): void {
  const policy = policyOf(answer);
  const orders = ordersOf(state);
  const quotes = saveState(state).quotes;
  const inOrder = <T>(items: readonly T[]): readonly T[] =>
    answer['list.order'] === 'newest-first' ? items.toReversed() : items;
  const ids = (items: readonly { readonly id: string }[]) => inOrder(items).map(({ id }) => id);
  castNames.forEach((name, who) => {
    const party = parties[name];
    const walkAll = (endpoint: EndpointName, status?: string) => {
      if (!(endpoints[endpoint].roles as readonly string[]).includes(party.role)) return;
      const own =
        endpoint === 'order.list'
          ? orders.filter((order) => {
              const relation = policy.access.relationOf(order, party);
              return relation !== undefined && policy.access.lists.includes(relation);
            })
          : endpoint === 'rfq.list'
            ? orders.filter(policy.rfqs.isActive)
            : quotes.filter(({ makerPartyId }) => makerPartyId === party.partyId);
      const wanted = own.filter((item) => status === undefined || item.status === status);
      expect(walk(state, answer, who, endpoint, status)).toEqual(ids(wanted));
    };
    for (const status of [undefined, ...orderStates]) walkAll('order.list', status);
    for (const status of [undefined, ...quoteStates]) walkAll('quote.list', status);
    walkAll('rfq.list');
  });
}

const plainJson = (state: State): SavedState =>
  JSON.parse(JSON.stringify(saveState(state))) as SavedState;

describe('any actions in any order under any answers to gaps', () => {
  it('keep all invariants: final states, one selected quote, no loss, lists that match the records', () => {
    fc.assert(
      fc.property(acts, answers, (list, answer) => {
        const core = new CoreDriver(answer);
        for (const one of list) {
          const before = { state: core.state, now: core.now };
          perform(core, one);
          // Deadlines that are due at this moment fire only when time is advanced, even by 0 ms.
          core.wait(0);
          const moment = { state: core.state, now: core.now };
          expect([...insideViolations(before, moment)]).toEqual([]);
        }
        checkLists(core.state, answer);
      }),
      { numRuns: 30 },
    );
  });

  it('an old state never changes, and the same actions on it give the same result', () => {
    fc.assert(
      fc.property(acts, acts, answers, (first, second, answer) => {
        const core = new CoreDriver(answer);
        for (const one of first) perform(core, one);
        const fork = core.state;
        const kept = plainJson(fork);
        const done = core.log.length;
        for (const one of second) perform(core, one);
        const end = plainJson(core.state);
        expect(plainJson(fork)).toEqual(kept);

        const replay = (from: State, skip: number) =>
          core.log
            .slice(skip)
            .reduce((state, { command, now }) => step(state, command, now).state, from);
        expect(plainJson(replay(fork, done))).toEqual(end);
        expect(plainJson(replay(initialState(configOf(answer)), 0))).toEqual(end);
        expect(plainJson(replay(restoreState(kept), done))).toEqual(end);
        expect(plainJson(core.state)).toEqual(end);
        checkLists(fork, answer);
        checkLists(restoreState(kept), answer);
      }),
      { numRuns: 15 },
    );
  });

  it('a restored state answers alike, and its deadlines lead to the same ends', () => {
    const statuses = (state: State) => ordersOf(state).map(({ status }) => status);
    fc.assert(
      fc.property(acts, answers, (list, answer) => {
        const core = new CoreDriver(answer);
        for (const one of list) perform(core, one);
        let other = restoreState(plainJson(core.state));
        for (const who of castNames) {
          for (const endpoint of ['stats.read', 'order.list', 'quote.list', 'rfq.list'] as const) {
            const command = {
              type: 'request',
              endpoint,
              caller: parties[who],
              params: {},
              query: {},
              entropy: '',
            } as const;
            const replies = [core.state, other].map(
              (state) => step(state, command, core.now).reply,
            );
            expect(replies[1]).toEqual(replies[0]);
          }
        }
        const due = [...deadlinesOf(other)];
        for (let next = due.shift(); next; next = due.shift()) {
          const at = Math.max(next.at, core.now);
          const found = step(other, { type: 'due', deadline: next, entropy: '00' }, at);
          other = found.state;
          due.push(...found.deadlines);
          due.sort((one, two) => one.at - two.at);
        }
        core.wait(4_000_000);
        expect(statuses(other)).toEqual(statuses(core.state));
        expect(statuses(other).every(isTerminal)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
