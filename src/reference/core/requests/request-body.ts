import { type FormName, hasForm } from '../../../spec/forms.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { OrderRequest, QuoteRequest } from '../../../spec/resources.ts';
import { isAmount } from '../money.ts';
import type { BodyPolicy } from '../policy/orders.ts';
import { type Refusal, refuse, shown } from '../errors.ts';
import type { ReadResult } from './handler.ts';

/** Forms of the fields of a body, in the document's order. */
const formsOf = <Name extends string>(resource: { readonly properties: Record<Name, unknown> }) =>
  Object.fromEntries(fieldsOf(resource).map(({ name, form }) => [name, form])) as Readonly<
    Record<Name, FormName>
  >;
const orderForms = formsOf(OrderRequest);
const quoteForms = formsOf(QuoteRequest);

const expected: Readonly<Record<FormName, string>> = {
  uuid: 'a UUID',
  party: 'a party identifier such as Name::1a2b',
  contract: 'a contract identifier such as 1a2b#0',
  hex: 'hexadecimal digits',
  decimal: 'a decimal number as a string, without needless zeros before it',
  currency: 'a currency code',
  timestamp: 'a real UTC moment such as 2026-01-31T00:00:00.000Z',
  text: 'text without NUL or half characters',
};

/** Text that cannot be stored or sent on as it came: NUL, and halves of a surrogate pair. */
const unstorable = /\0|\p{Cs}/u;

/** Zeros before a number, which some read as octal (gap `money.input`). */
const isPadded = (decimal: string): boolean => /^-?0[0-9]/.test(decimal);

function checkField(
  name: string,
  form: FormName,
  value: unknown,
  policy: BodyPolicy,
): Refusal | undefined {
  const at = `/${name}`;
  if (typeof value !== 'string') {
    const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return refuse('invalid_type', `${name} is of type ${found}, expected a string`, at);
  }
  const longest = policy.textLengths[name] ?? 64;
  if (value.length > longest) {
    return refuse(
      'invalid_value',
      `${name} has ${value.length} characters, at most ${longest}`,
      at,
    );
  }
  if (unstorable.test(value) || !hasForm(form, value) || (form === 'decimal' && isPadded(value))) {
    return refuse('invalid_form', `${name} is ${shown(value)}, expected ${expected[form]}`, at);
  }
  if (form === 'decimal' && !isAmount(value, policy.amounts)) {
    const { integerDigits, decimals } = policy.amounts;
    const range = `more than zero, with at most ${integerDigits} digits before and ${decimals} after the point`;
    return refuse('invalid_value', `${name} is ${shown(value)}, expected ${range}`, at);
  }
  return undefined;
}

/** Reads known fields out of an unchecked body: own members only, so that no name means more than it says. */
function readFields<Name extends string>(
  body: unknown,
  forms: Readonly<Record<Name, FormName>>,
  required: readonly Name[],
  policy: BodyPolicy,
): ReadResult<{ readonly [name in Name]?: string }> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse('malformed_body', 'the body is not a JSON object', '');
  }
  const given = body as Readonly<Record<string, unknown>>;
  if (policy.unknownFields === 'refuse') {
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(forms, name));
    if (unknown !== undefined) {
      const pointer = `/${unknown.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return refuse('unknown_field', `${shown(unknown)} is not a known field`, pointer);
    }
  }
  const fields: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(forms) as Name[]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    // A field is not set if it is null or absent.
    if (value === undefined || (value === null && !required.includes(name))) {
      if (!required.includes(name)) continue;
      return refuse('missing_field', `${name} is missing`, `/${name}`);
    }
    const refusal = checkField(name, forms[name], value, policy);
    if (refusal !== undefined) return refusal;
    fields[name] = value as string;
  }
  return { ok: true, input: fields };
}

export const readOrderFields = (body: unknown, policy: BodyPolicy) =>
  readFields(body, orderForms, policy.requiredOfOrder, policy);

export const readQuoteFields = (body: unknown, policy: BodyPolicy) =>
  readFields(body, quoteForms, policy.requiredOfQuote, policy);
