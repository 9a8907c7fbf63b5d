import { parseRunId, runIdForm } from '../random/run-id.ts';
import { parseSeed } from '../random/seed.ts';
import { UsageError } from './usage-error.ts';

/** Seed of 64 bits: a whole number, or a string of decimal digits or of `0x` and hexadecimal digits. */
export type Seed = number | bigint | string;

const defaultSeed = 1n;

/** Throws a UsageError if the value is not a seed. */
export function seedOf(given: Seed | undefined): bigint {
  if (given === undefined) return defaultSeed;
  const seed = parseSeed(String(given));
  if (seed !== undefined) return seed;
  const form = 'expected a whole number from 0, digits, or 0x and hexadecimal digits';
  throw new UsageError('seed', [`${JSON.stringify(String(given))} is no seed: ${form}`]);
}

/** Throws a UsageError if the text is not the id of a run. */
export function runIdOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const id = parseRunId(given);
  if (id !== undefined) return id;
  throw new UsageError('seed', [
    `${JSON.stringify(given)} is no id of a run: expected ${runIdForm}`,
  ]);
}
