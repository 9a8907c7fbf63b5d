import type { Exchange, Frame } from '../../history/records.ts';
import {
  dataOf,
  type Fields,
  isObject,
  itemsOf,
  ordersIn,
  refused,
  succeeded,
  to,
} from './look.ts';
import type { Sight } from './sights.ts';

export function observeAccess(
  exchanges: readonly Exchange[],
  frames: readonly Frame[],
): readonly Sight[] {
  const existing = new Map(ordersIn(exchanges).map((one) => [one.id, one.order] as const));
  const ids = partyIds(exchanges);
  return [
    ...exchanges.flatMap((exchange) => [
      ...foreignSights(exchange, existing, ids),
      ...receiverSights(exchange, existing, ids),
      ...refusalSights(exchange),
      ...identitySights(exchange),
    ]),
    ...receiverEvents(frames, existing, ids),
  ];
}

/** The party identifiers that backends told of themselves. */
function partyIds(exchanges: readonly Exchange[]): ReadonlyMap<string, unknown> {
  const ids = new Map<string, unknown>();
  for (const exchange of to(exchanges, 'token.create', 'identity.read')) {
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

function foreignSights(
  exchange: Exchange,
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly Sight[] {
  const order = existing.get(exchange.params.intent_id ?? '');
  const own = ids.get(exchange.party);
  if (exchange.endpoint !== 'order.read' || exchange.auth !== 'own' || !order) return [];
  if (own === undefined || partiesOf(order).includes(own) || !refused(exchange)) return [];
  const answer = String(exchange.response?.status);
  return [{ gap: 'access.foreign', answer, subject: exchange.role, evidence: [exchange.id] }];
}

function receiverSights(
  exchange: Exchange,
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly Sight[] {
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
    const missed = [...existing.values()].some(
      (order) => receives(order) && Date.parse(String(order['created_at'])) < exchange.sent - 1_000,
    );
    const empty = itemsOf(exchange).length === 0 && Object.keys(exchange.query).length === 0;
    if (missed && empty) return [{ gap: 'access.receiver_lists', answer: 'no', evidence }];
  }
  return [];
}

function receiverEvents(
  frames: readonly Frame[],
  existing: ReadonlyMap<string, Fields>,
  ids: ReadonlyMap<string, unknown>,
): readonly Sight[] {
  const own = ids.get('receiver_custodian');
  const updates = frames.filter((frame) => frame.event === 'order_updated');
  const received = updates.find((frame) => {
    const id = isObject(frame.data) ? frame.data['intent_id'] : undefined;
    const order = existing.get(String(id));
    return frame.party === 'receiver_custodian' && order?.['receiver_custodian_party_id'] === own;
  });
  return received
    ? [{ gap: 'access.receiver_events', answer: 'yes', evidence: [received.id] }]
    : [];
}

function refusalSights(exchange: Exchange): readonly Sight[] {
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

function identitySights(exchange: Exchange): readonly Sight[] {
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
    const fields: Sight = {
      gap: 'stats.fields',
      answer: nested ? 'nested' : 'flat',
      subject: exchange.role,
      evidence,
    };
    const extras: Sight = { gap: 'access.custodian_extras', answer: 'yes', evidence };
    return exchange.role === 'custodian' ? [fields, extras] : [fields];
  }
  if (exchange.endpoint === 'token.create') return tokenSights(exchange, data);
  return [];
}

function tokenSights(exchange: Exchange, data: Fields): readonly Sight[] {
  const evidence = [exchange.id];
  const subject = exchange.party;
  const lifetime = data['expires_in'];
  const audience = exchange.claims?.['aud'];
  const sights: Sight[] = [];
  if (typeof lifetime === 'number' && lifetime > 0) {
    const answer = `${lifetime}s`;
    sights.push({ gap: 'token.lifetime', answer, subject, evidence });
  }
  if (audience !== undefined) {
    const answer = Array.isArray(audience) ? 'list' : 'string';
    sights.push({ gap: 'token.audience_form', answer, subject, evidence });
  }
  return sights;
}

/** How a token is signed: what its own header says. */
export function algorithmOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(atobUrl(token.split('.')[0] ?? ''));
    return isObject(header) && typeof header['alg'] === 'string' ? header['alg'] : undefined;
  } catch {
    return undefined;
  }
}

const atobUrl = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'));
