import { isObject } from '../../history/json.ts';
import type { Exchange, Frame, History } from '../../history/records.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Failure, Place } from '../run-report.ts';
import type { FoundFailure } from '../source-report.ts';
import { type Deviation, deviationOf, wholeDeviations } from './deviation.ts';
import { envelopeMembers, pathsTo } from './paths.ts';
import { type Subject, subjectOf, tellingFields } from './subject.ts';

type Evidence = Exchange | Frame;

/** Failures with the places that their evidence admits; without a history only what their requirements tell. */
export function createLocator(history: History | undefined): (failure: FoundFailure) => Failure {
  // Most runs have nothing to look for.
  let known: ReadonlyMap<string, Evidence> | undefined;
  return ({ alike = [], ...failure }) => {
    known ??= new Map(
      history?.records.flatMap((record) => (record.kind === 'end' ? [] : [[record.id, record]])),
    );
    const recordsOf = (ids: readonly string[]): Evidence[] =>
      ids.flatMap((id) => known?.get(id) ?? []);
    return located(failure, recordsOf(failure.exchanges), recordsOf(alike));
  };
}

function located(
  failure: Failure,
  evidence: readonly Evidence[],
  alike: readonly Evidence[],
): Failure {
  const decisive = evidence.at(-1);
  const status = decisive?.kind === 'exchange' ? decisive.response?.status : undefined;
  const deviation = deviationOf(failure, status);
  const subject = withEvent(subjectOf(failure.requirement ?? ''), failure.message);
  const places = placesOf(failure, deviation, subject, evidence.toReversed());
  const orders = [...new Set([...evidence, ...alike].flatMap(ordersIn))].toSorted();
  return {
    ...failure,
    deviation,
    ...(places.length > 0 && { places }),
    ...(orders.length > 0 && { orders }),
  };
}

/** Requirements of streams name no event, their findings do. */
function withEvent(subject: Subject, message: string): Subject {
  if (subject.event !== undefined) return subject;
  const event = /^no ([a-z_]+) went /.exec(message)?.[1];
  return event === undefined ? subject : { ...subject, event };
}

/** The orders that a request, an answer or an event is about; a list is about none of its items. */
function ordersIn(record: Evidence): string[] {
  const body = record.kind === 'frame' ? record.data : dataOf(record);
  const ids = [
    record.kind === 'exchange' && record.params.intent_id,
    isObject(body) && body['intent_id'],
  ];
  return ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}

const dataOf = ({ response }: Exchange): unknown =>
  isObject(response?.body) ? response.body['data'] : undefined;

/** Most likely first: what decided it before what it was held against. */
function placesOf(
  failure: Failure,
  deviation: Deviation,
  subject: Subject,
  records: readonly Evidence[],
): Place[] {
  const isWhole = wholeDeviations.has(deviation);
  const fields = isWhole
    ? besides(failure, deviation, records[0])
    : fieldsOf(failure, deviation, subject, records[0]);
  const ordered = [...records].sort((one, other) => rank(one, subject) - rank(other, subject));
  const named =
    subject.event !== undefined && !records.some((one) => whereOf(one).event === subject.event);
  const wheres: (Place & { record?: Evidence })[] = [
    ...(named ? [{ event: subject.event ?? '' }] : []),
    ...ordered.map((record) => ({ ...whereOf(record), record })),
    ...(records.length === 0 && subject.endpoint ? [{ endpoint: subject.endpoint }] : []),
  ];
  const places = wheres.flatMap(({ record, ...where }): Place[] => [
    ...(isWhole || fields.length === 0 ? [where] : []),
    ...fields.map((field) => ({ ...where, field: pathsTo(record, field, failure.actual) })),
  ]);
  const distinct = new Map(places.map((place) => [JSON.stringify(place), place]));
  return [...distinct.values()].slice(0, 12);
}

/** Fields that may explain what is wrong with an answer or a request as a whole. */
function besides(
  { requirement = '', message, actual, expected }: Failure,
  deviation: Deviation,
  decisive: Evidence | undefined,
): string[] {
  const query = decisive?.kind === 'exchange' ? decisive.query : {};
  const byState =
    deviation === 'out of order' ||
    isState(expected) ||
    isState(actual) ||
    statesIn.test(message) ||
    query['status'] !== undefined;
  // Items are known by their ids, and filtered by their states.
  const ids = deviation === 'left out' ? ['intent_id', 'quote_id'] : [];
  const isOtherToken = decisive?.kind === 'exchange' && decisive.auth !== 'own';
  return [
    ...ids,
    ...(byState ? ['status'] : []),
    ...(requirement.startsWith('auth.') || isOtherToken ? ['authorization'] : []),
  ];
}

