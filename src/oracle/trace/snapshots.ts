import { endpoints, type EndpointName } from '../../spec/endpoints.ts';
import type { EventName } from '../../spec/events.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { ResourceName } from '../../spec/resources.ts';
import { type OrderState, orderStates, type Role } from '../../spec/vocabulary.ts';
import { isObject, type JsonObject, textOf } from '../../protocol/json.ts';
import { type Call, resultKindOf } from './calls.ts';
import type { TraceFrame, StreamTrace } from './streams.ts';

/** One resource object in one answer or one frame. */
export interface Snapshot {
  readonly resource: ResourceName;
  readonly value: JsonObject;
  readonly party: string;
  readonly role: Role;
  readonly via: EndpointName | EventName;
  /**
   * Interval in our milliseconds. For an answer, the value was true at some moment within it; for an event, at some
   * moment before it was read.
   */
  readonly from: number;
  readonly to: number;
  /** `from` and `to` as places in the history; `open` of an event is minus infinity. */
  readonly open: number;
  readonly close: number;
  readonly source: string;
  readonly path: string;
  /** True if the document promises all fields here. It does not for events and open answers. */
  readonly whole: boolean;
  readonly call?: Call;
  readonly frame?: TraceFrame;
}

const resourceAt = (call: Call): ResourceName | undefined => {
  if (call.endpoint === undefined) return undefined;
  const entry = endpoints[call.endpoint];
  if (!('resource' in entry)) return undefined;
  const { resource } = entry;
  if (typeof resource === 'string') return resource;
  const byRole: Partial<Record<Role, ResourceName>> = resource;
  return byRole[call.exchange.role];
};

const states: readonly string[] = orderStates;
export const isOrderState = (value: unknown): value is OrderState =>
  typeof value === 'string' && states.includes(value);

/** The order in an answer whose shape is open, if it shows one. */
function orderWithin(data: unknown): [JsonObject, string] | undefined {
  if (!isObject(data)) return undefined;
  const looksLikeOne = (value: unknown): value is JsonObject =>
    textOf(value, 'intent_id') !== undefined && isOrderState(textOf(value, 'status'));
  if (looksLikeOne(data)) return [data, 'data'];
  const inner = data['order'];
  return looksLikeOne(inner) ? [inner, 'data.order'] : undefined;
}

const within = (
  call: Call,
  since: Call,
  resource: ResourceName,
  more: [JsonObject, string, boolean],
) => ({
  resource,
  value: more[0],
  path: more[1],
  whole: more[2],
  party: call.party,
  role: call.exchange.role,
  via: call.endpoint as EndpointName,
  from: Math.min(since.exchange.sent, call.exchange.sent),
  to: call.exchange.received,
  open: Math.min(since.open, call.open),
  close: call.close,
  source: call.id,
  call,
});

/** The list in a successful answer to the party itself, with the resource of its items. */
export function listIn(
  call: Call,
): { readonly resource: ResourceName; readonly items: readonly unknown[] } | undefined {
  if (!call.ok || !call.own || resultKindOf(call) !== 'list') return undefined;
  const resource = resourceAt(call);
  return resource && Array.isArray(call.data) ? { resource, items: call.data } : undefined;
}

export const snapshotOfItem = (
  call: Call,
  resource: ResourceName,
  item: JsonObject,
  index: number,
): Snapshot => within(call, call, resource, [item, `data[${index}]`, true]);

/** The resource in a successful answer to the party itself, which may date from an earlier call; of lists see `listIn`. */
export function snapshotIn(call: Call, since: Call = call): Snapshot | undefined {
  if (!call.ok || !call.own || call.endpoint === undefined) return undefined;
  const kind = resultKindOf(call);
  if (kind === 'open') {
    const found = call.endpoint === 'health.read' ? undefined : orderWithin(call.data);
    return found && within(call, since, 'order', [...found, false]);
  }
  const resource = resourceAt(call);
  if (!resource || kind === 'list' || !isObject(call.data)) return undefined;
  return within(call, since, resource, [call.data, 'data', true]);
}

const resourceOfEvent: Partial<Record<string, ResourceName>> = {
  order_updated: 'order',
  quote_received: 'quote',
  quote_request_new: 'rfq',
  settlement_completed: 'settlement',
};

/** The resource in an event that carries one under its own meaning; of the others only the named fields are. */
export function snapshotInFrame(seen: TraceFrame, stream: StreamTrace): Snapshot | undefined {
  const resource = resourceOfEvent[seen.frame.event];
  if (!resource || !seen.payload || !stream.call.own) return undefined;
  return {
    resource,
    value: seen.payload,
    path: 'data',
    whole: false,
    party: seen.frame.party,
    role: seen.frame.role,
    via: seen.frame.event as EventName,
    from: Number.NEGATIVE_INFINITY,
    to: seen.frame.received,
    open: Number.NEGATIVE_INFINITY,
    close: seen.at,
    source: seen.frame.id,
    frame: seen,
  };
}

/** First timestamp that the snapshots show in a field, on the target's clock. */
export function timestampIn(snapshots: readonly Snapshot[], field: string): number | undefined {
  for (const { value } of snapshots) {
    const at = parseTimestamp(value[field]);
    if (at !== undefined) return at;
  }
  return undefined;
}
