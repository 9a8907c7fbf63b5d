import type { RunOutcome, Verdict } from '../results/verdicts.ts';

/** Words for verdicts. */
export const verdictLabels: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  out_of_scope: 'out of scope',
  not_exercised: 'not exercised',
  inconclusive: 'inconclusive',
  warn: 'warning',
  fail: 'fail',
  error: 'error',
};

/** Verdicts, the most important for a reader first. */
export const verdictOrder: readonly Verdict[] = [
  'error',
  'fail',
  'warn',
  'inconclusive',
  'not_exercised',
  'out_of_scope',
  'pass',
];

export const outcomeLabels: Readonly<Record<RunOutcome, string>> = {
  conformant: 'conformant: nothing that was judged is violated',
  nonconformant: 'nonconformant: the interface is violated',
  incomplete: 'incomplete: too little could be judged',
  error: 'error: the suite itself broke',
};

/** Words for the outcome of the rules in a play, apart from its scenarios. */
export const playLabels: Readonly<Record<RunOutcome, string>> = {
  conformant: 'the rules found nothing violated',
  nonconformant: 'the rules found the interface violated',
  incomplete: 'the rules had nothing to judge',
  error: 'a rule broke',
};

const partTitles: Readonly<Record<string, string>> = {
  preface: 'Preface',
  conventions: 'Conventions',
  1: 'The service and its roles',
  2: 'Resources and fields',
  3: 'States and transitions',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
};

export const partTitle = (root: string): string =>
  (Object.hasOwn(partTitles, root) && partTitles[root]) || root;
/** All but the preface and the conventions. */
export const isNumbered = (part: string): boolean => Number.parseInt(part, 10) > 0;
/** "4 Endpoints", "Preface". */
export const partHeading = (root: string): string =>
  isNumbered(root) ? `${root} ${partTitle(root)}` : partTitle(root);
/** "part 4.2", "the preface". */
export const partName = (part: string): string =>
  isNumbered(part) ? `part ${part}` : `the ${part}`;

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

const longest = 400;

/** A value in one line, cut to a readable length. Text with line breaks or tabs is written as JSON. */
export function brief(value: unknown, most = longest): string {
  const isPlain = typeof value === 'string' && !/[\r\n\t]/.test(value);
  const text = isPlain ? value : (JSON.stringify(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** The first line of a text that may have more. */
export const firstLine = (text: string): string => brief(text.split('\n')[0], 160);

/** Expected and actual value with their names, each in one line. Absent values are left out. */
export const valuesOf = (
  { expected, actual }: { readonly expected?: unknown; readonly actual?: unknown },
  most?: number,
): readonly (readonly [name: string, value: string])[] =>
  Object.entries({ expected, actual }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, brief(value, most)] as const],
  );
