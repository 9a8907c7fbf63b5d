import { isObject } from '../../history/json.ts';
import { type FormName, forms, hasForm } from '../../spec/forms.ts';
import { namesOfForm } from '../../spec/resources.ts';
import type { Test } from '../steps.ts';
import { plain } from '../steps.ts';
import { type Case, reference, type Spot } from './evidence.ts';

/** Conditions on the value at a place of a finding, the likeliest first. Playing them shows which one is right. */
export function testsFor(spot: Spot, one: Case): readonly Test[] {
  const { leaf, seen } = spot;
  if (one.deviation === 'missing' || seen === undefined)
    return [{ test: 'present' }, ...expectedTests(spot, one)];
  // Another amount in the same object may be right.
  const { actual = seen } = one;
  const isWrong = leaf === 'status' || seen === (isObject(actual) ? actual[leaf] : actual);
  const otherwise: readonly Test[] =
    isWrong && typeof seen !== 'object' ? [{ test: 'differs', value: reference(seen, one) }] : [];
  const form = formOf(leaf);
  const ofName: readonly Test[] = form && !hasForm(form, seen) ? [{ test: 'form', form }] : [];
  if (one.deviation === 'wrong form') return [...ofName, ...types, ...otherwise];
  const usual = [...ofName, ...expectedTests(spot, one)];
  // A changed field must be present; a field with a wrong value may also have to be absent.
  if (one.deviation === 'changed') return [...usual, ...otherwise];
  const absent: Test = { test: 'absent' };
  return one.deviation === 'wrong value'
    ? [...usual, ...otherwise, absent]
    : [...usual, absent, ...otherwise];
}

/** Conditions for a value in a wrong form: it has another type, or is empty. Text and lists both have a length. */
const types: readonly Test[] = [
  { test: 'count' },
  { test: 'text' },
  { test: 'list' },
  { test: 'object' },
  { test: 'differs', value: plain('') },
];

function expectedTests(spot: Spot, one: Case): readonly Test[] {
  const { must, expected } = one;
  const isEqual = (value: unknown): Test => ({
    test: 'equals',
    value: reference(value, one, spot),
  });
  if (must) {
    if ('absent' in must) return [{ test: 'absent' }];
    if (!('one_of' in must)) return [];
    return [{ test: 'one_of', values: must.one_of }, ...must.one_of.map(isEqual)];
  }
  const value = isObject(expected) ? expected[spot.leaf] : expected;
  if (value === undefined) return [];
  return value === null ? [{ test: 'absent' }] : [isEqual(value)];
}

const formNames = Object.keys(forms) as FormName[];

/** The form that the document gives all fields of a name. */
const formOf = (field: string): FormName | undefined =>
  formNames.find((form) => namesOfForm(form).includes(field));
