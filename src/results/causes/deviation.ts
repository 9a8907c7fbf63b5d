import { isObject } from '../../history/json.ts';
import type { Failure } from '../run-report.ts';

/** Kinds of departure, each with how a title says it of a place. */
export const deviations = {
  'no answer': 'is not answered',
  fault: 'is answered with a fault of the server',
  refused: 'is refused where it must be granted',
  'let through': 'is granted where it must be refused',
  'other status': 'is refused with another status than it must',
  'not sent': 'is not sent where it is due',
  repeated: 'comes more than once',
  'to others': 'goes to parties that it is not for',
  'out of order': 'comes before its cause, or out of order',
  'late or early': 'comes too late or too early',
  'gives away': 'tells what must stay hidden',
  'left out': 'leaves out what it must hold',
  'too much': 'holds what it must not',
  'too early': 'is set before its time',
  missing: 'is missing',
  'wrong form': 'does not have its form',
  changed: 'changes where it must stay',
  'wrong state': 'shows a state that nothing explains',
  'wrong value': 'has another value than it must',
  other: 'departs from what the document says',
} as const;
export type Deviation = keyof typeof deviations;

/** Deviations of a whole request or event: no field of a body is to blame. */
export const wholeDeviations: ReadonlySet<string> = new Set<Deviation>([
  'no answer',
  'fault',
  'refused',
  'let through',
  'other status',
  'not sent',
  'repeated',
  'to others',
  'late or early',
  'out of order',
  'left out',
  'too much',
]);

/** By what the id of a requirement ends with or has in it; the first that fits counts. */
const byRequirement: readonly (readonly [RegExp, Deviation])[] = [
  [/hides-|keeps-winner-secret|sees-no-sender|not-told-apart/, 'gives away'],
  [/^event\..*\.(?:not-to-|own-stream)|^event\.own-stream/, 'to others'],
  [/^event\..*\.(?:once|only-on-change)$/, 'repeated'],
  [
    /^event\.(?:after-cause|in-order)|\.(?:not-while-open|only-settled|only-after-quote)$/,
    'out of order',
  ],
  [/heartbeat-interval|event\.live|limit\.|stays-open/, 'late or early'],
  [
    /^event\..*\.(?:sent|on-[\w-]+|to-[\w-]+|every-quote|order-stream|maker-stream|during-traffic)$|^event\.every-open|all-of-that-order|unfiltered-has-all/,
    'not sent',
  ],
  [/\.not-before-|reason\.only-when|reason\.not-when/, 'too early'],
  [
    /\.present$|\.set-on-|\.returns-(?:fx|source|market)|\.has-|\.sets-|data-present|meta-present|wraps-every|pagination-on-lists$/,
    'missing',
  ],
  [
    /\.form$|^convention\.|\.is-jwt$|-is-object$|-is-array$|object-or-array|payload-json|not-empty/,
    'wrong form',
  ],
  [/\.unchanged$|terms-unchanged|\.stable$/, 'changed'],
  [
    /\.complete$|pages-complete|listed-afterwards|holds-|-included$|still-listed|same-for-every/,
    'left out',
  ],
  [
    /own-only|won-only|custodied-only|settled-only|-left(?:-out)?$|status-filter$|(?:quotes|filter)\.only-that-|pages-disjoint|on-lists-only|request-closes|empty-without/,
    'too much',
  ],
  [
    /\.state\.|returns-pending|returns-quoted|never-settles|order-settles|order-to-settlement|settlement\.atomic|four-legs|stays-pending/,
    'wrong state',
  ],
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** What the status of the deciding answer, and what was expected of it, say. */
function ofAnswer(
  { expected, message }: Failure,
  status: number | undefined,
): Deviation | undefined {
  const wanted = isText(expected) ? expected : '';
  if (status !== undefined && status >= 500) return 'fault';
  if (/^a (?:success|token) \(2xx\)/.test(wanted)) return 'refused';
  if (status !== undefined && status >= 400 && /could not be (?:accepted|cancelled)/.test(message))
    return 'refused';
  if (expected === 401 && status !== undefined && status >= 400) return 'other status';
  if (/^a (?:refusal \(4xx\)|4xx status)/.test(wanted) || expected === 401) return 'let through';
  return /did not refuse|answered with success|could not be judged/.test(message)
    ? 'let through'
    : undefined;
}

/** Two views that differ in what one of them does not have. */
function isAbsentOnOneSide({ message, expected, actual }: Failure): boolean {
  if (!/\bdiffered in\b/.test(message) || !isObject(expected) || !isObject(actual)) return false;
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return (
    names.length === 0 ||
    names.some((name) => (expected[name] ?? null) === null || (actual[name] ?? null) === null)
  );
}

/** @param status of the deciding answer, where it is one */
export function deviationOf(failure: Failure, status: number | undefined): Deviation {
  const { requirement = '', actual, message } = failure;
  const ofStatus = ofAnswer(failure, status);
  if (ofStatus !== undefined) return ofStatus;
  if (/^no [a-z_]+ went /.test(message)) return 'not sent';
  if (message.startsWith('a settlement was shown of an order that ended ')) return 'too much';
  if (isAbsentOnOneSide(failure) || /\bdid not show\b/.test(message)) return 'missing';
  const found = byRequirement.find(([pattern]) => pattern.test(requirement))?.[1];
  // What is denied shows no state at all.
  if (found === 'wrong state' && status !== undefined && status >= 400) return 'refused';
  if (found !== undefined) return found;
  if (/was missing|was not set|without|lacked/.test(message) && actual === undefined)
    return 'missing';
  return actual === undefined ? 'other' : 'wrong value';
}
