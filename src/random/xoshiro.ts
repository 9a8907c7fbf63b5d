/** Four 32-bit words, not all zero. */
export type Xoshiro = [number, number, number, number];

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** xoshiro128** 1.1 by Blackman and Vigna: the next 32 bits as a whole number; the state moves on in place. */
export function nextWord(state: Xoshiro): number {
  const [, second] = state;
  const drawn = Math.imul(rotate(Math.imul(second, 5), 7), 9) >>> 0;
  const shifted = second << 9;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 11);
  return drawn;
}
