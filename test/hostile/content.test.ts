import { beforeAll, describe, expect, it } from 'vitest';
import {
  attacksInParallel,
  type Attack,
  attackBudgetMs,
  type AttackResult,
  attackPerBehaviour,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
  usualChecks,
} from './attack.ts';
import {
  endlessList,
  fieldBehaviours,
  listBehaviours,
  oddBehaviours,
} from './behaviours/answers.ts';
import { afterPreflight, onStreams } from './behaviours/building-blocks.ts';
import { streamBehaviours } from './behaviours/streams.ts';
import { lostTokenBehaviours, tokenBehaviours } from './behaviours/tokens.ts';
import type { Behaviour } from './proxy.ts';

/** What a host under load keeps: nothing here hangs for long. */
const limits = { headersMs: 4_000, bodyMs: 4_000 };
const patient = { as: afterPreflight, limits };
const harmful = { ...fieldBehaviours, ...listBehaviours };
const streaming = {
  as: onStreams,
  limits,
  only: [...usualChecks, 'access.*.events.nothing', 'order.concurrent.create.one-institution'],
};

/** Each on a side of orders and on a maker's side, four of them at a time. */
const onBothSides = (behaviours: Readonly<Record<string, Behaviour>>): Record<string, Attack> => ({
  ...attacksInParallel(behaviours, ['sender', 'maker_a', 'sender_custodian', 'maker_b'], patient),
  ...attacksInParallel(behaviours, ['maker_b', 'sender_custodian', 'maker_a', 'sender'], patient),
});
const attacks = {
  ...onBothSides(harmful),
  ...attacksInParallel(tokenBehaviours, ['sender', 'maker_a', 'maker_b', 'sender_custodian'], {
    limits,
  }),
  ...attacksInParallel(
    streamBehaviours,
    ['sender', 'maker_a', 'maker_b', 'sender_custodian'],
    streaming,
  ),
};
const odd = onBothSides(oddBehaviours);
const lost = attackPerBehaviour(lostTokenBehaviours, { limits, at: ['sender'] });

/** More pages than anybody wants to see. A check that walks over one list shows on either side where a walk ends. */
const endOfWalk = 1_000;
const endless: Record<string, Attack> = {
  'of orders': {
    behaviour: afterPreflight(endlessList),
    limits,
    at: ['sender'],
    only: ['order.quotes.empty'],
  },
  // Looks for a request four times: before it is quoted and after, and each time again once its backend had time.
  'of requests': {
    behaviour: afterPreflight(endlessList),
    limits,
    at: ['maker_a'],
    only: ['rfq.read.once-quoted'],
  },
};

let results: ReadonlyMap<string, AttackResult>;
beforeAll(async () => {
  results = await runAttacks({ ...endless, ...attacks, ...odd, ...lost });
}, attacksBudgetMs);

describe('a target of which', () => {
  it.each(Object.keys(attacks))('%s: is judged, and not by a fault of ours', (name) => {
    const one = results.get(name) as AttackResult;
    expect(faultsOf(one)).toEqual([]);
    // Where too little can be got at, that is no departure.
    expect([1, 3]).toContain(one.exit);
    expect(one.report?.outcome).toMatch(/nonconformant|incomplete/);
    expect(one.wallMs).toBeLessThan(attackBudgetMs);
  });
});

describe('a list without end', () => {
  it.each(Object.keys(endless))('%s is left after a thousand pages', (name) => {
    const one = results.get(name) as AttackResult;
    expect(faultsOf(one)).toEqual([]);
    expect(one.report?.outcome).toBe('nonconformant');
    // Each walk goes as far as walks go, and no further.
    expect(one.visits).toBeGreaterThan(endOfWalk);
    expect(one.visits).toBeLessThan(5 * endOfWalk);
    expect(one.wallMs).toBeLessThan(attackBudgetMs);
  });
});

describe('a backend that', () => {
  it.each(Object.keys(odd))('%s: breaks no word of the document', (name) => {
    const one = results.get(name) as AttackResult;
    expect(faultsOf(one)).toEqual([]);
    expect(one.report?.outcome).toBe('conformant');
  });

  it.each(Object.keys(lost))('%s: cannot be asked who it is', (name) => {
    const one = results.get(name) as AttackResult;
    expect([2, 3]).toContain(one.exit);
    expect(one.written).toMatch(/^hostile\.yaml:3:\d+: /);
  });
});
