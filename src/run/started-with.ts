import { formatDuration } from '../yaml/index.ts';

/** As much of the command line as decides what is met. */
interface StartFlags {
  readonly target?: string;
  readonly baseUrl?: readonly string[];
  readonly checks?: readonly string[];
  readonly set?: readonly string[];
  readonly mutation?: string;
  readonly maxWait?: number;
  readonly rate?: number;
  readonly concurrency?: number;
}

/**
 * What a replay must be given to meet the same target in the same way, as words of the command line. Paths stay as they
 * were given: whoever reads a report elsewhere has the same files in places of their own.
 */
export function startedWith(flags: StartFlags): readonly string[] {
  const {
    target,
    baseUrl = [],
    checks = [],
    set = [],
    mutation,
    maxWait,
    rate,
    concurrency,
  } = flags;
  const one = (name: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [`--${name}`, String(value)];
  return [
    ...one('target', target),
    ...baseUrl.flatMap((url) => one('base-url', url)),
    ...checks.flatMap((file) => one('checks', file)),
    ...set.flatMap((value) => one('set', value)),
    ...one('mutation', mutation),
    ...one('max-wait', maxWait === undefined ? undefined : formatDuration(maxWait)),
    ...one('rate', rate),
    ...one('concurrency', concurrency),
  ];
}
