import { beforeAll, describe, expect, it } from 'vitest';
import {
  attacksInParallel,
  type Attack,
  type AttackResult,
  attackPerBehaviour,
  behavioursNamed,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
  failuresUnrelatedTo,
  verdictsNotInvolving,
} from './attack.ts';
import { afterPreflight } from './behaviours/building-blocks.ts';
import { wireBehaviours } from './behaviours/wire.ts';

/**
 * Long enough for good parties in a busy process. Most silences follow the headers, and cost this
 * much.
 */
const limits = { headersMs: 8_000, bodyMs: 3_000 };
const bad = ['maker_b', 'maker_c', 'outsider', 'outsider_custodian'] as const;
const isPace = (name: string): boolean => name.startsWith('answers 429');

/** Answers that are not read, or that a gateway may have given: they are no finding. */
const saysNothing = [
  'declares a gigabyte',
  'floods with headers',
  'sends 200,000 brackets',
  'answers 503 to everything',
];

/**
 * Spreads behaviours that hang over the groups: they are neighbours in the table, and each is slow.
 */
const spread = (all: readonly string[]): readonly string[] => {
  const groups = Math.ceil(all.length / bad.length);
  return Array.from({ length: groups }, (_, at) => all.filter((__, n) => n % groups === at)).flat();
};
const deedsOf = (some: readonly string[]) => behavioursNamed(wireBehaviours, some);
const amongGood = { as: afterPreflight, limits };
/** Successes in the form of the interface, but without a result: faults of the token endpoint. */
const answersInForm: readonly string[] = ['answers with data null'];

/** Tests the judgement of bad backends on the wire, alone and among good ones. */
export function tryWire(names: readonly string[] = Object.keys(wireBehaviours)): void {
  /** Each is tried from the first request on, with a single party. */
  const fromTheFirst = attackPerBehaviour(deedsOf(names), {
    file: (text) => text.replace(/^ {2}(?!sender:)\w+: \{ role.*\n/gm, ''),
  });

  const [paces, harms] = [names.filter(isPace), names.filter((name) => !isPace(name))];

  const pacing = attacksInParallel(deedsOf(spread(paces)), bad, amongGood);
  const harming = attacksInParallel(deedsOf(spread(harms)), bad, amongGood);

  let alone: ReadonlyMap<string, AttackResult>;
  let among: ReadonlyMap<string, AttackResult>;
  beforeAll(async () => {
    const good: Attack = { behaviour: () => 'pass', at: bad, limits };
    [among, alone] = await Promise.all([
      runAttacks({ ...harming, ...pacing, good }),
      runAttacks(fromTheFirst, 3),
    ]);
  }, attacksBudgetMs);

  describe('a backend that, from the first request on,', () => {
    it.each(answersInForm)('%s: is found wanting for the token that it did not give', (name) => {
      const one = alone.get(name) as AttackResult;
      expect([one.exit, faultsOf(one)]).toEqual([1, []]);
      expect(one.written).toContain('token.create did not return its result');
    });

    const others = names.filter((name) => !answersInForm.includes(name));
    it.each(others)('%s: is not judged, and what it did is said', (name) => {
      const { exit, report, written } = alone.get(name) as AttackResult;
      expect(report).toBeUndefined();
      expect(written).toMatch(
        /^hostile\.yaml:3:\d+: .*(?:POST \/auth\/token|it encodes its answers)/,
      );
      // Another answer than those of the interface means a wrong address or token source.
      const answered = /POST \/auth\/token.* answered (?!5|429|999)/.test(written);
      expect(exit).toBe(answered ? 2 : 3);
    });
  });

  describe('among good parties that keep their verdicts', () => {
    it('nobody fails who does nothing bad', () => {
      const good = among.get('good') as AttackResult;
      expect(good.exit).toBe(0);
      const { checks } = good.report?.totals ?? {};
      expect(checks).toMatchObject({ fail: 0, warn: 0, error: 0, inconclusive: 0 });
      expect(verdictsNotInvolving(bad, good, good).length).toBeGreaterThan(8);
    });

    it.each(Object.keys({ ...harming, ...pacing }))('%s: these alone are found wanting', (name) => {
      const [one, good] = [among.get(name) as AttackResult, among.get('good') as AttackResult];
      expect(faultsOf(one)).toEqual([]);
      expect(failuresUnrelatedTo(bad, one)).toEqual([]);
      expect(verdictsNotInvolving(bad, one, good)).toEqual(verdictsNotInvolving(bad, good, good));
      // A refusal for pace alone (429) violates nothing.
      const says = name
        .split(', ')
        .some((part) => !saysNothing.some((deed) => part.endsWith(deed)));
      // A status of a gateway that lasts is the service's own: on a busy host it lasts longer.
      const mayLast = name.includes('answers 503');
      const exits = says ? [1] : mayLast ? [1, 3] : [3];
      expect(name in pacing ? [0, 3] : exits).toContain(one.exit);
    });
  });
}
