import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { gapRisks } from '../../spec/gaps/risks.ts';
import type { RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';

/** What is known of one target: of a run, or of our reference without one. */
export type ComparedTarget = Pick<RunReport, 'gaps' | 'requirements'> & { readonly name: string };

/** Both answers to a question that the document leaves open, and what they mean for clients. */
export interface GapDifference {
  readonly id: GapId;
  readonly part: string;
  readonly question: string;
  readonly a: string;
  readonly b: string;
  /** What a client that was written against A meets at B, and the other way round; each a sentence. */
  readonly client_of_a: string;
  readonly client_of_b: string;
}

export interface RequirementDifference {
  readonly id: string;
  readonly part: string;
  readonly summary: string;
  /** Absent: it is not known there. */
  readonly a?: Verdict;
  readonly b?: Verdict;
}

export const comparisonFormat = 'assay.comparison/1';

export interface Comparison {
  readonly format: typeof comparisonFormat;
  readonly a: string;
  readonly b: string;
  /** Where both answers are known and differ, in the order of the register. */
  readonly gaps: readonly GapDifference[];
  /** How many questions both answer alike. */
  readonly alike: number;
  /** Questions whose answer only one of them has shown: what the other does is not known. */
  readonly unknown: readonly { readonly id: GapId; readonly a?: string; readonly b?: string }[];
  /** Requirements that fail, or give a warning, at one of them and not at the other. */
  readonly requirements: readonly RequirementDifference[];
}

const longest = 200;
/** A target's answer is whatever it sent. */
const brief = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

const answersOf = ({ gaps: known }: ComparedTarget): ReadonlyMap<string, string> =>
  new Map(
    known.flatMap(({ id, declared, observed }) => {
      // What was seen tells more than what was said.
      const answer = observed ?? declared;
      return answer === undefined ? [] : [[id, brief(answer)]];
    }),
  );

const riskOf = (id: GapId, own: string, other: string): string =>
  gapRisks[id].replace(/\{(own|other)\}/g, (_, which) => (which === 'own' ? own : other));

const isBroken = (verdict: Verdict | undefined): boolean =>
  verdict === 'fail' || verdict === 'warn';

/** What differs between two targets for whoever writes a client for both. */
export function compareTargets(a: ComparedTarget, b: ComparedTarget): Comparison {
  const [ofA, ofB] = [answersOf(a), answersOf(b)];
  const pairs = gapIds.map((id) => ({ id, a: ofA.get(id), b: ofB.get(id) }));
  const gapDifferences = pairs.flatMap(({ id, a: one, b: other }): GapDifference[] => {
    if (one === undefined || other === undefined || one === other) return [];
    const { part, question } = gaps[id];
    return [
      {
        id,
        part,
        question,
        a: one,
        b: other,
        client_of_a: riskOf(id, one, other),
        client_of_b: riskOf(id, other, one),
      },
    ];
  });
  const verdictsOfB = new Map(b.requirements.map((one) => [one.id, one]));
  const known = new Map([...b.requirements, ...a.requirements].map((one) => [one.id, one]));
  const verdictsOfA = new Map(a.requirements.map((one) => [one.id, one]));
  return {
    format: comparisonFormat,
    a: a.name,
    b: b.name,
    gaps: gapDifferences,
    alike: pairs.filter((pair) => pair.a !== undefined && pair.a === pair.b).length,
    unknown: pairs.flatMap(({ id, a: one, b: other }) =>
      (one === undefined) === (other === undefined)
        ? []
        : [{ id, ...(one !== undefined && { a: one }), ...(other !== undefined && { b: other }) }],
    ),
    requirements: [...known.values()].flatMap(({ id, part, summary }) => {
      const [one, other] = [verdictsOfA.get(id)?.verdict, verdictsOfB.get(id)?.verdict];
      if (one === other || !(isBroken(one) || isBroken(other))) return [];
      return [{ id, part, summary, ...(one && { a: one }), ...(other && { b: other }) }];
    }),
  };
}
