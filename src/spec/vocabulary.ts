/** The closed vocabularies of parts 1, 2 and 6. */

export const roles = ['institution', 'custodian', 'market-maker'] as const;
export type Role = (typeof roles)[number];

export const orderStates = [
  'PENDING',
  'QUOTED',
  'EXECUTING',
  'SETTLED',
  'EXPIRED',
  'FAILED',
] as const;
export type OrderState = (typeof orderStates)[number];

export const quoteStates = ['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
export type QuoteState = (typeof quoteStates)[number];

export const failureReasons = [
  'NO_QUOTE',
  'SLIPPAGE',
  'TIMEOUT',
  'REVERT',
  'USER_CANCELLED',
  'OPERATOR_WITHDRAWN',
] as const;
export type FailureReason = (typeof failureReasons)[number];

const lettersIn = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '');
const reasonLetters: ReadonlySet<string> = new Set(failureReasons.map(lettersIn));

/**
 * True for a failure reason in other letters, such as `user_cancelled`: the right reason, but not its value. Any other
 * word may be one of a target's own.
 */
export const isMisspeltReason = (shown: unknown): boolean =>
  typeof shown === 'string' &&
  reasonLetters.has(lettersIn(shown)) &&
  !failureReasons.some((reason) => reason === shown);

/** The document's nine parts, and the two pieces of prose outside of them. */
export const parts = [
  'preface',
  'conventions',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
] as const;
export type PartRoot = (typeof parts)[number];
/** A part or one of its sections, as "2" or "4.2". */
export type Part = PartRoot | `${number}.${number}`;

export const schemaVersion = 'v2';
export const tokenIssuer = 'svc';
export const tokenAudience = 'svc-api';

export const partTitles: Readonly<Record<PartRoot, string>> = {
  preface: 'The preface',
  conventions: 'The conventions of part 2',
  '1': 'Part 1: what the service does',
  '2': 'Part 2: resources and their fields',
  '3': 'Part 3: states and transitions',
  '4': 'Part 4: endpoints',
  '5': 'Part 5: authentication',
  '6': 'Part 6: events',
  '7': 'Part 7: errors',
  '8': 'Part 8: limits',
  '9': 'Part 9: versioning',
};

/** The part that a section belongs to: of `4.2`, part `4`. */
export const rootOf = (part: string): PartRoot => (part.split('.')[0] ?? part) as PartRoot;
