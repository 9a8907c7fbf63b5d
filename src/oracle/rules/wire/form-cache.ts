import { type FormName, hasForm } from '../../../spec/forms.ts';

/** Tells if a value has a form. Equal values come over and over, and a calendar is slow: each value is tried once. */
export function formCache(): (form: FormName, value: unknown) => boolean {
  const byForm = new Map<FormName, Map<unknown, boolean>>();
  return (form, value) => {
    const known = byForm.get(form) ?? new Map<unknown, boolean>();
    byForm.set(form, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    const has = hasForm(form, value);
    known.set(value, has);
    return has;
  };
}
