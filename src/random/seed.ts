/** A 64-bit seed from decimal digits or from `0x` and hexadecimal ones; undefined for anything else. */
export function parseSeed(text: string): bigint | undefined {
  if (!/^(?:[0-9]{1,20}|0x[0-9a-fA-F]{1,16})$/.test(text)) return undefined;
  const seed = BigInt(text);
  return seed < 1n << 64n ? seed : undefined;
}

/** Canonical text of a seed: `0x` and sixteen hexadecimal digits. */
export const formatSeed = (seed: bigint): string =>
  `0x${BigInt.asUintN(64, seed).toString(16).padStart(16, '0')}`;
