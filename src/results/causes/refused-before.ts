import { groupBy } from '../../history/group-by.ts';
import type { Exchange, History } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';

/**
 * Endpoints at which something was asked of an order, and refused, by a moment. What is refused must change nothing: where
 * a state is not as it must be, a request that was refused, and had its effect all the same, may be behind it.
 */
export type RefusedBefore = (orders: readonly string[], moment: number) => readonly EndpointName[];

export function refusedBefore(history: History | undefined): RefusedBefore {
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
