import { type FormName, forms } from '../spec/forms.ts';

/**
 * Condition on a value, if there is no single expected value. Scenarios use the same form: `{ one_of: [EXPIRED, FAILED]
 * }`. `words` are for people only: no code reads them.
 */
export type Must =
  | { readonly one_of: readonly unknown[] }
  | { readonly absent: true }
  | { readonly answered: '2xx' }
  | { readonly refused: '4xx' }
  | { readonly form: FormName }
  | { readonly at_least?: string | number; readonly at_most?: string | number }
  | { readonly words: string };

/** "one of EXPIRED, FAILED". */
export function mustText(must: Must): string {
  if ('words' in must) return must.words;
  if ('one_of' in must) return `one of ${must.one_of.map(String).join(', ')}`;
  if ('absent' in must) return 'absent or null';
  if ('answered' in must) return 'a success (2xx)';
  if ('refused' in must) return 'a refusal (4xx)';
  if ('form' in must) return forms[must.form].describes;
  return Object.entries(must)
    .map(([bound, value]) => `${bound.replace('_', ' ')} ${value}`)
    .join(' and ');
}
