import type { RequirementId } from '../spec/requirements/index.ts';
import { parseDecimal, significantScale } from '../protocol/decimal.ts';
import { equalUpToRounding, equalValues } from '../protocol/equality.ts';
import { isSet } from '../protocol/json.ts';
import type { Findings } from './findings.ts';
import type { Snapshot } from './trace/snapshots.ts';
import type { OrderTrace } from './trace/traces.ts';

/** Amounts that a backend works out, which two of its resources may show with different numbers of decimals. */
const computed = new Set([
  'source_amount_actual',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
]);
const roundedAlike = (field: string, a: unknown, b: unknown): boolean =>
  computed.has(field) && equalUpToRounding(a, b) === true;

/** Amounts that a target shows with their cents answer for those of which it shows none. */
const withCents = 'with cents';
const showsCents = (field: string, value: unknown): boolean => {
  const amount = computed.has(field) ? parseDecimal(value) : undefined;
  return amount !== undefined && significantScale(amount) > 0;
};

/** Judges that a field shows its known value. Judges nothing if either side has no value. */
export function expectEqual<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  field: string,
  required: { readonly value: unknown; readonly source: string },
  { value, source, via }: Snapshot,
): void {
  const found = value[field];
  if (!isSet(found) || !isSet(required.value)) return;
  const isSame = equalValues(field, required.value, found);
  const isRounded = !isSame && roundedAlike(field, required.value, found);
  const violation = () => ({
    message: `${field} in ${via} was not what it should be`,
    fields: [field],
    expected: required.value,
    actual: found,
    evidence: [required.source, source],
  });
  // Rounding of amounts is open (gap `money.format`), but lost cents deserve a warning.
  if (isRounded && equalUpToRounding(required.value, found, 2) === false) {
    const message = `${field} in ${via} was right but for its cents`;
    findings.warn(requirement, {
      ...violation(),
      message,
      departure: 'cents-cut',
      circumstances: withCents,
    });
  } else if (isSame && showsCents(field, found)) {
    findings.pass(requirement, source, 1, withCents);
  } else findings.assert(requirement, isSame || isRounded, source, violation);
}

/** The first value that any whole snapshot of an order set, with its source. */
export const shownByOrder = (
  trace: OrderTrace,
  field: string,
): { value: unknown; source: string } => {
  const found = trace.snapshots.find(({ value, whole }) => whole && isSet(value[field]));
  return { value: found?.value[field], source: found?.source ?? '' };
};
