import type { Written } from '../mutation.ts';

/**
 * A defect that shows only if several conditions hold together that are harmless alone. Worlds should find it; the
 * checks of the suite need not.
 */
export interface Canary extends Written {
  /** Conditions that must hold together, in words. */
  readonly needs: readonly string[];
}

export const canary = (written: Written, ...needs: readonly string[]): Canary => ({
  ...written,
  needs,
});
