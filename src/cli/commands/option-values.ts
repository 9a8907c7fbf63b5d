import { InvalidArgumentError } from 'commander';
import { parseRunId, runIdForm } from '../../random/run-id.ts';
import { parseSeed } from '../../random/seed.ts';
import type { RequiredCoverage } from '../../results/coverage.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Shard } from '../../suite/engine/plan.ts';
import { durationForm, parseDuration } from '../../yaml/duration.ts';
import { freshSeed } from '../../run/fresh.ts';

/** Parsers of option values. The library reports their errors with the name of the option. */

export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError(`Expected ${durationForm}.`);
  return ms;
}

export function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,7}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected a whole number above zero.');
}

export function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('Expected a port, 0 to 65535; 0 takes a free one.');
}

/** A seed of 64 bits, or the word `random` for any. */
export function seed(text: string): bigint {
  const value = text === 'random' ? freshSeed() : parseSeed(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Expected digits, 0x and hexadecimal digits, or "random".');
}

/** The id of a run, as a run printed it. */
export function runId(text: string): string {
  const value = parseRunId(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Expected ${runIdForm}.`);
}

/** A moment, as a timestamp of the interface or in milliseconds since the epoch. */
export function moment(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : parseTimestamp(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Expected a timestamp such as 2030-01-01T00:00:00.000Z.');
}

/** Required coverage: `80%`, or `full`. */
export function coverage(text: string): RequiredCoverage {
  const percent = Number(/^(\d{1,3})%$/.exec(text)?.[1]);
  if (percent > 0 && percent <= 100) return { kind: 'percent', percent };
  if (text === 'full') return { kind: 'full' };
  throw new InvalidArgumentError('Expected 1% to 100%, or "full".');
}

/** One part of the checks: `2/4` is every fourth of them, from the second on. */
export function shard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { of, from: index - 1, to: index };
  throw new InvalidArgumentError('Expected a part and how many there are: 1/4, 2/4, ...');
}

export const collect = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/** `NAME=VALUE`, one for each option. */
export function assignments(text: string, before?: readonly string[]): readonly string[] {
  if (/^[A-Za-z_]\w*=/.test(text)) return collect(text, before);
  throw new InvalidArgumentError('Expected NAME=VALUE, such as amount=12.50.');
}
