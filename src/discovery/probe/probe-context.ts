import type { CallOptions, Party, Target } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { Random } from '../../random/random.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import {
  dataOf,
  type Fields,
  isObject,
  refused,
  succeeded,
  text,
} from '../../protocol/exchange-queries.ts';

/** Who drives discovery, as the history shows it. */
export const discoveryActor = 'discovery';

/** What probes lay their ground with. */
export interface ProbeContext {
  readonly target: Target;
  readonly random: Random;
  /** A declared party; undefined where the target has none of that name. */
  readonly party: (name: CastName) => Party | undefined;
  /** A body that every reading of the document admits, with changes. */
  readonly body: (changes?: Fields) => Fields;
  /** Creates an order as the sender; undefined where that does not succeed. */
  readonly order: (changes?: Fields) => Promise<ProbeOrder | undefined>;
  /** Orders that probes left open, to be cancelled in the end. */
  readonly leftOpen: string[];
}

export interface ProbeOrder {
  readonly id: string;
  readonly fields: Fields;
  readonly exchange: Exchange;
}

export function createProbeContext(
  target: Target,
  random: Random,
  leftOpen: string[],
): ProbeContext {
  const party = (name: CastName): Party | undefined =>
    target.parties[name] ? target.party(name, discoveryActor) : undefined;
  const outsiderPartyId = (): string | undefined => party('outsider')?.partyId;
  const receiver = (): string => {
    const unknown = `Receiver::${random.hex(40)}`;
    return target.answers.get('order.party_check') === 'known-parties'
      ? (outsiderPartyId() ?? unknown)
      : unknown;
  };
  const body = (changes: Fields = {}): Fields => ({
    sender_custodian_party_id: party('sender_custodian')?.partyId ?? `Custodian::${random.hex(40)}`,
    intent_signature: random.hex(128),
    receiver_party_id: receiver(),
    receiver_custodian_party_id:
      party('receiver_custodian')?.partyId ?? `Custodian::${random.hex(40)}`,
    source_contract_id: `${random.hex(64)}#0`,
    source_currency: 'USD',
    target_currency: 'EUR',
    target_amount: '100.00',
    source_amount_max: '1000.00',
    memo: 'assay discovery',
    ...target.orderDefaults,
    ...changes,
  });
  return {
    target,
    random,
    party,
    body,
    leftOpen,
    async order(changes) {
      const sender = party('sender');
      if (!sender) return undefined;
      const sent = body(changes);
      let exchange = await sender.call('order.create', { body: sent });
      const other = outsiderPartyId();
      // Whether a receiver must be a known party is open (gap `order.party_check`).
      if (refused(exchange) && other !== undefined && sent['receiver_party_id'] !== other) {
        const again = { ...sent, receiver_party_id: other };
        exchange = await sender.call('order.create', { body: again });
      }
      const order = createdOrder(exchange);
      if (order) leftOpen.push(order.id);
      return order;
    },
  };
}

export function createdOrder(exchange: Exchange): ProbeOrder | undefined {
  const fields = dataOf(exchange);
  const id = isObject(fields) ? text(fields['intent_id']) : undefined;
  return isObject(fields) && id !== undefined ? { id, fields, exchange } : undefined;
}

/** What the target's clock shows, at its latest: it may stand hours apart from ours. */
export const targetNow = ({ target }: ProbeContext): number =>
  target.timeline.now() + target.clock.offset.most;

/** A validity that ends before the order does, and not at once. */
export function validityWithinOrder(context: ProbeContext, order: ProbeOrder): string {
  const now = targetNow(context);
  const expires = Date.parse(String(order.fields['expires_at']));
  const lasts = Number.isNaN(expires) ? 20_000 : Math.max(1_000, (expires - now) * 0.8);
  return formatTimestamp(Math.round(now + Math.min(lasts, 600_000)));
}

const shorterValiditiesMs = [25_000, 10_000, 7_600, 5_600, 1_900] as const;

/** Submits a quote as a maker; answers its id where it was taken. */
export async function submitQuote(
  context: ProbeContext,
  order: ProbeOrder,
  changes: Fields = {},
): Promise<{ readonly exchange: Exchange; readonly id: string | undefined } | undefined> {
  const maker = context.party('maker_a');
  if (!maker) return undefined;
  const body = {
    fx_rate: '1',
    target_amount: String(order.fields['target_amount']),
    valid_until: validityWithinOrder(context, order),
    ...changes,
  };
  const submit = (more: Fields): Promise<Exchange> =>
    maker.call('quote.submit', { params: { intent_id: order.id }, body: { ...body, ...more } });
  const first = await submit({});
  let exchange = first;
  // How long a quote may be valid is open (gap `quote.max_validity`): a shorter one, where none was asked for.
  const asked = Date.parse(String(body.valid_until)) - targetNow(context);
  const shorter = shorterValiditiesMs.filter((ms) => ms < asked);
  for (const ms of changes['valid_until'] === undefined ? shorter : []) {
    if (!refused(exchange)) break;
    exchange = await submit({ valid_until: formatTimestamp(targetNow(context) + ms) });
  }
  // Refused however short it was: then for another reason, which the first shows best.
  if (!succeeded(exchange)) return { exchange: first, id: undefined };
  const data = dataOf(exchange);
  return { exchange, id: isObject(data) ? text(data['quote_id']) : undefined };
}

/** Calls as a party if it is declared. */
export const callAs = async (
  context: ProbeContext,
  name: CastName,
  endpoint: Parameters<Party['call']>[0],
  options?: CallOptions,
): Promise<Exchange | undefined> => context.party(name)?.call(endpoint, options);
