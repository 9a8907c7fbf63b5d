import { type EventName, eventKinds, streamEndpoint } from '../../src/spec/events.ts';
import { leafOf } from '../../src/results/causes/paths.ts';
import { subjectOf } from '../../src/spec/requirements/index.ts';
import type { CauseReport, Place } from '../../src/results/run-report.ts';
import type { ChangedPlace } from './changed-places.ts';

/**
 * True if a cause names the place that a mutation changes, as observed during the run. For a
 * changed answer, request or event, this is its endpoint or event, and the field if only one field
 * changed. For a change inside the reference (stored values, deadlines, rules of the world), it is
 * the stored field, or the subject of a requirement that the mutation declares it breaks.
 */
export function namesPlace(
  cause: CauseReport,
  changed: readonly ChangedPlace[],
  breaks: readonly string[],
): boolean {
  const places = [cause.place, ...(cause.also ?? [])];
  return (
    places.some((place) => changed.some((one) => isAt(place, one, changed))) ||
    places.some((place) => isStreamOf(place, changed)) ||
    (!changed.some(isOnTheWire) && breaks.some((id) => isSubject(cause, places, id)))
  );
}

/** If a mutation changed several events of one stream, the place is the stream. */
function isStreamOf({ endpoint, field }: Place, changed: readonly ChangedPlace[]): boolean {
  const streams = changed.map(({ where }) => eventKinds[where as EventName]?.stream);
  const [first] = streams;
  return (
    first !== undefined &&
    field === undefined &&
    new Set(changed.map(({ where }) => where)).size > 1 &&
    streams.every((one) => one === first) &&
    endpoint === streamEndpoint[first]
  );
}

const isOnTheWire = ({ where }: ChangedPlace): boolean =>
  /^[a-z]+\.[a-z]+$|_/.test(where) && !isInside(where);

/** A section of the policy with a member of it. */
const isInside = (where: string): boolean =>
  /^(?:stored|views|access|body|orders|cancel|proposal|quotes|accept|rfqs|settlement|money|time|lists|events|http)\./.test(
    where,
  ) && !/^settlement\.(?:list|read)$/.test(where);

function isAt(
  place: Place,
  { where, field }: ChangedPlace,
  changed: readonly ChangedPlace[],
): boolean {
  const leaf = place.field === undefined ? undefined : leafOf(place.field);
  if (isInside(where)) return field !== undefined && leaf === field;
  if (where !== place.endpoint && where !== place.event) return false;
  // A whole answer that is wrong names its endpoint; a field that is wrong must be named.
  const fields = changed.filter((one) => one.where === where).flatMap((one) => one.field ?? []);
  return field === undefined || leaf === field || (leaf === undefined && fields.length > 1);
}

function isSubject(cause: CauseReport, places: readonly Place[], id: string): boolean {
  const { endpoint, event, field } = subjectOf(id);
  if (endpoint === undefined && event === undefined && field === undefined)
    return cause.requirements.includes(id);
  return places.some(
    (place) =>
      (endpoint === undefined || place.endpoint === endpoint) &&
      (event === undefined || place.event === event) &&
      (field === undefined || (place.field !== undefined && leafOf(place.field) === leafOf(field))),
  );
}
