/** Of a check or of a requirement, from best to worst; see design contract. */
export const verdicts = [
  'pass',
  'out_of_scope',
  'not_exercised',
  'inconclusive',
  'warn',
  'fail',
  'error',
] as const;
export type Verdict = (typeof verdicts)[number];

export type Outcome = 'conformant' | 'nonconformant' | 'incomplete' | 'error';
