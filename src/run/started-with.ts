import { formatDuration } from '../yaml/index.ts';

/** Options of the command line that decide which target is tested, and how. */
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
 * Command line words with which a replay tests the same target in the same way. Paths stay as given: a reader on
 * another machine may have the same files elsewhere.
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
