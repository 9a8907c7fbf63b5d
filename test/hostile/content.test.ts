import { beforeAll, describe, expect, it } from 'vitest';
import {
  abreast,
  budgetMs,
  type Came,
  eachOf,
  faultsOf,
  siege,
  siegeMs,
  usualChecks,
} from './attack.ts';
import { fieldDeeds, listDeeds, oddDeeds } from './deeds/answers.ts';
import { later, onStreams } from './deeds/making.ts';
import { streamDeeds } from './deeds/streams.ts';
import { lostTokenDeeds, tokenDeeds } from './deeds/tokens.ts';

/** What a host under load keeps: nothing here hangs for long. */
const limits = { headersMs: 4_000, bodyMs: 4_000 };
const patient = { as: later, limits };
const harmful = { ...fieldDeeds, ...listDeeds };
const streaming = {
  as: onStreams,
  limits,
  only: [...usualChecks, 'access.*.events.nothing', 'order.together.create.one-institution'],
};

// Each on a side of orders and on a maker's side, four of them at a time.
const attacks = {
  ...abreast(harmful, ['sender', 'maker_a', 'sender_custodian', 'maker_b'], patient),
  ...abreast(harmful, ['maker_b', 'sender_custodian', 'maker_a', 'sender'], patient),
  ...abreast(tokenDeeds, ['sender', 'maker_a', 'maker_b', 'sender_custodian'], { limits }),
  ...abreast(streamDeeds, ['sender', 'maker_a', 'maker_b', 'sender_custodian'], streaming),
};
const odd = eachOf(oddDeeds, { ...patient, at: ['sender', 'maker_a'] });
const lost = eachOf(lostTokenDeeds, { limits, at: ['sender'] });

let came: ReadonlyMap<string, Came>;
beforeAll(async () => {
  came = await siege({ ...attacks, ...odd, ...lost });
}, siegeMs);

describe('a target of which', () => {
  it.each(Object.keys(attacks))('%s: is judged, and not by a fault of ours', (name) => {
    const one = came.get(name) as Came;
    expect(faultsOf(one)).toEqual([]);
    // Where too little can be got at, that is no departure.
    expect([1, 3]).toContain(one.exit);
    expect(one.report?.outcome).toMatch(/nonconformant|incomplete/);
    expect(one.wallMs).toBeLessThan(budgetMs);
  });
});

describe('a backend that', () => {
  it.each(Object.keys(odd))('%s: breaks no word of the document', (name) => {
    const one = came.get(name) as Came;
    expect(faultsOf(one)).toEqual([]);
    expect(one.report?.outcome).toBe('conformant');
  });

  it.each(Object.keys(lost))('%s: cannot be asked who it is', (name) => {
    const one = came.get(name) as Came;
    expect([2, 3]).toContain(one.exit);
    expect(one.written).toMatch(/^hostile\.yaml:3:\d+: /);
  });
});
