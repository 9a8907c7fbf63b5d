import type { Exchange } from '../history/records.ts';
import { isRefusal } from './answers.ts';
import type { JsonObject } from './json.ts';

/** Under these amounts a quote at the rate "1" can be accepted, whichever way rates are written. */
const usualAmounts = { target_amount: '1000.00', source_amount_max: '2000.00' };

export interface OrderParts {
  /** So many random hexadecimal digits for a field: what identifies an order must be used once only. */
  readonly hex: (digits: number, field: string) => string;
  /** The identifiers of parties, as far as they are known: where one is not, it is made up. */
  readonly senderCustodian: string | undefined;
  readonly receiver: string | undefined;
  readonly receiverCustodian: string | undefined;
  /** What this target insists on in every order. */
  readonly defaults?: JsonObject;
  /** Fields that come before all others. */
  readonly changes?: JsonObject;
}

const madeUpReceiver = 'Receiver::';

/** Whether a receiver is none that a backend could know. */
export const isMadeUp = (receiver: unknown): boolean => String(receiver).startsWith(madeUpReceiver);

/** Statuses that speak of who asks, and not of whom an order names. */
const aboutTheAsker: readonly (number | undefined)[] = [401, 403, 405];

/** Whether a creation was refused for what it asked: a target may know no party that had to be made up (gap `order.party_check`). */
export const mayMissAParty = (exchange: Exchange): boolean =>
  exchange.endpoint === 'order.create' &&
  isRefusal(exchange) &&
  !aboutTheAsker.includes(exchange.response?.status);

/** The body of an order that every reading of the document admits. */
export function orderBody(parts: OrderParts): JsonObject {
  const { hex, defaults, changes } = parts;
  const custodian = (known: string | undefined, field: string): string =>
    known ?? `Custodian::${hex(40, field)}`;
  return {
    sender_custodian_party_id: custodian(parts.senderCustodian, 'sender_custodian_party_id'),
    intent_signature: hex(128, 'intent_signature'),
    receiver_party_id: receiverOf(parts),
    receiver_custodian_party_id: custodian(parts.receiverCustodian, 'receiver_custodian_party_id'),
    source_contract_id: `${hex(64, 'source_contract_id')}#0`,
    source_currency: 'USD',
    target_amount: usualAmounts.target_amount,
    target_currency: 'EUR',
    source_amount_max: usualAmounts.source_amount_max,
    memo: `assay ${hex(12, 'memo')}`,
    ...defaults,
    ...changes,
  };
}

/** Drawn in either case, so that the other draws are the same whether or not the receiver is known. */
function receiverOf({ hex, receiver }: OrderParts): string {
  const madeUp = `${madeUpReceiver}${hex(40, 'receiver_party_id')}`;
  return receiver ?? madeUp;
}
