import { dirname } from 'node:path';
import { createSecrets } from '../history/secrets/secrets.ts';
import { readTargetFile } from '../target/file/read-target-file.ts';
import { type FileHost, renderSourceErrors } from '../yaml/index.ts';
import type { ChosenTarget } from './open.ts';
import { readText } from './read-text.ts';

export type TargetReading =
  | { readonly ok: true; readonly target: Extract<ChosenTarget, { readonly kind: 'file' }> }
  | {
      readonly ok: false;
      /** `unreadable`: there is no text. `invalid`: the text is wrong; the problem shows its lines. */
      readonly kind: 'unreadable' | 'invalid';
      readonly problem: string;
    };

/** Host of a target file: its key files are read relative to its directory. */
export const hostOf = (path: string, env: FileHost['env']): FileHost => ({
  directory: dirname(path),
  env,
  readText(keyPath) {
    const key = readText(keyPath);
    return key.ok ? key.text : undefined;
  },
});

/** Reads a target file and the keys that it names. `name`: name of the file in messages. */
export function readTarget(
  name: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): TargetReading {
  const read = readText(path);
  if (!read.ok) return { ok: false, kind: 'unreadable', problem: read.reason };
  const result = readTargetFile({ file: name, text: read.text }, hostOf(path, env));
  if (!result.ok) {
    const secrets = createSecrets();
    for (const secret of result.secrets) secrets.add(secret);
    const problem = secrets.maskText(renderSourceErrors(result.errors, read.text));
    return { ok: false, kind: 'invalid', problem };
  }
  return { ok: true, target: { kind: 'file', file: result.target, path, text: read.text } };
}
