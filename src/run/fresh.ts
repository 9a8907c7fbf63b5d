/** A seed that no run had before; whoever draws one prints it, so that the run can be repeated. */
export const freshSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

/** An id that no run had before: what it creates on a target is told from all that others left there. */
export const freshRunId = (): string => freshSeed().toString(36).padStart(13, '0').slice(-10);
