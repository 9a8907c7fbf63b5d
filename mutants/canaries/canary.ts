import type { Written } from '../mutation.ts';

/**
 * A defect that shows only where things come together which are harmless alone. The suite's checks are not expected
 * to find it; worlds are.
 */
export interface Canary extends Written {
  /** What must come together, in words. */
  readonly needs: readonly string[];
}

export const canary = (written: Written, ...needs: readonly string[]): Canary => ({
  ...written,
  needs,
});
