import { Decimal } from 'decimal.js';
import { hasForm } from '../../spec/forms.ts';
import { plain, type Problems, readMap, type YamlNode } from '../../yaml/index.ts';
import { Orders, readObject } from './json-schema.ts';

/** What goes into the body of every order, as the file gives it, and what follows from that. */
export function readOrderDefaults(
  node: YamlNode | undefined,
  problems: Problems,
): Readonly<Record<string, unknown>> {
  const fields = readObject(node, 'orders', Orders, problems);
  const map = fields?.defaults && readMap(fields.defaults, 'fields of an order', problems);
  return map ? withMaximum(plain(map) as Record<string, unknown>) : {};
}

/** What orders may cost whose amount is the usual one. */
const usualMaximum = new Decimal(2_000);

/** The maximum for an amount that comes without one: quotes around rate "1" can be accepted under it. */
function withMaximum(defaults: Record<string, unknown>): Record<string, unknown> {
  const { target_amount: amount } = defaults;
  if ('source_amount_max' in defaults || !hasForm('decimal', amount)) return defaults;
  const maximum = Decimal.max(new Decimal(amount).times(2), usualMaximum);
  return { ...defaults, source_amount_max: maximum.toFixed(2) };
}
