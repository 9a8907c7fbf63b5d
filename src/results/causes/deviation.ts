import type { Deviation } from '../deviations.ts';
import type { Failure } from '../run-report.ts';

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

/** @param status of the deciding answer, where it is one */
export function deviationOf(failure: Failure, status: number | undefined): Deviation {
  const { requirement = '', actual } = failure;
  if (status !== undefined && status >= 500) return 'fault';
  if (failure.deviation !== undefined) return failure.deviation;
  const found = byRequirement.find(([pattern]) => pattern.test(requirement))?.[1];
  // What is denied shows no state at all.
  if (found === 'wrong state' && status !== undefined && status >= 400) return 'refused';
  return found ?? (actual === undefined ? 'other' : 'wrong value');
}
