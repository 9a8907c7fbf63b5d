import { randomBytes } from 'node:crypto';

/** Fixed, so that a run without a word about seeds can be repeated. */
const defaultSeed = 1n;

export const seedOf = (given: bigint | 'random' | undefined): bigint =>
  given === 'random' ? randomBytes(8).readBigUInt64BE() : (given ?? defaultSeed);
