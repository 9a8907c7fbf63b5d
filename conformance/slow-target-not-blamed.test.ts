import { describe, expect, it } from 'vitest';
import type { Tamper } from '../src/reference/http/index.ts';
import type { GapId } from '../src/spec/gaps/index.ts';
import type { Role } from '../src/spec/vocabulary.ts';
import { gapFindingsOf, type GapObservation } from '../src/target/gap-observations.ts';
import { ranOn } from '../test/support/tampered.ts';
import { checks } from './index.ts';

interface Slowness {
  readonly tamper?: Tamper;
  /** Answers to gaps that the run is given and need not discover. */
  readonly known?: { readonly [id in GapId]?: string };
  /** Delay of each answer of the makers' backends, in milliseconds. */
  readonly makersMs?: number;
}

/** Runs some checks and all rules on a slow reference; returns the verdict of each check. */
async function verdicts(
  only: readonly string[],
  { tamper = {}, known = {}, makersMs = 0 }: Slowness,
): Promise<Record<string, string>> {
  const chosen = checks.filter(({ id }) => only.includes(id));
  const { checks: results, failed } = await ranOn(chosen, {
    tamper,
    async prepare({ answers, hooks }) {
      const observations = Object.entries(known).map(([gap, answer]) => ({
        gap,
        answer,
        evidence: [],
      }));
      answers.learn(gapFindingsOf(observations as readonly GapObservation[]));
      for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const)
        await hooks.delayAnswers(maker, makersMs);
    },
  });
  return Object.fromEntries(
    results.map((check) => {
      const fails = check.requirements.some((id) => failed.includes(id));
      return [check.id, fails ? 'fail' : check.verdict];
    }),
  );
}

/** Answers reads of an order as if it did not exist until `ms` after their first request. */
function lagging(endpoint: 'order.read' | 'order.quotes', role: Role, ms: number): Tamper {
  const since = (memory: Map<string, unknown>, id: string, now: number): number => {
    const first = memory.get(id);
    if (typeof first === 'number') return now - first;
    memory.set(id, now);
    return 0;
  };
  return {
    response(wire, { endpoint: asked, party: by, params, memory, now }) {
      if (asked !== endpoint || by?.role !== role) return wire;
      if (since(memory, params.intent_id ?? '', now) >= ms) return wire;
      if (endpoint === 'order.read') return { status: 404, headers: {} };
      return { ...wire, body: { ...(wire.body as object), data: [] } };
    },
  };
}

describe('what a slow target is not blamed for', () => {
  it('orders that expired before they could be read again', async () => {
    const only = [
      'order.life.plain',
      'proposal.accept.once-quoted',
      'order.views.accepted-by.sender',
    ];
    const found = await verdicts(only, { makersMs: 65_000 });
    expect(Object.values(found)).toEqual(['not_exercised', 'not_exercised', 'not_exercised']);
  });
});

describe('what is waited for where one backend lags behind another', () => {
  it.each([
    ['quote.money.listed', lagging('order.quotes', 'institution', 300)],
    ['order.list.filters.passing.sender_custodian', lagging('order.read', 'custodian', 300)],
  ])('%s', async (id, tamper) => {
    expect(await verdicts([id], { tamper })).toEqual({ [id]: 'pass' });
  });
});

describe('quotes that do not fit the first page of an order', () => {
  const twoAtMost: Tamper = {
    command: (command) =>
      command.type === 'request' && command.endpoint === 'order.quotes'
        ? { ...command, query: { page_size: '2', ...command.query } }
        : command,
  };
  const id = 'quote.lists.three-makers';

  it('are read from the pages beyond it', async () => {
    const known = { 'list.page_param': 'page' };
    const nothingMore: Tamper = {
      ...twoAtMost,
      response: (wire, { endpoint, query }) =>
        endpoint === 'order.quotes' && query['page'] === '2'
          ? { ...wire, body: { ...(wire.body as object), data: [] } }
          : wire,
    };
    expect(await verdicts([id], { tamper: twoAtMost, known })).toEqual({ [id]: 'pass' });
    expect(await verdicts([id], { tamper: nothingMore, known })).toEqual({ [id]: 'fail' });
  });

  it('are not missed where no way to those pages is known', async () => {
    const found = await verdicts([id], { tamper: twoAtMost });
    expect(found[id]).not.toBe('fail');
  });
});

describe('a cancel that is refused while the order shows QUOTED', () => {
  const refuses: Tamper = {
    command: (command) =>
      command.type === 'request' && command.endpoint === 'order.cancel' ? undefined : command,
  };
  it.each([
    ['fail', refuses],
    ['out_of_scope', { ...refuses, ...lagging('order.read', 'custodian', 300) }],
  ])('is %s, since reads may lag', async (verdict, tamper) => {
    const id = 'order.cancel.quoted.late';
    expect(await verdicts([id], { tamper })).toEqual({ [id]: verdict });
  });
});

describe('the orders that a target may refuse', () => {
  const strangersCustodian: Tamper = {
    command(command, { parties }) {
      if (command.type !== 'request' || command.endpoint !== 'order.create') return command;
      const [, outsider] = parties.filter(({ role }) => role === 'institution');
      const [keeper] = parties.filter(({ role }) => role === 'custodian');
      const body = command.body as { readonly sender_custodian_party_id?: string };
      const foreign = body.sender_custodian_party_id === keeper?.partyId;
      return foreign && command.caller.partyId === outsider?.partyId ? undefined : command;
    },
  };
  const everythingOfOutsider: Tamper = {
    command(command, { parties }) {
      const [, outsider] = parties.filter(({ role }) => role === 'institution');
      if (command.type !== 'request' || command.endpoint !== 'order.create') return command;
      return command.caller.partyId === outsider?.partyId ? undefined : command;
    },
  };

  it('are those that name the custodian of another party', async () => {
    const id = 'order.create.outsider';
    expect(await verdicts([id], { tamper: strangersCustodian })).toEqual({ [id]: 'pass' });
    expect(await verdicts([id], { tamper: everythingOfOutsider })).toEqual({ [id]: 'fail' });
  });
});
