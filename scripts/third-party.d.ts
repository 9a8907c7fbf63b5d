import type { Metafile } from 'esbuild';

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

export function bundledFiles(metafile: Metafile): readonly string[];
export function packagesOf(root: string, files: readonly string[]): readonly string[];
export function noticeOf(root: string, folder: string): Notice;
export function noticesText(root: string, files: readonly string[]): string;
