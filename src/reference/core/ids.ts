import { hash } from 'node:crypto';

const variants = '89ab';

/**
 * Version 4 UUID from 32 random hex digits. Joined, not concatenated with `+`: V8 keeps a concatenated string as a tree
 * of its pieces, and a map with such a key keeps the tree beside the text.
 */
export function uuidOf(entropy: string): string {
  const hex = entropy.toLowerCase();
  const variant = variants[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Stands for the hash of the ledger's transaction: 64 hex digits that only this settlement has. */
export const transactionHash = (intentId: string, quoteId: string, entropy: string): string =>
  hash('sha256', `${intentId}/${quoteId}/${entropy}`);