const statesIn = /\b(?:PENDING|QUOTED|EXECUTING|SETTLED|EXPIRED|FAILED|ACCEPTED|REJECTED)\b/;
const states: ReadonlySet<unknown> = new Set([...orderStates, ...quoteStates]);
const isState = (value: unknown): boolean => states.has(value);

/** An event that a requirement is about goes before the requests that led to it. */
const rank = (record: Evidence, { event, endpoint }: Subject): number => {
  const where = whereOf(record);
  if (event !== undefined && where.event === event) return -1;
  // An event that did not come is missing from a stream.
  if (event !== undefined && record.kind === 'exchange' && record.opensStream) return -0.5;
  return endpoint !== undefined && where.endpoint === endpoint ? 0 : 1;
};

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** What is no name of the document may be of any length. */
const short = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

function whereOf(record: Evidence): Place {
  if (record.kind === 'frame') {
    return record.event === ''
      ? { endpoint: streamEndpoint[streamOf(record.role)] }
      : { event: short(record.event) };
  }
  const { endpoint, request } = record;
  const [path = ''] = request.path.split('?');
  return { endpoint: endpoint ?? short(`${request.method} ${path.replace(uuid, '{id}')}`) };
}

/** Names of the fields that a failure is about. */
function fieldsOf(
  { requirement = '', message, expected, actual }: Failure,
  deviation: Deviation,
  { field }: Subject,
  decisive: Evidence | undefined,
): string[] {
  if (requirement.startsWith('envelope.')) return membersOf(requirement, decisive);
  const inMessage = [...message.matchAll(/[a-z_]+/g)]
    .map(([word]) => word)
    .filter((word) => tellingFields.has(word));
  // Two views that differ: each side shows the members in which they do.
  const compared =
    isObject(expected) && isObject(actual)
      ? Object.keys(expected).filter((key) => key in actual)
      : [];
  const part = /\b(?:pagination|meta)\.[a-z_]+/.exec(message)?.[0];
  // How the field is called that carries a failure reason is open.
  const reason = field === 'failure_reason' ? namesHolding(decisive, actual) : undefined;
  const named = part ?? (reason === undefined ? field : undefined);
  const candidates = [named === undefined ? [] : [named], reason ?? [], inMessage, compared];
  const found = candidates.find((some) => some.length > 0) ?? namesHolding(decisive, actual) ?? [];
  // What is set, or is not, by the state that is shown: either may be wrong.
  const byState = deviation === 'too early' || statesIn.test(message);
  return [...new Set([...found, ...(byState ? ['status'] : [])])].slice(0, 4);
}

/** Members of an envelope that a requirement is about; of all of it, those that an answer lacks. */
function membersOf(requirement: string, record: Evidence | undefined): string[] {
  const named = envelopeMembers.filter((member) => requirement.includes(member));
  const body = record?.kind === 'exchange' ? record.response?.body : undefined;
  return named.length > 0
    ? named
    : ['data', 'meta'].filter((member) => !isObject(body) || !isObject(body[member]));
}

/** The one member of a body that holds a value, where it is telling enough. */
function namesHolding(record: Evidence | undefined, value: unknown): string[] | undefined {
  if (record === undefined || (typeof value !== 'string' && typeof value !== 'number'))
    return undefined;
  const body = record.kind === 'frame' ? record.data : record.response?.body;
  const names = new Set<string>();
  const visit = (one: unknown, name: string, depth: number): void => {
    if (depth > 8 || names.size > 1) return;
    if (one === value) names.add(name);
    else if (Array.isArray(one)) for (const item of one.slice(0, 200)) visit(item, name, depth + 1);
    else if (isObject(one))
      for (const [key, inner] of Object.entries(one)) visit(inner, key, depth + 1);
  };
  visit(body, '', 0);
  const [only = ''] = names;
  return names.size === 1 && only !== '' && only.length <= 80 ? [only] : undefined;
}
