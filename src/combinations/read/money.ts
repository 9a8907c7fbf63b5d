import { compare, parseDecimal } from '../../protocol/decimal.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import type { PartOfLife } from '../factors.ts';

/** ISO 4217 currencies in use without decimals. */
const withoutMinorUnit: ReadonlySet<unknown> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

const one = parseDecimal('1');
const tenMillions = parseDecimal('10000000');

export function moneyOf({ sent }: OrderTrace): PartOfLife['money'] {
  const currencies = [sent?.['source_currency'], sent?.['target_currency']];
  if (currencies.some((code) => withoutMinorUnit.has(code))) return 'no-minor-unit';
  const amount = parseDecimal(sent?.['target_amount']);
  if (amount === undefined || one === undefined || tenMillions === undefined) return undefined;
  if (compare(amount, one) < 0) return 'small';
  return compare(amount, tenMillions) >= 0 ? 'large' : 'usual';
}
