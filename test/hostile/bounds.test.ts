import { beforeAll, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { lantern } from '../peer/dialect.ts';
import {
  type Attack,
  type AttackResult,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
  usualChecks,
} from './attack.ts';
import type { Behaviour, ProxiedRequest } from './proxy.ts';

/** Allows a number of requests in each second; refuses others, with the time to wait. */
function atMost(perSecond: number, retryAfter: () => Record<string, string>): Behaviour {
  let second = 0;
  let count = 0;
  return ({ path, response }: ProxiedRequest) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) count = 0;
    second = now;
    count += 1;
    // A clock that is driven is no part of the interface.
    if (count <= perSecond || path === '') return 'pass';
    response.writeHead(429, retryAfter()).end();
    return undefined;
  };
}

/** Takes no quote that is valid for longer. */
const briefQuotes =
  (mostMs: number): Behaviour =>
  async ({ method, path, response, body, now }) => {
    if (method !== 'POST' || !path.endsWith('/quotes')) return 'pass';
    let until = Number.NaN;
    try {
      until = Date.parse((JSON.parse(body) as { valid_until: string }).valid_until);
    } catch {
      return 'pass';
    }
    if (!(until - now() > mostMs)) return 'pass';
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"code":"too_long"}');
    return undefined;
  };

const pass: Behaviour = () => 'pass';
/** Nothing here hangs; only a busy host makes calls wait. */
const limits = { connectMs: 10_000, headersMs: 10_000, bodyMs: 10_000 };
const clockMs = 10_000;
const day = 24 * 3_600_000;

const few = ['order.cancel.with-three-quotes', 'access.lists.usual.pending', 'order.quotes.empty'];

/**
 * Limits that the document leaves open, each at an allowed value. The clock is driven unless the
 * test depends on host time: on its own clock, a host that is busy for 2 s settles 2 s late.
 */
const attacks: Record<string, Attack> = {
  'pages of any size': {
    behaviour: pass,
    dialect: { ...lantern, maxSize: 1e9, defaultSize: 1e6 },
    clock: 'hand',
    only: few,
  },
  'pages of one item': {
    behaviour: pass,
    dialect: { ...lantern, maxSize: 1, defaultSize: 1 },
    clock: 'hand',
  },
  'forty requests a second': { behaviour: atMost(40, () => ({ 'retry-after': '1' })), only: few },
  'forty requests a second, not saying for how long': {
    behaviour: atMost(40, () => ({})),
    only: few,
  },
  'orders that live for a day': {
    behaviour: pass,
    dialect: { ...lantern, lifetimeMs: day },
    clock: 'hand',
    only: few,
  },
  'orders that live for five seconds': {
    behaviour: pass,
    dialect: { ...lantern, lifetimeMs: 5_000 },
    clock: 'hand',
  },
  'quotes that are valid for ten seconds': { behaviour: briefQuotes(10_500), clock: 'hand' },
};

const tooBrief: Attack = {
  behaviour: briefQuotes(2_000),
  clock: 'hand',
  limits,
  clockMs,
  only: [...usualChecks, 'access.quote.submit.pending'],
};

const told = ({
  verdict,
  id,
  reason,
}: RunReport['checks'][number] | RunReport['requirements'][number]): string =>
  `${verdict} ${id}: ${reason ?? ''}`;

let results: ReadonlyMap<string, AttackResult>;
beforeAll(async () => {
  const patient = Object.entries(attacks).map(([name, one]): [string, Attack] => [
    name,
    { limits, clockMs, maxWaitMs: 5_000, ...one },
  ]);
  results = await runAttacks({ ...Object.fromEntries(patient), tooBrief });
}, attacksBudgetMs);

it('a backend whose quotes are over too soon to do anything with them is not called wrong for it', () => {
  const one = results.get('tooBrief') as AttackResult;
  expect(faultsOf(one)).toEqual([]);
  expect(one.report?.totals.requirements).toMatchObject({ fail: 0, warn: 0 });
  expect(one.report?.gaps.find(({ id }) => id === 'quote.max_validity')?.observed).toBe('2s');
  const submitted = one.report?.checks.find(({ id }) => id === 'access.quote.submit.pending');
  expect(submitted?.verdict).toBe('pass');
});

it.each(Object.keys(attacks))('a backend with %s: is not called wrong for it', (name) => {
  const one = results.get(name) as AttackResult;
  expect(faultsOf(one)).toEqual([]);
  const { requirements, checks } = one.report as RunReport;
  const wrong = requirements.filter(({ verdict }) => /fail|warn/.test(verdict));
  const unproven = checks.filter(({ verdict }) => verdict !== 'pass');
  expect([...wrong, ...unproven].map(told)).toEqual([]);
  expect(one.exit).toBe(0);
  expect(one.report?.totals.checks.pass).toBe(checks.length);
});
