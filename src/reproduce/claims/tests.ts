import { isObject } from '../../history/json.ts';
import { type FormName, forms, hasForm } from '../../spec/forms.ts';
import { namesOfForm } from '../../spec/resources.ts';
import type { Test } from '../steps.ts';
import { plain } from '../steps.ts';
import { type Case, reference } from './evidence.ts';

const formByWords = new Map(
  (Object.entries(forms) as [FormName, { readonly describes: string }][]).map(
    ([name, { describes }]) => [describes, name] as const,
  ),
);

const states = /^[A-Z][A-Z_]+(?:(?:, | or |, then )[A-Z][A-Z_]+)*$/;

/** What an expectation in words or as a value comes to; the likeliest first. */
export function testsFor(expected: unknown, actual: unknown, one: Case, field?: string): Test[] {
  const otherwise: Test[] =
    actual === undefined || actual === null
      ? [{ test: 'present' }]
      : isObject(actual) || Array.isArray(actual)
        ? []
        : [{ test: 'differs', value: plain(actual) }];
  const form = formOf(field);
  const byName: Test[] =
    form && actual !== undefined && !hasForm(form, actual) ? [{ test: 'form', form }] : [];
  return [...byName, ...testsOf(expected, otherwise, one, field)];
}

const formNames = Object.keys(forms) as FormName[];

/** The form that the document gives all fields of a name. */
const formOf = (field: string | undefined): FormName | undefined =>
  field === undefined ? undefined : formNames.find((form) => namesOfForm(form).includes(field));

function testsOf(expected: unknown, otherwise: Test[], one: Case, field?: string): Test[] {
  if (expected === null) return [{ test: 'absent' }, ...otherwise];
  if (expected === undefined) return [...otherwise, { test: 'absent' }];
  if (typeof expected !== 'string') {
    return [{ test: 'equals', value: reference(expected, one, field) }, ...otherwise];
  }
  const form = formByWords.get(expected);
  if (form) return [{ test: 'form', form }];
  if (expected.startsWith('an integer')) return [{ test: 'count' }];
  if (/^(absent|no memo|nothing|neither)/.test(expected)) return [{ test: 'absent' }, ...otherwise];
  const choices = /^one of (.+)$/.exec(expected)?.[1];
  if (choices !== undefined) return [{ test: 'one_of', values: choices.split(', ') }];
  const mostly = /^at most (-?[\d.]+)$/.exec(expected)?.[1];
  if (mostly !== undefined) return [{ test: 'at_most', value: plain(mostly) }];
  if (states.test(expected)) {
    return [{ test: 'one_of', values: expected.split(/, then |, | or /) }, ...otherwise];
  }
  return [{ test: 'equals', value: reference(expected, one, field) }, ...otherwise];
}
