import { parseTimestamp } from '../spec/forms.ts';
import { sameJson } from './json.ts';
import { namesOfForm } from '../spec/resources.ts';
import {
  compare,
  parseDecimal,
  isProductWithin,
  equalNumbers,
  significantScale,
} from './decimal.ts';

const amounts = new Set(namesOfForm('decimal'));
const timestampFields = new Set(namesOfForm('timestamp'));
const caseless = new Set((['uuid', 'hex', 'contract'] as const).flatMap(namesOfForm));
const parties = new Set(namesOfForm('party'));

/** A party identifier with the hexadecimal digits behind its name in one case; the name goes by the letter. */
export const plainParty = (id: string): string =>
  id.replace(/::[^:]*$/, (fingerprint) => fingerprint.toLowerCase());

/** Milliseconds of a moment in any notation; values that we sent may lack milliseconds. */
const instantOf = (value: unknown): number | undefined => {
  const strict = parseTimestamp(value);
  if (strict !== undefined || typeof value !== 'string') return strict;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
};

/**
 * True if two values of a field are equivalent: amounts are compared as numbers, since trailing zeros are open (gap
 * `money.format`); moments as instants; hexadecimal digits ignoring case; all other values exactly.
 */
export function equalValues(field: string, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // Objects are compared as JSON even if the field should hold a text.
  if (typeof a === 'object' && typeof b === 'object') return sameJson(a, b);
  if (amounts.has(field)) return equalNumbers(a, b) === true;
  if (timestampFields.has(field)) {
    const [left, right] = [instantOf(a), instantOf(b)];
    return left !== undefined && left === right;
  }
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  if (parties.has(field)) return plainParty(a) === plainParty(b);
  return caseless.has(field) && a.toLowerCase() === b.toLowerCase();
}

/**
 * True if the values are equal, or if one is the other rounded to the decimals that it shows.
 * @param least minimum number of decimals of the rounding, if it shows fewer
 */
export function equalUpToRounding(a: unknown, b: unknown, least = 0): boolean | undefined {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (!left || !right) return undefined;
  const [coarse, fine] = left.scale <= right.scale ? [left, right] : [right, left];
  if (significantScale(fine) <= coarse.scale) return compare(left, right) === 0;
  const last = { digits: 1n, scale: Math.max(coarse.scale, least) };
  return isProductWithin(coarse, { digits: 1n, scale: 0 }, fine, last);
}
