import type { HistoryView } from '../oracle/index.ts';
import type { Call } from '../oracle/trace/calls.ts';
import { type OrderTrace, orderStateOf } from '../oracle/trace/traces.ts';
import { endpointNames, type EndpointName, endpoints } from '../spec/endpoints.ts';
import { isTerminal } from '../spec/states.ts';
import { type OrderState, orderStates, type Role } from '../spec/vocabulary.ts';

/** The parts that parties of a role can have in an order. */
const sidesOf = {
  institution: ['the sender', 'the receiver', 'another institution'],
  custodian: ["the sender's custodian", "the receiver's custodian", 'another custodian'],
  'market-maker': ['a maker with a quote', 'a maker without a quote'],
} as const satisfies Readonly<Record<Role, readonly string[]>>;
export type Side = (typeof sidesOf)[Role][number];

type OrderOperation = {
  [name in EndpointName]: (typeof endpoints)[name]['path'] extends `${string}{intent_id}${string}`
    ? name
    : never;
}[EndpointName];
const namesOrder = (name: EndpointName): name is OrderOperation =>
  endpoints[name].path.includes('{intent_id}');
const operations = endpointNames.filter(namesOrder);

/** An operation that names an order, the state of that order, and the part that the calling party has in it. */
export interface Encounter {
  readonly operation: OrderOperation;
  readonly state: OrderState;
  readonly side: Side;
}

/** Each operation that names an order, on an order in each state, by each party that its role allows it. */
export const encounters: readonly Encounter[] = operations.flatMap((operation) =>
  orderStates.flatMap((state) =>
    endpoints[operation].roles.flatMap((role) =>
      sidesOf[role].map((side) => ({ operation, state, side })),
    ),
  ),
);

export const encounterName = ({ operation, state, side }: Encounter): string =>
  `tried: ${operation} on ${state} by ${side}`;

/**
 * Names of the encounters that a history shows. A call is not counted if its order may have changed its state
 * meanwhile.
 */
export function* encountersIn(view: HistoryView): Iterable<string> {
  for (const call of view.calls) {
    const { endpoint, exchange } = call;
    const id = exchange.params.intent_id?.toLowerCase();
    const order = id === undefined ? undefined : view.orders.get(id);
    if (endpoint === undefined || !namesOrder(endpoint) || !order || !call.own) continue;
    const roles: readonly Role[] = endpoints[endpoint].roles;
    const state = roles.includes(exchange.role) ? stateAt(order, call) : undefined;
    if (state === undefined) continue;
    yield encounterName({ operation: endpoint, state, side: sideOf(view, order, call) });
  }
}

/** State of an order while a call was under way, if the snapshots around the call leave no doubt. */
function stateAt({ snapshots }: OrderTrace, call: Call): OrderState | undefined {
  const shown = snapshots.find((seen) => seen.call === call && orderStateOf(seen) !== undefined);
  if (shown && endpoints[call.endpoint ?? 'order.read'].method === 'GET')
    return orderStateOf(shown);
  const seen = snapshots
    .filter((one) => one.call !== call && orderStateOf(one) !== undefined)
    .toSorted((one, other) => one.close - other.close);
  const before = seen.findLast(({ close }) => close < call.open);
  const state = before && orderStateOf(before);
  // If the call is granted, the next snapshot already shows its effect.
  if (state === undefined || isTerminal(state) || call.ok) return state;
  const after = seen.find(({ close, open, frame }) =>
    frame ? close > call.open : open > call.close,
  );
  if (!after) return undefined;
  // An event comes at once: until then the state was the one before.
  return (after.frame && after.close > call.close) || orderStateOf(after) === state
    ? state
    : undefined;
}

function sideOf(view: HistoryView, order: OrderTrace, call: Call): Side {
  const { party } = call;
  const partyId = view.partyIdOf(party);
  const isOne = (id: string | undefined): boolean => id !== undefined && id === partyId;
  switch (call.exchange.role) {
    case 'institution':
      if (order.creation?.party === party) return 'the sender';
      return isOne(order.receiverId) ? 'the receiver' : 'another institution';
    case 'custodian':
      if (isOne(order.senderCustodianId)) return "the sender's custodian";
      return isOne(order.receiverCustodianId) ? "the receiver's custodian" : 'another custodian';
    case 'market-maker':
      return order.quotes.some(({ maker }) => maker === party)
        ? 'a maker with a quote'
        : 'a maker without a quote';
  }
}
