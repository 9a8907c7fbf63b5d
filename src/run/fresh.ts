/** A new seed. The caller must print it, so that the run can be repeated. */
export const freshSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

/** A new run id. It sets the run's resources on a target apart from those of all other runs. */
export const freshRunId = (): string => freshSeed().toString(36).padStart(13, '0').slice(-10);
