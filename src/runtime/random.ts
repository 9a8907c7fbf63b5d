/** A stream of pseudo-random draws, fixed by the run's seed and by the stream's name. */
export interface Random {
  /** Another stream, fixed by this one's name and the new name alone, not by what was drawn before. */
  fork(name: string): Random;
  /** A whole number, 0 <= n < bound; bound at most 2^32. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** A new array in random order. */
  shuffle<T>(items: readonly T[]): T[];
  chance(probability: number): boolean;
  /** So many lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}
