import type { Plugin } from 'esbuild';

export function buildCommand(
  root: string,
  options?: { readonly outdir?: string; readonly replaced?: readonly Plugin[] },
): Promise<readonly string[]>;
