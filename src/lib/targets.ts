import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTarget } from '../run/target-file.ts';
import type { CastName } from '../spec/requirements/requirement.ts';
import { UsageError } from './usage-error.ts';

/** Key of the parsed target file; internal. */
export const reading: unique symbol = Symbol('assay target');

/** A target file that was read and validated. No request was sent to the target yet. */
export interface LoadedTarget {
  /** Name from the file. */
  readonly name: string;
  readonly path: string;
  /** The declared parties, in the order of the file. */
  readonly parties: readonly CastName[];
  readonly [reading]: unknown;
}

/** Parties by their addresses, for a backend on its own clock whose parties issue their own tokens. */
export interface TargetAddresses {
  readonly baseUrls: { readonly [name in CastName]?: string };
}

export interface LoadTargetOptions {
  /** Environment for tokens and keys that the file names as `{ env: NAME }`; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads a target file (docs/target-file.md) and the key files that it names.
 * @param file a path, relative to the working directory, or a file URL
 * @throws UsageError `target`: it cannot be read, or is wrong; the problems show its lines
 */
export async function loadTarget(
  file: string | URL,
  { env = process.env }: LoadTargetOptions = {},
): Promise<LoadedTarget> {
  const path = typeof file === 'string' ? resolve(file) : fileURLToPath(file);
  const name = typeof file === 'string' ? file : basename(path);
  const read = readTarget(name, path, env);
  if (!read.ok) {
    const problem = read.kind === 'unreadable' ? `${name}: ${read.problem}` : read.problem;
    throw new UsageError('target', [problem]);
  }
  const { participants, name: title } = read.target.file;
  const parties = participants.map((one) => one.name);
  const target = { name: title, path, parties, [reading]: read.target };
  // The value may hold tokens and keys, which no test runner must print.
  return Object.defineProperty(target, reading, { enumerable: false });
}
