import { dataIn, isObject } from '../../history/json.ts';
import type { Exchange, Frame, History } from '../../history/records.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import {
  acceptanceFields,
  findRequirement,
  settlementFields,
  subjectOf,
  type Subject,
} from '../../spec/requirements/index.ts';
import type { Failure, Place } from '../run-report.ts';
import type { FoundFailure } from '../source-report.ts';
import { type Deviation, wholeDeviations } from '../../spec/deviations.ts';
import { envelopeMembers, pathsTo } from './paths.ts';
import { groupBy } from '../../history/group-by.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';

type Evidence = Exchange | Frame;

/** Names of the fields that a failure is about. */
function fieldsOf(
  { fields = [], expected, actual }: FoundFailure,
  deviation: Deviation,
  { field }: Subject,
  decisive: Evidence | undefined,
): string[] {
  // Two views that differ: the fields with different values.
  const compared =
    isObject(expected) && isObject(actual)
      ? Object.keys(expected).filter((key) => key in actual && !isSame(expected[key], actual[key]))
      : [];
  // The document leaves the name of the failure reason field open: the finding has it.
  const isCalledOtherwise = field === 'failure_reason' && fields.length > 0;
  const named = field === undefined || isCalledOtherwise ? [] : [field];
  const found = [named, fields, compared].find((some) => some.length > 0) ?? [];
  // Fields that depend on the state: the field or the state may be wrong.
  const goesWithState =
    deviation === 'too early' ||
    isState(expected) ||
    isState(actual) ||
    (compared.length > 0 && found.every((name) => fieldsOfStates.has(name)));
  const counts = found.includes('pagination.total_items') ? countsIn(decisive) : [];
  return [
    ...new Set([...found.slice(0, 4), ...fields, ...counts, ...(goesWithState ? ['status'] : [])]),
  ];
}

const fieldsOfStates: ReadonlySet<string> = new Set([...acceptanceFields, ...settlementFields]);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));

/** Fields that may explain what is wrong with an answer or a request as a whole. */
function besides(
  { fields = [], actual, expected }: FoundFailure,
  deviation: Deviation,
  { token }: Subject,
  records: readonly Evidence[],
): string[] {
  const [decisive] = records;
  const isExchange = decisive?.kind === 'exchange';
  const byState =
    deviation === 'out of order' ||
    isState(expected) ||
    isState(actual) ||
    (isExchange &&
      (decisive.endpoint === 'order.cancel' || decisive.query['status'] !== undefined));
  const isOfToken = token || (isExchange && decisive.auth !== 'own');
  return [
    ...new Set(records.flatMap(countsIn)),
    // Items are known by their ids, and filtered by their states.
    ...(deviation === 'left out' ? ['intent_id', 'quote_id'] : []),
    ...fields,
    ...(byState ? ['status'] : []),
    ...(isOfToken ? ['authorization'] : []),
  ];
}

/**
 * The counts of a list, if the answer itself shows that they may be too low: a walk then ends early, and the items of
 * further pages are not seen.
 */
function countsIn(decisive: Evidence | undefined): string[] {
  const body = decisive?.kind === 'exchange' ? decisive.response?.body : undefined;
  const counts = isObject(body) ? body['pagination'] : undefined;
  if (!isObject(counts)) return [];
  const [items, size, pages] = ['total_items', 'page_size', 'total_pages'].map((name) =>
    Number(counts[name]),
  ) as [number, number, number];
  if (pages < Math.ceil(items / size)) return ['pagination.total_pages'];
  const isFullToTheLast = pages > 1 && items === pages * size && Number(counts['page']) === pages;
  return isFullToTheLast ? ['pagination.total_items'] : [];
}

const states: ReadonlySet<unknown> = new Set([...orderStates, ...quoteStates]);
const isState = (value: unknown): boolean => states.has(value);

/**
 * Endpoints at which a request on one of the orders was refused before a moment. A refused request must change nothing.
 * If it did have an effect, it may explain a wrong state.
 */
type RefusedBefore = (orders: readonly string[], moment: number) => readonly EndpointName[];

function refusedBefore(history: History | undefined): RefusedBefore {
  const refused = (history?.records ?? []).flatMap((record) =>
    record.kind === 'exchange' && isRefusedRequest(record) ? [record] : [],
  );
  const byOrder = groupBy(refused, ({ params }) => params.intent_id?.toLowerCase() ?? '');
  return (orders, moment) => {
    const found = orders
      .flatMap((order) => byOrder.get(order) ?? [])
      .filter(({ received }) => received <= moment);
    return [...new Set(found.flatMap(({ endpoint }) => endpoint ?? []))];
  };
}

const isRefusedRequest = ({ request, response, params }: Exchange): boolean =>
  request.method === 'POST' &&
  params.intent_id !== undefined &&
  response !== undefined &&
  response.status >= 400 &&
  response.status < 500;

/** Parties that `whoami` gives another identifier than their token: their orders name the one or the other. */
function doubtedParties(history: History | undefined): ReadonlySet<string> {
  const known = new Map<string, Set<unknown>>();
  for (const record of history?.records ?? []) {
    if (record.kind !== 'exchange') continue;
    const { endpoint, auth } = record;
    const told = endpoint === 'token.create' || (endpoint === 'identity.read' && auth === 'own');
    const data = told && dataIn(record);
    const id = isObject(data) && (data['party_id'] ?? data['canton_party_id']);
    if (typeof id !== 'string') continue;
    known.set(record.party, (known.get(record.party) ?? new Set()).add(id));
  }
  return new Set([...known].flatMap(([party, ids]) => (ids.size > 1 ? [party] : [])));
}

