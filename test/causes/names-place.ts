import { type EventName, eventKinds, streamEndpoint } from '../../src/spec/events.ts';
import { leafOf } from '../../src/results/causes/paths.ts';
import { subjectOf } from '../../src/spec/requirements/index.ts';
import type { CauseReport, Place } from '../../src/results/run-report.ts';
import type { ChangedPlace } from './changed-places.ts';

/**
 * Whether a cause names the place that a mutation changes. What a mutation changes was seen while it was at work: the
 * endpoint or event where an answer, a request or an event was bent, and the field, where it was one. Where it works
 * inside (on what is stored, on a deadline, on a rule of the world), the field that was stored otherwise counts, or else
 * the subject of a requirement that the mutation says it breaks.
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

/** Where several events of one stream were changed, the stream is the place. */
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
