import { beforeAll, describe, expect, it } from 'vitest';
import type { CastName } from '../../src/spec/requirements/requirement.ts';
import {
  attacksInParallel,
  type Attack,
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

/** Timeouts long enough for a host under load, connecting included. Nothing here hangs for long. */
const limits = { connectMs: 15_000, headersMs: 15_000, bodyMs: 15_000 };
const patient = { as: afterPreflight, limits };
const streaming = {
  as: onStreams,
  limits,
  only: [...usualChecks, 'access.*.events.nothing', 'order.concurrent.create.one-institution'],
};

type Behaviours = Readonly<Record<string, Behaviour>>;

const sides: readonly (readonly CastName[])[] = [
  ['sender', 'maker_a', 'sender_custodian', 'maker_b'],
  ['maker_b', 'sender_custodian', 'maker_a', 'sender'],
];

/** Bound of a walk over pages. A check that walks over one list shows where the walk ends. */
const endOfWalk = 1_000;
const endlessWalks: Record<string, Attack> = {
  'of orders': {
    behaviour: afterPreflight(endlessList),
    limits,
    at: ['sender'],
    only: ['order.quotes.empty'],
  },
  // Searches for a request four times: before and after its quote, and again after a wait.
  'of requests': {
    behaviour: afterPreflight(endlessList),
    limits,
    at: ['maker_a'],
    only: ['rfq.read.once-quoted'],
  },
};

/** A part of the behaviours. */
export interface Part {
  /** Sides of the target that misbehave: the side of orders alone, or also the side of makers. */
  readonly on: 'one side' | 'both sides';
  /** The behaviours to try, of each table; all by default. */
  readonly deeds?: readonly string[];
}

/** Alone in its group: nothing else is wrong there, and of its streams nothing can be read. */
const unreadable = 'sender is encoded in a way nobody knows';

/** Tests the judgement of bad content, with four behaviours at a time. */
export function tryContent({ on, deeds }: Part): void {
  const left = new Set(deeds);
  const of = <Value>(table: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(table).filter(([name]) => !deeds || (left.delete(name), deeds.includes(name))),
    );
  const onSides = (behaviours: Behaviours): Record<string, Attack> =>
    Object.assign(
      {},
      ...sides
        .slice(0, on === 'one side' ? 1 : 2)
        .map((parties) => attacksInParallel(of(behaviours), parties, patient)),
    ) as Record<string, Attack>;
  const parties = ['sender', 'maker_a', 'maker_b', 'sender_custodian'] as const;
  const attacks = {
    ...onSides({ ...fieldBehaviours, ...listBehaviours }),
    ...attacksInParallel(of(tokenBehaviours), parties, { limits }),
    ...attacksInParallel(of(streamBehaviours), parties, streaming),
  };
  const odd = onSides(oddBehaviours);
  const lost = attackPerBehaviour(of(lostTokenBehaviours), { limits, at: ['sender'] });
  const endless = of(endlessWalks);
  if (left.size > 0) throw new Error(`no deeds: ${[...left].join(', ')}`);

  let results: ReadonlyMap<string, AttackResult>;
  beforeAll(async () => {
    results = await runAttacks({ ...endless, ...attacks, ...odd, ...lost });
  }, attacksBudgetMs);

  describe('a target of which', () => {
    const [unread, judged] = [true, false].map((isUnread) =>
      Object.keys(attacks).filter((name) => (name === unreadable) === isUnread),
    ) as [string[], string[]];

    it.each(unread)('%s: leaves undecided what cannot be read', (name) => {
      const one = results.get(name) as AttackResult;
      expect(faultsOf(one)).toEqual([]);
      expect(one.report?.totals.requirements).toMatchObject({ fail: 0 });
      expect(one.report?.totals.requirements.inconclusive).toBeGreaterThan(0);
    });

    it.each(judged)('%s: is judged, and not by a fault of ours', (name) => {
      const one = results.get(name) as AttackResult;
      expect(faultsOf(one)).toEqual([]);
      // A target of which too little can be read is incomplete, not nonconformant.
      expect([1, 3]).toContain(one.exit);
      expect(one.report?.outcome ?? one.written).toMatch(/^(nonconformant|incomplete)$/);
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
}
