/**
 * All that had to be there, where that is no single value. Scenarios write the same: `{ one_of: [EXPIRED, FAILED] }`.
 * `words` are for people alone: nothing is made of them.
 */
export type Must =
  | { readonly one_of: readonly unknown[] }
  | { readonly absent: true }
  | { readonly answered: '2xx' }
  | { readonly refused: '4xx' }
  | { readonly at_least?: string | number; readonly at_most?: string | number }
  | { readonly words: string };

const bounds = { at_least: 'at least', at_most: 'at most' } as const;

/** "one of EXPIRED, FAILED". */
export function mustText(must: Must): string {
  if ('words' in must) return must.words;
  if ('one_of' in must) return `one of ${must.one_of.map(String).join(', ')}`;
  if ('absent' in must) return 'absent or null';
  if ('answered' in must) return 'a success (2xx)';
  if ('refused' in must) return 'a refusal (4xx)';
  return (['at_least', 'at_most'] as const)
    .flatMap((name) => (must[name] === undefined ? [] : [`${bounds[name]} ${String(must[name])}`]))
    .join(' and ');
}
