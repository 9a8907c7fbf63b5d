import { InvalidArgumentError } from 'commander';
import { durationForm, parseDuration } from '../yaml/duration.ts';
import { parseSeed } from '../random/seed.ts';

/** Readers of option values; the library reports what they throw, with the option's name in front. */

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

/** `random`, or a seed of 64 bits. */
export function seed(text: string): bigint | 'random' {
  if (text === 'random') return text;
  const value = parseSeed(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Expected digits, 0x and hexadecimal digits, or "random".');
}

export const collect = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];
