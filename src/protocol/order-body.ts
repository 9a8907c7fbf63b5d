import type { Exchange } from '../history/records.ts';
import { isRefusal } from './answers.ts';
import type { JsonObject } from './json.ts';

/** With these amounts a quote at the rate "1" can be accepted in either rate orientation. */
const usualAmounts = { target_amount: '1000.00', source_amount_max: '2000.00' };

export interface OrderParts {
  /** Draws random hexadecimal digits for a field: identifiers of an order must be used only once. */
  readonly hex: (digits: number, field: string) => string;
  /** Identifiers of parties; an unknown one is made up. */
  readonly senderCustodian: string | undefined;
  readonly receiver: string | undefined;
  readonly receiverCustodian: string | undefined;
  /** Fields that this target requires in every order. */
  readonly defaults?: JsonObject;
  /** Fields that override all others. */
  readonly changes?: JsonObject;
}

const madeUpReceiver = 'Receiver::';

/** True if the receiver was made up, so that no backend can know it. */
export const isMadeUp = (receiver: unknown): boolean => String(receiver).startsWith(madeUpReceiver);

/** Statuses about the caller, not about the parties that an order names. */
const aboutTheAsker: readonly (number | undefined)[] = [401, 403, 405];

/**
 * True if a creation was refused because of its contents: a target may not know a made-up party (gap
 * `order.party_check`).
 */
export const mayMissAParty = (exchange: Exchange): boolean =>
  exchange.endpoint === 'order.create' &&
  isRefusal(exchange) &&
  !aboutTheAsker.includes(exchange.response?.status);

/** Body of an order that is valid under every reading of the document. */
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

/** Always draws, so that the other draws are the same whether or not the receiver is known. */
function receiverOf({ hex, receiver }: OrderParts): string {
  const madeUp = `${madeUpReceiver}${hex(40, 'receiver_party_id')}`;
  return receiver ?? madeUp;
}
