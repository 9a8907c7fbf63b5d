import { type FormName, hasForm } from '../../../spec/forms.ts';

/** Tells whether a value has a form. The same ones turn up over and over, and a calendar is slow: each is tried once. */
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
