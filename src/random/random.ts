import { createHash } from 'node:crypto';
import { parseSeed } from './seed.ts';
import { fixedRunId } from './run-id.ts';
import { nextWord, type Xoshiro } from './xoshiro.ts';

/**
 * A stream of pseudo-random draws, fixed by the run's seed and by the stream's name. Identifiers (`hex`, `digits`,
 * `uuid`) depend on the run's id as well: a run that repeats another makes the same choices, and orders of its own.
 */
export interface Random {
  /** Another stream, fixed by this one's name and the new name alone, not by earlier draws. */
  fork(name: string): Random;
  /** A whole number, 0 <= n < bound; bound at most 2^32. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** A new array in random order. */
  shuffle<T>(items: readonly T[]): T[];
  chance(probability: number): boolean;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** Decimal digits, none of them zero: for an amount that no other run asks for. */
  digits(count: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

const words = 2 ** 32;

/** Both digits of every byte: writing a whole word with toString(16) takes ten times as long. */
const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A stream's key: its parent's key, of fixed length, and its name. Two paths of names never share one. */
const keyOf = (parent: Uint8Array, name: string): Uint8Array =>
  createHash('sha256').update(parent).update(name, 'utf8').digest();

function stateOf(key: Uint8Array): Xoshiro {
  const view = new DataView(key.buffer, key.byteOffset);
  // The last word is never zero, so neither is the state.
  return [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12) | 1];
}

function stream(key: Uint8Array, runId: string): Random {
  const state = stateOf(key);
  const identifiers = runId === fixedRunId ? state : stateOf(keyOf(key, `run ${runId}`));

  function below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > words) {
      throw new RangeError(`not a bound: ${bound}`);
    }
    // Draws beyond the last whole multiple would favour small numbers.
    const limit = words - (words % bound);
    for (;;) {
      const drawn = nextWord(state);
      if (drawn < limit) return drawn % bound;
    }
  }

  function pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[below(items.length)] as T;
  }

  function shuffle<T>(items: readonly T[]): T[] {
    const left = [...items];
    for (let end = left.length - 1; end > 0; end -= 1) {
      const other = below(end + 1);
      [left[end], left[other]] = [left[other] as T, left[end] as T];
    }
    return left;
  }

  function hex(digits: number): string {
    let text = '';
    while (text.length < digits) {
      const word = nextWord(identifiers);
      for (let shift = 24; shift >= 0; shift -= 8) text += hexOf[(word >>> shift) & 0xff];
    }
    return text.slice(0, digits);
  }

  function uuid(): string {
    const digits = hex(32);
    const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) & 3];
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join('-');
  }

  return {
    fork: (name) => stream(keyOf(key, name), runId),
    below,
    pick,
    shuffle,
    chance: (probability) => nextWord(state) / words < probability,
    hex,
    digits: (count) =>
      Array.from(
        hex(4 * count).match(/.{4}/g) ?? [],
        (part) => 1 + (Number.parseInt(part, 16) % 9),
      ).join(''),
    uuid,
  };
}

/**
 * The stream that everything random in a run descends from.
 * @param seed 64 bits, or their text (see `parseSeed`; text that is none throws a RangeError).
 * @param runId run whose identifiers are drawn; fixed on the reference, whose histories depend on the seed alone
 */
export function random(seed: bigint | string, name = '', runId: string = fixedRunId): Random {
  const bits = typeof seed === 'bigint' ? seed : parseSeed(seed);
  if (bits === undefined) throw new RangeError(`not a seed: ${seed}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, bits));
  return stream(keyOf(bytes, name), runId);
}
