import type { Exchange, Frame } from '../../history/records.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { hasForm } from '../../spec/forms.ts';
import {
  dataOf,
  type Fields,
  isObject,
  itemsOf,
  ordersIn,
  refused,
  succeeded,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

export function observeAccess(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly GapObservation[] {
  const existing = new Map(
    [...ordersIn(exchanges)].map(([id, seen]) => [id, seen.at(-1)?.order ?? {}] as const),
  );
  const ids = partyIds(exchanges);
  const lists = exchanges.flatMap((exchange) => observeReceiver(exchange, existing, ids));
  return [
    ...exchanges.flatMap((exchange) => [
      ...observeForeignAccess(exchange, existing, ids),
      ...observeRefusal(exchange),
      ...observeIdentity(exchange),
    ]),
    ...seenOrElse('access.receiver_lists', lists),
    ...lists.filter(({ gap }) => gap !== 'access.receiver_lists'),
    ...receiverEvents(exchanges, frames, existing, ids),
    ...observeUnknown(exchanges, existing),
  ];
}

/** Once seen is proof; not seen may only be late. */
function seenOrElse(
  gap: GapObservation['gap'],
  observations: readonly GapObservation[],
): readonly GapObservation[] {
  const own = observations.filter((one) => one.gap === gap);
  const positive = own.filter(({ answer }) => answer === 'yes');
  return positive.length > 0 ? positive : own;
}

/** What refuses a resource that does not exist, an id that is none, and another role's endpoint. */
function observeUnknown(
  exchanges: readonly Exchange[],
  existing: ReadonlyMap<string, Fields>,
): readonly GapObservation[] {
  return exchanges.flatMap((exchange): GapObservation[] => {
    const { endpoint, params, role } = exchange;
    if (!refused(exchange) || exchange.auth !== 'own' || endpoint === undefined) return [];
    const answer = String(exchange.response?.status);
    const evidence = [exchange.id];
    const { roles } = endpoints[endpoint];
    if (roles.length > 0 && !roles.some((one) => one === role)) {
      return [{ gap: 'access.wrong_role', answer, subject: `${role} ${endpoint}`, evidence }];
    }
    const id = params.intent_id;
    if (endpoint !== 'order.read' || id === undefined || existing.has(id)) return [];
    return hasForm('uuid', id)
      ? [{ gap: 'access.unknown', answer, subject: role, evidence }]
      : [{ gap: 'access.malformed_id', answer: 'refuse', evidence }];
  });
}

/** The party identifiers that backends told of themselves. */
function partyIds(exchanges: readonly Exchange[]): ReadonlyMap<string, unknown> {
  const ids = new Map<string, unknown>();
  for (const exchange of callsTo(exchanges, 'token.create', 'identity.read')) {
    const data = dataOf(exchange);
    if (!isObject(data) || (exchange.auth !== 'own' && exchange.endpoint !== 'token.create'))
      continue;
    const id = data['canton_party_id'] ?? data['party_id'];
    if (id !== undefined) ids.set(exchange.party, id);
  }
  return ids;
}

const partiesOf = (order: Fields): readonly unknown[] => [
  order['sender_party_id'],
  order['sender_custodian_party_id'],
  order['receiver_party_id'],
  order['receiver_custodian_party_id'],
];

function observeForeignAccess(
  exchange: Exchange,
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly GapObservation[] {
  const order = existing.get(exchange.params.intent_id ?? '');
  const own = ids.get(exchange.party);
  if (exchange.endpoint !== 'order.read' || exchange.auth !== 'own' || !order) return [];
  if (own === undefined || partiesOf(order).includes(own) || !refused(exchange)) return [];
  const answer = String(exchange.response?.status);
  return [{ gap: 'access.foreign', answer, subject: exchange.role, evidence: [exchange.id] }];
}

function observeReceiver(
  exchange: Exchange,
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly GapObservation[] {
  if (exchange.party !== 'receiver_custodian' || exchange.auth !== 'own') return [];
  const own = ids.get(exchange.party);
  const receives = (order: Fields | undefined): boolean =>
    order !== undefined &&
    own !== undefined &&
    order['receiver_custodian_party_id'] === own &&
    order['sender_custodian_party_id'] !== own;
  const evidence = [exchange.id];
  if (
    exchange.endpoint === 'order.quotes' &&
    receives(existing.get(exchange.params.intent_id ?? ''))
  ) {
    if (refused(exchange)) return [{ gap: 'access.receiver_quotes', answer: 'refuse', evidence }];
    if (itemsOf(exchange).length > 0) {
      return [{ gap: 'access.receiver_quotes', answer: 'allow', evidence }];
    }
  }
  if (exchange.endpoint === 'order.list' && succeeded(exchange)) {
    if (itemsOf(exchange).some(receives)) {
      return [{ gap: 'access.receiver_lists', answer: 'yes', evidence }];
    }
    const empty = itemsOf(exchange).length === 0 && Object.keys(exchange.query).length === 0;
    const missed = (order: Fields): boolean =>
      receives(order) && Date.parse(String(order['created_at'])) < exchange.sent - 15;
    if (empty && [...existing.values()].some(missed))
      return [{ gap: 'access.receiver_lists', answer: 'no', evidence }];
  }
  return [];
}

function receiverEvents(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly GapObservation[] {
  const own = ids.get('receiver_custodian');
  const receives = (frame: Frame): boolean => {
    const id = isObject(frame.data) ? frame.data['intent_id'] : undefined;
    const order = existing.get(String(id));
    return (
      order?.['receiver_custodian_party_id'] === own && order?.['sender_custodian_party_id'] !== own
    );
  };
  const updates = frames.filter((frame) => frame.event === 'order_updated' && receives(frame));
  const received = updates.find(({ party }) => party === 'receiver_custodian');
  if (received) {
    return [{ gap: 'access.receiver_events', answer: 'yes', evidence: [received.id] }];
  }
  const listening = exchanges.find(
    (one) => one.opensStream && one.party === 'receiver_custodian' && succeeded(one),
  );
  const announced = updates.find((frame) => listening && frame.received > listening.received);
  return announced
    ? [{ gap: 'access.receiver_events', answer: 'no', evidence: [announced.id] }]
    : [];
}

function observeRefusal(exchange: Exchange): readonly GapObservation[] {
  const evidence = [exchange.id];
  const status = exchange.response?.status;
  const open = exchange.endpoint === 'health.read' || exchange.endpoint === 'token.create';
  if (status === undefined || open) return [];
  if (exchange.auth === 'none' && refused(exchange)) {
    return [{ gap: 'auth.refusal_status', answer: String(status), subject: 'none', evidence }];
  }
  if (exchange.auth.startsWith('of ') && exchange.endpoint === 'identity.read') {
    const answer = succeeded(exchange) ? 'accept' : refused(exchange) ? 'refuse' : undefined;
    return answer ? [{ gap: 'auth.other_party', answer, evidence }] : [];
  }
  return [];
}

function observeIdentity(exchange: Exchange): readonly GapObservation[] {
  const data = dataOf(exchange);
  if (!isObject(data)) return [];
  const evidence = [exchange.id];
  const subject = exchange.party;
  if (exchange.endpoint === 'identity.read' && typeof data['participant_id'] === 'string') {
    const answer = data['participant_id'] === '' ? 'sandbox' : 'ledger';
    return [{ gap: 'identity.participant', answer, subject, evidence }];
  }
  if (exchange.endpoint === 'stats.read') {
    // Volumes go by currency in either case; it is the counts that stand at the top, or in groups.
    const nested = !Object.values(data).some((value) => typeof value === 'number');
    const fields: GapObservation = {
      gap: 'stats.fields',
      answer: nested ? 'nested' : 'flat',
      subject: exchange.role,
      evidence,
    };
    const extras: GapObservation = { gap: 'access.custodian_extras', answer: 'yes', evidence };
    return exchange.role === 'custodian' ? [fields, extras] : [fields];
  }
  if (exchange.endpoint === 'token.create') return observeToken(exchange, data);
  return [];
}

function observeToken(exchange: Exchange, data: Fields): readonly GapObservation[] {
  const evidence = [exchange.id];
  const subject = exchange.party;
  const lifetime = data['expires_in'];
  const observations: GapObservation[] = [
    { gap: 'token.endpoint', answer: 'yes', subject, evidence },
  ];
  if (typeof lifetime === 'number' && lifetime > 0) {
    const answer = `${lifetime}s`;
    observations.push({ gap: 'token.lifetime', answer, subject, evidence });
  }
  return observations;
}
