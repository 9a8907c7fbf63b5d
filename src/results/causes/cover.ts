import { groupBy } from '../../history/group-by.ts';
import { isObject } from '../../history/json.ts';
import { wholeDeviations } from '../../spec/deviations.ts';
import { subjectOf, type RequirementId } from '../../spec/requirements/index.ts';
import { envelopeMembers, leafOf, quantityOf } from './paths.ts';
import type { CheckReport, Failure, Place } from '../run-report.ts';

/** Some requirements that a rule of grouping is about. */
export const idSet = (...ids: readonly RequirementId[]): ReadonlySet<string> => new Set(ids);

/** A failure with what grouping needs of it. */
export interface Candidate {
  readonly source: string;
  /** Index in the failures of its source. */
  readonly index: number;
  readonly failure: Failure;
  readonly requirement: string;
  /** Most likely first. */
  readonly spots: readonly Spot[];
  /** Exchanges, frames and orders that the failure rests on. Failures that share one are tied. */
  readonly ties: ReadonlySet<string>;
}

/** A place as grouping compares it: an endpoint or event, and the last name of a path. */
export interface Spot {
  readonly where: string;
  /** Empty if no field is to blame. */
  readonly leaf: string;
  readonly place: Place;
  /** Quantity that the field shows. Other resources may give it another name. */
  readonly quantity: string;
  /** Penalty against the first place: higher is less likely. */
  readonly penalty: number;
}

export const isOfEvent = (spot: Spot | undefined): boolean => spot?.place.event !== undefined;

const [penaltyOfLater, trace] = [0.3, 0.05];

/** Every failure of some judges that counts against a requirement. */
export function candidatesOf(
  judges: readonly CheckReport[],
  counts: (requirement: string, outcome: Failure['outcome']) => boolean,
): Candidate[] {
  return judges.flatMap(({ id: source, failures }) =>
    failures.flatMap((failure, index): Candidate[] => {
      const { requirement, outcome, exchanges, orders = [] } = failure;
      if (requirement === undefined || !counts(requirement, outcome)) return [];
      const spots = spotsOf(failure, requirement);
      return [
        { source, index, failure, requirement, spots, ties: new Set([...exchanges, ...orders]) },
      ];
    }),
  );
}

function spotsOf({ places = [] }: Failure, requirement: string): Spot[] {
  const { token: _, ...own } = subjectOf(requirement);
  const all = places.length > 0 ? places : [own];
  let penalty = 0;
  return all.map((place, rank) => {
    const where = whereOf(place) ?? requirement;
    const former = all[rank - 1];
    // Several fields of one place are each as good as the first but for a trace, so that order decides.
    if (former) penalty += whereOf(former) === whereOf(place) ? trace : penaltyOfLater;
    const leaf = place.field === undefined ? '' : leafOf(place.field);
    return { where, leaf, quantity: quantityOf(leaf), place, penalty };
  });
}

/** Undefined for a place without endpoint and event: then only the requirement identifies it. */
const whereOf = ({ endpoint, event }: Place): string | undefined =>
  event !== undefined ? `event ${event}` : endpoint;

/** A set of failures that one place explains. */
export interface Group {
  /**
   * A field of one answer or event; a field wherever it shows; an answer or event as a whole; one clause at many
   * places.
   */
  readonly kind: 'spot' | 'view' | 'whole' | 'clause';
  readonly where: string;
  readonly leaf: string;
  readonly members: readonly Candidate[];
}

interface Hypothesis extends Omit<Group, 'members'> {
  readonly key: string;
  readonly cost: number;
  /** Cost of each failure that it can explain. */
  readonly explains: Map<Candidate, number>;
}

/** Cost of each kind of place: a less specific place must explain more. */
const costs = { spot: 1, view: 1.45, whole: 1, clause: 2.4 } as const;

/**
 * The fewest and most specific places that explain all failures (greedy set cover): each round takes the place with the
 * least cost per failure that is left. If two records disagree, all other failures thus decide which one is at fault.
 */
export function cover(candidates: readonly Candidate[]): Group[] {
  const hypotheses = hypothesesOf(candidates);
  const weights = weightsOf(candidates);
  const left = new Set(candidates);
  const groups: Group[] = [];
  while (left.size > 0) {
    const best = cheapest(hypotheses, left, weights);
    if (!best) break;
    const members = [...best.explains.keys()].filter((one) => left.has(one));
    for (const one of members) left.delete(one);
    const { kind, where, leaf } = best;
    groups.push({ kind, where, leaf, members });
  }
  return joinedPlaces(groups).map(narrowed);
}

/**
 * Reduces a field at many places to one place, if that place alone has a part in every failure and decides most of
 * them. A place that decides few was only the one that the others were compared with.
 */
