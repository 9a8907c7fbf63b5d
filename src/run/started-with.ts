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
  const { target, baseUrl, checks, set, mutation, maxWait, rate, concurrency } = flags;
  const values = {
    target,
    'base-url': baseUrl,
    checks,
    set,
    mutation,
    'max-wait': maxWait === undefined ? undefined : formatDuration(maxWait),
    rate,
    concurrency,
  };
  return Object.entries(values).flatMap(([name, value = []]) =>
    [value].flat().flatMap((one) => [`--${name}`, String(one)]),
  );
}