/** Adds the possible places to failures, from their evidence. Without a history, from their requirements only. */
export function createLocator(history: History | undefined): (failure: FoundFailure) => Failure {
  // Filled at the first failure: most runs have none.
  let known: ReadonlyMap<string, Evidence> | undefined;
  let refused: RefusedBefore | undefined;
  let doubted: ReadonlySet<string> | undefined;
  return (failure) => {
    refused ??= refusedBefore(history);
    doubted ??= doubtedParties(history);
    known ??= new Map(
      history?.records.flatMap((record) => (record.kind === 'end' ? [] : [[record.id, record]])),
    );
    const recordsOf = (ids: readonly string[]): Evidence[] =>
      ids.flatMap((id) => known?.get(id) ?? []);
    const evidence = recordsOf(failure.exchanges);
    const alike = recordsOf(failure.alike ?? []);
    return located(failure, evidence, alike, { refused, doubted });
  };
}

function located(
  found: FoundFailure,
  evidence: readonly Evidence[],
  alike: readonly Evidence[],
  { refused, doubted }: { readonly refused: RefusedBefore; readonly doubted: ReadonlySet<string> },
): Failure {
  const decisive = evidence.at(-1);
  const status = decisive?.kind === 'exchange' ? decisive.response?.status : undefined;
  const { alike: _, fields: __, shownBy: ___, event, ...failure } = found;
  const deviation = deviationOf(failure, status);
  const subject = { ...(event && { event }), ...subjectOf(failure.requirement ?? '') };
  const own = placesOf(found, deviation, subject, evidence.toReversed());
  const behind = shownByState.has(deviation) ? placesBehind(own, evidence, refused) : [];
  const isDoubted = evidence.some(({ party }) => doubted.has(party));
  const identity = isDoubted ? [{ endpoint: 'identity.read', field: 'data.party_id' }] : [];
  // First: whatever goes wrong for a party with two identifiers may follow from that.
  const places = [...identity, ...own, ...behind];
  const orders = [...new Set([...evidence, ...alike].flatMap(ordersIn))].toSorted();
  return {
    ...failure,
    deviation,
    ...(places.length > 0 && { places }),
    ...(orders.length > 0 && { orders }),
  };
}

/** @param status of the deciding answer, if it has one */
function deviationOf(failure: Failure, status = 0): Deviation {
  if (status >= 500) return 'fault';
  if (failure.deviation !== undefined) return failure.deviation;
  const usual = findRequirement(failure.requirement ?? '')?.departs;
  // A refused request shows no state.
  if (usual === 'wrong state' && status >= 400) return 'refused';
  return usual ?? (failure.actual === undefined ? 'other' : 'wrong value');
}

/** Departures that a wrong state of an order can cause. */
const shownByState: ReadonlySet<string> = new Set<Deviation>(['refused', 'wrong state']);

/** Endpoints of earlier refused requests that may have had an effect. Least likely, so last. */
function placesBehind(
  own: readonly Place[],
  evidence: readonly Evidence[],
  refused: RefusedBefore,
): Place[] {
  const orders = [...new Set(evidence.flatMap(ordersIn))];
  const moment = Math.max(...evidence.map(({ received }) => received ?? 0));
  const known = new Set(own.map(({ endpoint }) => endpoint));
  return refused(orders, moment).flatMap((endpoint) => (known.has(endpoint) ? [] : { endpoint }));
}

/** Orders that a request, an answer or an event is about. A list is about none of its items. */
function ordersIn(record: Evidence): string[] {
  const body = record.kind === 'frame' ? record.data : dataIn(record);
  const ids = [
    record.kind === 'exchange' && record.params.intent_id,
    isObject(body) && body['intent_id'],
  ];
  return ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}

/** Most likely first: the deciding record before the records that it was compared with. */
function placesOf(
  failure: FoundFailure,
  deviation: Deviation,
  subject: Subject,
  records: readonly Evidence[],
): Place[] {
  // A requirement on the envelope is about one of its members, even if the member must be absent.
  const isWhole = wholeDeviations.has(deviation) && !envelopeMembers.includes(subject.field ?? '');
  // The refused request had an effect, or the record that shows the change is wrong itself.
  const mayBeRequest = failure.requirement === 'error.refusal-changes-nothing';
  const fields = isWhole
    ? besides(failure, deviation, subject, records)
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
    ...(isWhole || mayBeRequest || fields.length === 0 ? [where] : []),
    ...fields
      .filter((field) => !isWhole || isIn(record, field))
      .map((field) => ({
        ...where,
        field: pathsTo(record, field, failure.actual, deviation === 'missing'),
      })),
  ]);
  const distinct = new Map(places.map((place) => [JSON.stringify(place), place]));
  return [...distinct.values()].slice(0, 12);
}

/** False for a count of a list where there is no list. */
const isIn = (record: Evidence | undefined, field: string): boolean =>
  !field.startsWith('pagination.total_') || record?.kind !== 'exchange' || hasPages(record);

const hasPages = ({ response }: Exchange): boolean =>
  isObject(response?.body) && isObject(response.body['pagination']);

/** An event that a requirement is about goes before the requests that led to it. */
const rank = (record: Evidence, { event, endpoint }: Subject): number => {
  const where = whereOf(record);
  if (event !== undefined && where.event === event) return -1;
  // An event that did not come is missing from a stream.
  if (event !== undefined && record.kind === 'exchange' && record.opensStream) return -0.5;
  return endpoint !== undefined && where.endpoint === endpoint ? 0 : 1;
};

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** A name that is not from the document may have any length. */
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
