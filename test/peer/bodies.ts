import type { IncomingMessage } from 'node:http';
import { Refusal } from './order-book.ts';

/** What a peer takes for a body, and how it reads one. */

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

const amount = /^\d{1,18}(\.\d{1,10})?$/;
const positive = (value: unknown): boolean =>
  typeof value === 'string' && amount.test(value) && /[1-9]/.test(value);

export function checkedOrder(body: unknown): Record<string, string> {
  const given = (body ?? {}) as Record<string, unknown>;
  for (const name of required) {
    if (typeof given[name] !== 'string' || given[name] === '') throw new Refusal('form', name);
  }
  for (const name of ['target_amount', 'source_amount_max']) {
    if (!positive(given[name])) throw new Refusal('form', name);
  }
  for (const name of [
    'sender_custodian_party_id',
    'receiver_party_id',
    'receiver_custodian_party_id',
  ]) {
    if (!/^.+::[0-9a-f]+$/i.test(String(given[name]))) throw new Refusal('form', name);
  }
  if (!/^(0x)?[0-9a-f]+#\d+$/i.test(String(given.source_contract_id)))
    throw new Refusal('form', 'source_contract_id');
  const names = [...required, ...(typeof given.memo === 'string' ? ['memo'] : [])];
  return Object.fromEntries(names.map((name) => [name, String(given[name])]));
}

export function checkedQuote(body: unknown): {
  fx_rate: string;
  target_amount: string;
  valid_until: string;
} {
  const { fx_rate, target_amount, valid_until } = (body ?? {}) as Record<string, unknown>;
  if (!positive(fx_rate) || !positive(target_amount)) throw new Refusal('form', 'amount');
  if (typeof valid_until !== 'string' || Number.isNaN(Date.parse(valid_until)))
    throw new Refusal('form', 'valid_until');
  return { fx_rate: String(fx_rate), target_amount: String(target_amount), valid_until };
}