function narrowed(group: Group): Group {
  const { kind, leaf: quantity, members } = group;
  if (kind !== 'view') return group;
  const own = members.map(({ spots }) => spots.filter((spot) => spot.quantity === quantity));
  const [spot, ...others] = (own[0] ?? []).filter(({ where }) =>
    own.every((spots) => spots.some((one) => one.where === where)),
  );
  const decided = members.filter(({ spots: [first] }) => first?.where === spot?.where);
  const isAlone = others.every(({ where }) => where === spot?.where);
  return spot && isAlone && decided.length * 2 > members.length
    ? { kind: 'spot', where: spot.where, leaf: spot.leaf, members }
    : group;
}

/** Weights that count equal failures as one. */
function weightsOf(candidates: readonly Candidate[]): ReadonlyMap<Candidate, number> {
  const keyOf = ({ requirement, spots }: Candidate): string =>
    `${requirement} ${spots.map(({ where, leaf }) => `${where}:${leaf}`).join(' ')}`;
  const same = groupBy(candidates, keyOf);
  return new Map(candidates.map((one) => [one, 1 / (same.get(keyOf(one))?.length ?? 1)]));
}

/** A field that is missing here and wrong there is two mistakes. A wrong state explains both kinds. */
export const classOf = ({ failure }: Candidate, leaf: string): string =>
  leaf === 'status' || failure.deviation !== 'missing' ? 'value' : 'missing';

function cheapest(
  all: readonly Hypothesis[],
  left: ReadonlySet<Candidate>,
  weights: ReadonlyMap<Candidate, number>,
): Hypothesis | undefined {
  let best: { readonly hypothesis: Hypothesis; readonly price: number } | undefined;
  for (const hypothesis of all) {
    let [count, cost] = [0, hypothesis.cost];
    for (const [candidate, penalty] of hypothesis.explains) {
      if (!left.has(candidate)) continue;
      const weight = weights.get(candidate) ?? 1;
      count += weight;
      cost += weight * penalty;
    }
    const price = count === 0 ? Number.POSITIVE_INFINITY : cost / count;
    if (price < (best?.price ?? Number.POSITIVE_INFINITY) - 1e-9) best = { hypothesis, price };
  }
  return best?.hypothesis;
}

/** Joins equal groups. `merge` builds the joined group from the first one and the members of all. */
function joined(
  groups: readonly Group[],
  isSame: (one: Group, other: Group) => boolean,
  merge: (known: Group, members: readonly Candidate[]) => Group,
): Group[] {
  const all: Group[] = [];
  for (const group of groups) {
    const place = all.findIndex((one) => isSame(one, group));
    const known = all[place];
    if (known) all[place] = merge(known, [...known.members, ...group.members]);
    else all.push(group);
  }
  return all;
}

const clauseAt =
  (where: string) =>
  (_: Group, members: readonly Candidate[]): Group => ({
    kind: 'clause',
    where,
    leaf: '',
    members,
  });

/** Joins groups that show one mistake at several places. */
function joinedPlaces(groups: readonly Group[]): Group[] {
  // A field that is wrong in the same way at several places becomes one view of that field.
  const views = joined(groups, isSameView, ({ leaf }, members) => ({
    kind: 'view',
    where: '',
    leaf: quantityOf(leaf),
    members,
  }));
  // Events of several kinds that break one requirement on all events: the stream.
  const streams = joined(views, isSameOfEvents, clauseAt('events'));
  // Several lists with the same fault in their pages: all lists.
  return joined(streams, isSameOfLists, clauseAt('lists'));
}

/** Requirements on the pages of a list that is walked from the first to the last. */
export const ofWalks = idSet(
  'list.pages-disjoint',
  'list.pages-complete',
  'maker.lists-have-pages',
);

/** True if a member of each group has the same key. Members without a key have nothing in common. */
function share(
  one: Group,
  other: Group,
  keyOf: (member: Candidate) => string | undefined,
): boolean {
  const own = new Set(one.members.flatMap((member) => keyOf(member) ?? []));
  return other.members.some((member) => own.has(keyOf(member) ?? ''));
}

const isSameOfLists = (one: Group, other: Group): boolean =>
  share(one, other, ({ requirement, failure }) =>
    ofWalks.has(requirement) ? failure.deviation : undefined,
  );

function isSameOfEvents(one: Group, other: Group): boolean {
  const areEvents = [one, other].every(
    ({ leaf, members }) => leaf === '' && members.every(({ spots: [first] }) => isOfEvent(first)),
  );
  if (!areEvents) return false;
  const [few = new Set(), many = new Set()] = [one, other]
    .map(({ members }) => new Set(members.map(({ failure }) => failure.deviation)))
    .toSorted((a, b) => a.size - b.size);
  return [...few].every((deviation) => many.has(deviation)) && share(one, other, clauseOfStream);
}

