import { dataIn, isObject } from '../../history/json.ts';
import type { Exchange, Frame, History } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';

type Step = Exchange | Frame;

/** Requests that change the state of an order. */
const moving: ReadonlySet<EndpointName | undefined> = new Set([
  'order.create',
  'order.cancel',
  'proposal.accept',
  'quote.submit',
  'quote.accept',
]);

/**
 * The shortest sequence that shows a failure, in the order of time: its evidence, the requests that brought its orders
 * into their state, and the openings of the streams of its events. Of the quotes, only those that are named.
 */
export function stepsOfCause(
  history: History | undefined,
  evidence: readonly string[],
): readonly Step[] {
  const wanted = new Set(evidence);
  const steps = (history?.records ?? []).flatMap((record, place) =>
    record.kind === 'end' ? [] : [{ record, place }],
  );
  const shown = steps.filter(({ record }) => wanted.has(record.id));
  const last = Math.max(...shown.map(({ place }) => place), -1);
  const orders = ordersOfSteps(shown.map(({ record }) => record));
  const streams = new Set(
    shown.flatMap(({ record }) => (record.kind === 'frame' ? [record.stream] : [])),
  );
  const isOwn = (record: Step): boolean =>
    isMoving(record) && idsOf(record, 'intent_id').some((id) => orders.has(id));
  const needed = steps.filter(
    ({ record, place }) =>
      wanted.has(record.id) || streams.has(record.id) || (place < last && isOwn(record)),
  );
  const quotes = new Set(
    needed
      .filter(({ record }) => wanted.has(record.id) || !isSubmission(record))
      .flatMap(({ record }) => idsOf(record, 'quote_id')),
  );
  return needed
    .filter(
      ({ record }) =>
        wanted.has(record.id) ||
        !isSubmission(record) ||
        idsOf(record, 'quote_id').some((id) => quotes.has(id)),
    )
    .toSorted(
      (one, other) => momentOf(one.record) - momentOf(other.record) || one.place - other.place,
    )
    .map(({ record }) => record);
}

/** The orders that some steps are about. */
export const ordersOfSteps = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(steps.flatMap((record) => idsOf(record, 'intent_id')));

const isSubmission = (record: Step): boolean =>
  record.kind === 'exchange' && record.endpoint === 'quote.submit';

const momentOf = (record: Step): number =>
  record.kind === 'exchange' ? record.sent : record.received;

const isMoving = (record: Step): boolean =>
  record.kind === 'exchange' &&
  moving.has(record.endpoint) &&
  record.response !== undefined &&
  record.response.status < 300;

/** The orders or quotes that a record is about; a list is about none of its items. */
function idsOf(record: Step, name: 'intent_id' | 'quote_id'): string[] {
  const body = record.kind === 'frame' ? record.data : dataIn(record);
  const ids = [
    record.kind === 'exchange' ? record.params[name] : undefined,
    isObject(body) ? body[name] : undefined,
  ];
  return ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}
