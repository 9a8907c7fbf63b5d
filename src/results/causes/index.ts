import { groupBy } from '../../history/group-by.ts';
import { subjectOf } from '../../spec/requirements/index.ts';
import type { CauseReport, CheckReport, Place, RequirementReport } from '../run-report.ts';
import { candidatesOf, cover, type Candidate, type Group, type Spot } from './cover.ts';
import { withConsequences } from './consequences.ts';
import { leafOf } from './paths.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { deviations } from '../../spec/deviations.ts';

const routeOf = (name: string): string => {
  const known = Object.entries(endpoints).find(([id]) => id === name)?.[1];
  return known ? `${known.method} ${known.path}` : name;
};

/** "GET /api/v1/orders", "the event order_updated". */
const whereName = ({ endpoint, event }: Place): string | undefined =>
  event !== undefined
    ? `the event ${event}`
    : endpoint === undefined
      ? undefined
      : routeOf(endpoint);

const namesShown = 3;

/** One sentence that names the place. Undefined if there is no place to name. */
function titleOf(place: Place, also: readonly Place[], deviation: string): string | undefined {
  const verb =
    Object.entries(deviations).find(([name]) => name === deviation)?.[1] ?? deviations.other;
  const all = [place, ...also].flatMap((one) => whereName(one) ?? []);
  const more = all.length > namesShown ? ` and ${all.length - namesShown} more` : '';
  const where = `${all.slice(0, namesShown).join(', ')}${more}`;
  const token = deviation === 'refused' ? 'A good token' : 'A token that is no good';
  const subject = place.field === 'authorization' ? token : place.field;
  if (subject === undefined && all.length > 1) return `each of ${all.length} ${verb}: ${where}`;
  if (subject === undefined) return where === '' ? undefined : `${where} ${verb}`;
  return where === '' ? `${subject} ${verb}` : `${subject} ${verb}: ${where}`;
}

export { createLocator } from './locate.ts';

/** Probable causes: the fewest places that explain every failure and warning. Failures first, then by requirements. */
export function causesOf(
  requirements: readonly RequirementReport[],
  judges: readonly CheckReport[],
): CauseReport[] {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const order = new Map(requirements.map(({ id }, place) => [id, place]));
  const candidates = candidatesOf(
    judges,
    (requirement, outcome) => outcome !== 'inconclusive' && verdicts.get(requirement) === outcome,
  );
  const causes = withConsequences(cover(candidates)).map((group) =>
    causeOf(group, requirements, order),
  );
  return distinct(causes).toSorted(
    (one, other) =>
      Number(one.outcome === 'warn') - Number(other.outcome === 'warn') ||
      other.requirements.length - one.requirements.length ||
      placeIn(order, one) - placeIn(order, other),
  );
}

const placeIn = (
  order: ReadonlyMap<string, number>,
  { requirements: [first = ''] }: CauseReport,
): number => order.get(first) ?? 0;

/** Joins causes with the same id. */
const distinct = (causes: readonly CauseReport[]): CauseReport[] =>
  [...groupBy(causes, ({ id }) => id).values()].map((alike) => alike.reduce(joined));

const joined = (one: CauseReport, other: CauseReport): CauseReport => ({
  ...one,
  outcome: one.outcome === 'fail' ? 'fail' : other.outcome,
  requirements: [...new Set([...one.requirements, ...other.requirements])],
  failures: [...one.failures, ...other.failures],
});

function causeOf(
  group: Group,
  requirements: readonly RequirementReport[],
  order: ReadonlyMap<string, number>,
): CauseReport {
  const members = group.members.toSorted(
    (one, other) =>
      telling(one, group) - telling(other, group) ||
      (order.get(one.requirement) ?? 0) - (order.get(other.requirement) ?? 0),
  );
  const [first] = members as [Candidate, ...Candidate[]];
  const places = placesOf(group, members);
  const [place = {}] = places;
  const { deviation = 'other' } = first.failure;
  const ids = [...new Set(members.map(({ requirement }) => requirement))];
  const also = places.slice(1);
  const summaryOf = (id: string): string => requirements[order.get(id) ?? -1]?.summary ?? id;
  return {
    id: idOf(group, place, deviation),
    title: titleOf(place, also, deviation) ?? summaryOf(first.requirement),
    outcome: members.some(({ failure }) => failure.outcome === 'fail') ? 'fail' : 'warn',
    place,
    ...(also.length > 0 && { also }),
    deviation,
    about: first.requirement,
    requirements: ids.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)),
    failures: members.map(({ source, index }) => ({ source, index })),
  };
}

/**
 * Sort key of a failure in its group; less is more telling. Preferred: a failure at the place of the group and about
 * its field, rather than a warning, with an expected and an actual value, and about the value rather than its change.
 */
function telling({ failure, requirement, spots }: Candidate, { kind, where, leaf }: Group): number {
  const spot = spots.find((one) => isOf({ kind, where, leaf }, one));
  const isThere = spots[0]?.where === where;
  const subject = subjectOf(requirement);
  const isNamed =
    leaf === ''
      ? subject.endpoint === where || `event ${subject.event}` === where
      : leafOf(subject.field ?? '') === leaf;
  return (
    (spot ? spot.penalty * 10 : isThere ? 3 : 40) +
    // For one clause at many places, a single wrong field is only a consequence.
    (kind === 'clause' && spots[0]?.leaf !== '' ? 5 : 0) +
    (failure.outcome === 'fail' ? 0 : 20) +
    (isNamed ? 0 : 2) +
    (failure.expected !== undefined && failure.actual !== undefined ? 0 : 1) +
    (failure.deviation === 'changed' ? 1.5 : 0)
  );
}

/** Places at which the members of a group show, the most frequent first. */
function placesOf(group: Group, members: readonly Candidate[]): Place[] {
  const counts = new Map<string, { readonly place: Place; count: number }>();
  for (const { spots } of members) {
    const fits = spots.filter(
      (spot, rank) =>
        isOf(group, spot) ||
        (group.kind === 'whole' && spot.where === group.where) ||
        (group.kind === 'clause' && rank === 0),
    );
    const [spot] = fits;
    if (!spot) continue;
    const place = group.leaf === '' ? withoutField(spot.place) : spot.place;
    const known = counts.get(spot.where);
    if (known) known.count += 1;
    else counts.set(spot.where, { place, count: 1 });
  }
  return [...counts]
    .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([, { place }]) => place);
}

const isOf = (
  { kind, where, leaf }: Pick<Group, 'kind' | 'where' | 'leaf'>,
  spot: Spot,
): boolean =>
  kind === 'view' ? spot.quantity === leaf : spot.where === where && spot.leaf === leaf;

function withoutField(place: Place): Place {
  const { field: _, ...rest } = place;
  return rest;
}

/** Made of the place and the deviation alone, so that it is stable across runs. */
function idOf({ kind, leaf, where }: Group, place: Place, deviation: string): string {
  const named = kind === 'clause' ? undefined : (place.endpoint ?? place.event);
  const at = kind === 'view' ? [] : [named ?? where];
  const words = [...at, ...(leaf === '' ? [] : [leaf]), deviation].join(':').toLowerCase();
  return words.replace(/[^\w.:-]+/g, '-').slice(0, longestId);
}

/** Event names of the target and requested paths may have any length. */
const longestId = 120;
