import type { IncomingMessage } from 'node:http';
import type { Strictness } from './dialect.ts';
import { Refusal } from './refusal.ts';

/** Reading and validation of request bodies. */

const required = [
  'sender_custodian_party_id',
  'intent_signature',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  'source_currency',
  'target_amount',
  'target_currency',
  'source_amount_max',
];

export async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 100_000) throw new Refusal('form', 'too_large');
  }
  return text;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('form', 'not_json');
  }
}

const decimal = /^\d{1,18}(?:\.(\d{1,10}))?$/;
const positive = (value: unknown, decimals = 10): boolean =>
  typeof value === 'string' &&
  /[1-9]/.test(value) &&
  decimal.test(value) &&
  (decimal.exec(value)?.[1] ?? '').length <= decimals;

/** Refuses fields that are not asked for, if the house does. */
function refuseOthers(
  given: Record<string, unknown>,
  known: readonly string[],
  { unknownRefused }: Strictness,
): void {
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (unknownRefused && other !== undefined) throw new Refusal('form', other);
}

/** @param isKnown whether a party is one of this peer */
export function checkedOrder(
  body: unknown,
  strict: Strictness,
  isKnown: (party: string) => boolean,
): Record<string, string> {
  const given = (body ?? {}) as Record<string, unknown>;
  refuseOthers(given, [...required, 'memo'], strict);
  if (strict.unknownRefused && !['string', 'undefined'].includes(typeof given.memo))
    throw new Refusal('form', 'memo');
  for (const name of required) {
    if (typeof given[name] !== 'string' || given[name] === '') throw new Refusal('form', name);
  }
  for (const name of ['target_amount', 'source_amount_max']) {
    if (!positive(given[name], strict.amountDecimals)) throw new Refusal('form', name);
  }
  for (const name of [
    'sender_custodian_party_id',
    'receiver_party_id',
    'receiver_custodian_party_id',
  ]) {
    const hasForm = strict.anyForm || /^.+::[0-9a-f]+$/i.test(String(given[name]));
    if (!hasForm || (strict.knownParties && !isKnown(String(given[name]))))
      throw new Refusal('form', name);
  }
  if (!strict.anyForm && !/^(0x)?[0-9a-f]+#\d+$/i.test(String(given.source_contract_id)))
    throw new Refusal('form', 'source_contract_id');
  const names = [...required, ...(typeof given.memo === 'string' ? ['memo'] : [])];
  return Object.fromEntries(names.map((name) => [name, String(given[name])]));
}

export function checkedQuote(
  body: unknown,
  strict: Strictness,
): {
  fx_rate: string;
  target_amount: string;
  valid_until: string;
} {
  const given = (body ?? {}) as Record<string, unknown>;
  const { fx_rate, target_amount, valid_until } = given;
  refuseOthers(given, ['fx_rate', 'target_amount', 'valid_until'], strict);
  if (!positive(fx_rate) || !positive(target_amount, strict.amountDecimals))
    throw new Refusal('form', 'amount');
  if (typeof valid_until !== 'string' || Number.isNaN(Date.parse(valid_until)))
    throw new Refusal('form', 'valid_until');
  return { fx_rate: String(fx_rate), target_amount: String(target_amount), valid_until };
}

/** The states of orders and of quotes, which lists may be filtered by. */
export const statuses: readonly string[] = [
  'PENDING',
  'QUOTED',
  'EXECUTING',
  'SETTLED',
  'EXPIRED',
  'FAILED',
  'ACCEPTED',
  'REJECTED',
];
