/** A seed that no run had before; whoever draws one prints it, so that the run can be repeated. */
export const freshSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
