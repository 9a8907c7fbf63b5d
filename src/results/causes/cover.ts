import type { Candidate, Spot } from './candidates.ts';

/** A set of failures that one place explains. */
export interface Group {
  /** A field of one answer or event; a field wherever it shows; an answer or event as a whole. */
  readonly kind: 'spot' | 'view' | 'whole';
  readonly where: string;
  readonly leaf: string;
  readonly members: readonly Candidate[];
}

interface Hypothesis extends Omit<Group, 'members'> {
  readonly key: string;
  readonly cost: number;
  /** What it costs to explain each failure that it can explain. */
  readonly explains: Map<Candidate, number>;
}

/** What a place costs: one that says less must explain more. */
const costs = { spot: 1, view: 1.45, whole: 1.2 } as const;

/**
 * The fewest and most specific places that explain all failures: again and again the one that explains those left at the
 * least cost for each. Which record is at fault where two disagree is thus decided by all the others.
 */
export function cover(candidates: readonly Candidate[]): Group[] {
  const hypotheses = hypothesesOf(candidates);
  const left = new Set(candidates);
  const groups: Group[] = [];
  while (left.size > 0) {
    const best = cheapest(hypotheses, left);
    if (!best) break;
    const members = [...best.explains.keys()].filter((one) => left.has(one));
    for (const one of members) left.delete(one);
    const { kind, where, leaf } = best;
    groups.push({ kind, where, leaf, members });
  }
  return groups;
}

function cheapest(all: readonly Hypothesis[], left: ReadonlySet<Candidate>): Hypothesis | undefined {
  let best: { readonly hypothesis: Hypothesis; readonly price: number } | undefined;
  for (const hypothesis of all) {
    let [count, cost] = [0, hypothesis.cost];
    for (const [candidate, penalty] of hypothesis.explains) {
      if (!left.has(candidate)) continue;
      count += 1;
      cost += penalty;
    }
    const price = count === 0 ? Number.POSITIVE_INFINITY : cost / count;
    if (price < (best?.price ?? Number.POSITIVE_INFINITY)) best = { hypothesis, price };
  }
  return best?.hypothesis;
}

/** In the order of their keys, so that the same failures always give the same groups. */
function hypothesesOf(candidates: readonly Candidate[]): Hypothesis[] {
  const found = new Map<string, Hypothesis>();
  const add = (kind: Group['kind'], spot: Spot, candidate: Candidate, extra = 0): void => {
    const where = kind === 'view' ? '' : spot.where;
    const leaf = kind === 'whole' ? '' : spot.leaf;
    const key = `${kind} ${where} ${leaf}`;
    const known = found.get(key) ?? { key, kind, where, leaf, cost: costs[kind], explains: new Map() };
    found.set(key, known);
    const penalty = spot.penalty + extra;
    if (penalty < (known.explains.get(candidate) ?? Number.POSITIVE_INFINITY)) {
      known.explains.set(candidate, penalty);
    }
  };
  for (const candidate of candidates) {
    for (const spot of candidate.spots) {
      add(spot.leaf === '' ? 'whole' : 'spot', spot, candidate);
      if (spot.leaf !== '') add('view', spot, candidate);
    }
  }
  // Where an answer is wrong as a whole, its fields are as well.
  for (const { kind, where, explains } of [...found.values()]) {
    if (kind !== 'whole') continue;
    const tied = new Set([...explains.keys()].flatMap(({ ties }) => [...ties]));
    for (const candidate of candidates) {
      const spot = candidate.spots.find((one) => one.where === where && one.leaf !== '');
      if (spot && [...candidate.ties].some((tie) => tied.has(tie))) add('whole', spot, candidate, 0.3);
    }
  }
  return [...found.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
