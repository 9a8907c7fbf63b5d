import type { CallOptions } from '../../src/client/contract.ts';

/** Bodies that are no JSON under any reading: none of them is merely a lenient dialect of it. */
export function notJson(
  valid: object,
): readonly { readonly name: string; readonly sent: string }[] {
  const text = JSON.stringify(valid);
  return [
    { name: 'cut short', sent: text.slice(0, -2) },
    { name: 'prose', sent: 'please create an order' },
    { name: 'markup', sent: '<order><target_amount>1000.00</target_amount></order>' },
    {
      name: 'a form',
      sent: new URLSearchParams(
        Object.entries(valid).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString(),
    },
  ];
}

/**
 * Values that are decimal numbers in no notation. Without signs, exponents, leading zeros and blanks, since the
 * admissible notation is open (gap `money.input`); without null and the empty text, which may count as a missing field.
 */
export const notDecimal: readonly unknown[] = [
  'abc',
  '12.3.4',
  'NaN',
  'Infinity',
  '0x1F',
  '12abc',
  true,
  { amount: '1000.00' },
];

/** Values that name no moment. A date that overflows its month is not among them: some libraries carry it over. */
export const notTimestamp: readonly unknown[] = [
  'soon',
  'tomorrow at noon',
  '2031-13-01T00:00:00.000Z',
  true,
  { at: '2031-01-01T00:00:00.000Z' },
];

/** A call's body with one field left out. */
export const bodyWithout = (
  body: Readonly<Record<string, unknown>>,
  field: string,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

export const sentAsText = (sent: string): CallOptions => ({ rawBody: sent });
