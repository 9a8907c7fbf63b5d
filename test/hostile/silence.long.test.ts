import { expect, it } from 'vitest';
import { attacksBudgetMs, faultsOf, runAttack } from './attack.ts';
import { hang } from './behaviours/building-blocks.ts';
import type { Behaviour } from './proxy.ts';

/** The lists of orders alone are not answered, and those of one party. */
const silentLists: Behaviour = ({ method, party, path }) =>
  method === 'GET' && party === 'sender' && path === '/api/v1/orders' ? hang() : 'pass';

/** Long enough for a busy host, since most calls are answered. */
const limits = { headersMs: 5_000, bodyMs: 5_000 };

it(
  'a target that leaves one kind of call unanswered is asked everything else',
  async () => {
    const one = await runAttack({
      behaviour: silentLists,
      clock: 'hand',
      limits,
      clockMs: 10_000,
      only: ['order.list.*', 'access.lists.*', 'order.quotes.empty', 'auth.self.*'],
    });
    expect(faultsOf(one)).toEqual([]);
    expect(one.written).toContain('order.list of sender was asked no more');
    const verdictOf = (id: string) => one.report?.checks.find((check) => check.id === id)?.verdict;
    expect(verdictOf('order.quotes.empty')).toBe('pass');
    const unasked = one.report?.checks.filter(({ reason }) =>
      /was asked no more/.test(reason ?? ''),
    );
    expect(unasked?.length).toBeGreaterThan(0);
    expect(unasked?.every(({ verdict }) => verdict === 'not_exercised')).toBe(true);
  },
  attacksBudgetMs,
);