/** Requirement on events of every kind that a failure breaks, with its deviation. */
const clauseOfStream = ({ requirement, failure }: Candidate): string | undefined =>
  subjectOf(requirement).event === undefined ? `${requirement} ${failure.deviation}` : undefined;

function isSameView(one: Group, other: Group): boolean {
  if (one.leaf === '' || quantityOf(one.leaf) !== quantityOf(other.leaf)) return false;
  const [a, b] = [one.members[0], other.members[0]];
  return a !== undefined && b !== undefined && classOf(a, one.leaf) === classOf(b, other.leaf);
}

/** In the order of their keys, so that the same failures always give the same groups. */
function hypothesesOf(candidates: readonly Candidate[]): Hypothesis[] {
  const found = new Map<string, Hypothesis>();
  const add = (named: Named, candidate: Candidate, penalty: number): void => {
    const known = found.get(named.key) ?? {
      ...named,
      cost: costs[named.kind],
      explains: new Map(),
    };
    found.set(named.key, known);
    if (penalty < (known.explains.get(candidate) ?? Number.POSITIVE_INFINITY)) {
      known.explains.set(candidate, penalty);
    }
  };
  for (const candidate of candidates) {
    for (const spot of candidate.spots) {
      for (const named of namesOf(spot, candidate)) add(named, candidate, spot.penalty);
    }
    const [first] = candidate.spots;
    if (first && isWhole(candidate)) add(clauseOf(candidate), candidate, first.penalty);
  }
  for (const hypothesis of found.values()) explainMore(hypothesis, candidates);
  return [...found.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

const isWhole = ({ failure }: Candidate): boolean => wholeDeviations.has(failure.deviation ?? '');

type Named = Omit<Hypothesis, 'explains' | 'cost'>;

/** Hypotheses that a spot supports. */
function namesOf(spot: Spot, candidate: Candidate): Named[] {
  const { where, leaf, quantity } = spot;
  if (leaf === '') return [{ key: `whole ${where}`, kind: 'whole', where, leaf }];
  // If two views differ, one may show a wrong value or the other may lack the field.
  const { expected, actual } = candidate.failure;
  const classes =
    isObject(expected) && isObject(actual) ? fieldClasses : [classOf(candidate, leaf)];
  return [
    { key: `spot ${where} ${leaf}`, kind: 'spot', where, leaf },
    ...classes.map(
      (one): Named => ({ key: `view ${quantity} ${one}`, kind: 'view', where: '', leaf: quantity }),
    ),
  ];
}

const fieldClasses = ['missing', 'value'] as const;

/** One clause at many endpoints. For events only the deviation counts, since each event has clauses of its own. */
function clauseOf({ requirement, failure, spots: [first] }: Candidate): Named {
  const where = isOfEvent(first) ? 'events' : requirement;
  return { key: `clause ${where} ${failure.deviation ?? ''}`, kind: 'clause', where, leaf: '' };
}

export const tiesOf = (members: readonly Candidate[]): Set<string> =>
  new Set(members.flatMap(({ ties }) => [...ties]));

const [fieldOfWhole, unlocated, within] = [0.3, 0.2, 0.1];

/**
 * Lets a hypothesis explain more failures of the same answer or event, at a penalty. An answer that is wrong as a whole
 * explains its fields; so does a wrong envelope member. A wrong field explains failures that name no field. All only
 * for failures that share evidence with those already explained.
 */
function explainMore(
  { kind, where, leaf, explains }: Hypothesis,
  candidates: readonly Candidate[],
): void {
  if (kind !== 'whole' && kind !== 'spot') return;
  const known = [...explains.keys()];
  if (kind === 'whole' && !known.some(isWhole)) return;
  const tied = tiesOf(known);
  const isEnvelope = envelopeMembers.includes(leaf);
  const penaltyOf = (candidate: Candidate, spot: Spot): number | undefined => {
    if (spot.where !== where) return undefined;
    if (kind === 'whole') return spot.leaf === '' ? undefined : fieldOfWhole;
    if (isEnvelope && spot.leaf !== '') return within;
    return spot.leaf === '' && !isWhole(candidate) ? unlocated : undefined;
  };
  for (const candidate of candidates) {
    if (explains.has(candidate) || ![...candidate.ties].some((tie) => tied.has(tie))) continue;
    const penalties = candidate.spots.flatMap((spot) => penaltyOf(candidate, spot) ?? []);
    if (penalties.length > 0) explains.set(candidate, Math.min(...penalties));
  }
}
