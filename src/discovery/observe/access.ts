import type { Exchange, Frame } from '../../history/records.ts';
import { tokenOf } from '../../history/token-label.ts';
import {
  dataOf,
  type Fields,
  fieldsOf,
  isDenied,
  isObject,
  itemsOf,
  shownText,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { hasForm } from '../../spec/forms.ts';
import { callsTo, ordersIn, type Observations, observed, outcomeOf } from './exchange-index.ts';

/** Access of each party to resources, and the refusals of a backend to parties without access. */
export function* observeAccess(exchanges: readonly Exchange[], frames: readonly Frame[]) {
  const orders = new Map([...ordersIn(exchanges)].map(([id, seen]) => [id, seen.at(-1)?.order]));
  const ids = partyIds(exchanges);
  for (const exchange of exchanges) {
    yield* observeForeignOrder(exchange, orders, ids);
    yield* observeToken(exchange);
    yield* observeIdentity(exchange);
    yield* observeUnknown(exchange, orders);
  }
  yield* observeReceiverCustodian(exchanges, frames, orders, ids.get('receiver_custodian'));
}

type Orders = ReadonlyMap<string | undefined, Fields | undefined>;

/** Refusals of a resource that does not exist, of a malformed id, and of another role's endpoint. */
function* observeUnknown(exchange: Exchange, orders: Orders): Observations {
  const { endpoint, params, role } = exchange;
  if (!isDenied(exchange) || exchange.auth !== 'own' || endpoint === undefined) return;
  const answer = String(exchange.response?.status);
  const { roles } = endpoints[endpoint];
  const id = params.intent_id;
  if (roles.length > 0 && !roles.some((one) => one === role)) {
    yield observed('access.wrong_role', answer, [exchange], `${role} ${endpoint}`);
  } else if (endpoint === 'order.read' && id !== undefined && !orders.has(id)) {
    if (hasForm('uuid', id)) yield observed('access.unknown', answer, [exchange], role);
    else yield observed('access.malformed_id', 'refuse', [exchange]);
  }
}

/** The identifiers of parties, from their backends' own token results and whoami. */
function partyIds(exchanges: readonly Exchange[]): ReadonlyMap<string, unknown> {
  const ids = new Map<string, unknown>();
  for (const exchange of callsTo(exchanges, 'token.create', 'identity.read')) {
    if (exchange.auth !== 'own' && exchange.endpoint !== 'token.create') continue;
    const { canton_party_id, party_id } = fieldsOf(exchange);
    const id = canton_party_id ?? party_id;
    if (id !== undefined) ids.set(exchange.party, id);
  }
  return ids;
}

const partyFields = [
  'sender_party_id',
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
];

function* observeForeignOrder(
  exchange: Exchange,
  orders: Orders,
  ids: ReadonlyMap<string, unknown>,
): Observations {
  const order = orders.get(exchange.params.intent_id);
  const own = ids.get(exchange.party);
  if (exchange.endpoint !== 'order.read' || exchange.auth !== 'own' || !order) return;
  if (own === undefined || partyFields.some((field) => order[field] === own)) return;
  if (!isDenied(exchange)) return;
  yield observed('access.foreign', String(exchange.response?.status), [exchange], exchange.role);
}

/** An order is certain to be listed by its receiver's custodian a little after its creation, if ever. */
const listedAfterMs = 15;

/** Access of the receiver's custodian: to the list of quotes, to the orders in its list, and to their events. */
function* observeReceiverCustodian(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
  orders: Orders,
  own: unknown,
): Observations {
  const receives = (order: Fields | undefined): order is Fields =>
    order?.['receiver_custodian_party_id'] === own && order?.['sender_custodian_party_id'] !== own;
  const calls = exchanges.filter(
    ({ party, auth }) => own !== undefined && party === 'receiver_custodian' && auth === 'own',
  );
  for (const exchange of callsTo(calls, 'order.quotes')) {
    if (!receives(orders.get(exchange.params.intent_id))) continue;
    const answer = outcomeOf(exchange, 'allow');
    if (answer === 'refuse' || itemsOf(exchange).length > 0)
      yield observed('access.receiver_quotes', answer ?? 'allow', [exchange]);
  }
  const lists = callsTo(calls, 'order.list').filter(succeeded);
  const showing = lists.filter((list) => itemsOf(list).some(receives));
  for (const list of showing) yield observed('access.receiver_lists', 'yes', [list]);
  // One sight proves access. A missing order may only be late.
  for (const list of showing.length > 0 ? [] : lists) {
    const missing = [...orders.values()].some(
      (order) =>
        receives(order) && Date.parse(shownText(order['created_at'])) < list.sent - listedAfterMs,
    );
    const isEmpty = itemsOf(list).length === 0 && Object.keys(list.query).length === 0;
    if (isEmpty && missing) yield observed('access.receiver_lists', 'no', [list]);
  }
  yield* observeReceiverEvents(exchanges, frames, (id) => receives(orders.get(id)));
}

function* observeReceiverEvents(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
  isReceived: (intentId: string) => boolean,
): Observations {
  const updates = frames.filter(
    ({ event, data }) => event === 'order_updated' && isReceived(textOf(data, 'intent_id') ?? ''),
  );
  const received = updates.find(({ party }) => party === 'receiver_custodian');
  const listening = exchanges.find(
    (one) => one.opensStream && one.party === 'receiver_custodian' && succeeded(one),
  );
  const sent = updates.find((frame) => listening && frame.received > listening.received);
  if (received) yield observed('access.receiver_events', 'yes', [received]);
  else if (sent) yield observed('access.receiver_events', 'no', [sent]);
}

function* observeToken(exchange: Exchange): Observations {
  const { auth, endpoint, party, response } = exchange;
  if (!response || endpoint === 'health.read' || endpoint === 'token.create') return;
  const { kind } = tokenOf(auth);
  if (kind === 'none' && isDenied(exchange)) {
    yield observed('auth.refusal_status', String(response.status), [exchange], 'none');
  } else if (kind === 'of' && endpoint === 'identity.read') {
    const answer = outcomeOf(exchange, 'accept');
    if (answer) yield observed('auth.other_party', answer, [exchange]);
  } else if ((kind === 'no role' || kind === 'unknown role') && endpoint === 'identity.read') {
    const answer = outcomeOf(exchange, 'ignore');
    if (answer) yield observed('token.role_claim', answer, [exchange], auth);
  } else if (kind === 'own' && endpoint === 'identity.read' && hasQuery(exchange)) {
    const answer = outcomeOf(exchange, 'ignore');
    if (answer) yield observed('request.unknown_query', answer, [exchange], party);
  }
}

/** Answers of a backend about itself: whoami, stats, tokens. */
function* observeIdentity(exchange: Exchange): Observations {
  const { endpoint, party, role } = exchange;
  const data = fieldsOf(exchange);
  if (endpoint === 'identity.read' && typeof data['participant_id'] === 'string') {
    const answer = data['participant_id'] === '' ? 'sandbox' : 'ledger';
    yield observed('identity.participant', answer, [exchange], party);
  } else if (endpoint === 'stats.read' && hasObject(exchange)) {
    // Volumes go by currency in either case. The difference is whether the counts are at the top or in groups.
    const isFlat = hasNumberNear(data);
    yield observed('stats.fields', isFlat ? 'flat' : 'nested', [exchange], role);
    if (role === 'custodian') yield observed('access.custodian_extras', 'yes', [exchange]);
  } else if (endpoint === 'token.create' && hasObject(exchange)) {
    yield observed('token.endpoint', 'yes', [exchange], party);
    const lifetime = data['expires_in'];
    if (typeof lifetime === 'number' && lifetime > 0)
      yield observed('token.lifetime', `${lifetime}s`, [exchange], party);
  }
}

/** Maximum number of fields searched: more than any statistics have. */
const fieldsLookedAt = 1_000;

function hasNumberNear(data: Fields): boolean {
  let looked = 0;
  for (const name in data) {
    if (typeof data[name] === 'number') return true;
    looked += 1;
    if (looked >= fieldsLookedAt) return false;
  }
  return false;
}

/** `whoami` has no parameter of the document's. */
const hasQuery = ({ query }: Exchange): boolean => Object.keys(query).length > 0;

const hasObject = (exchange: Exchange): boolean => isObject(dataOf(exchange));
