import { resolve } from 'node:path';
import { type Problems, readText, type YamlNode } from '../../yaml/index.ts';
import { KeySources, readObject } from './json-schema.ts';
import type { FileHost } from './target-file.ts';
import { readEnv } from './url-and-env-values.ts';

const forms = '{ file: PATH } or { env: NAME }';

/** Text such as a key or a certificate, from a file beside the target file or from the environment. */
export function readKeyMaterial(
  node: YamlNode | undefined,
  what: 'key' | 'certificate',
  host: FileHost,
  problems: Problems,
): string | undefined {
  if (!node) return undefined;
  if (node.kind !== 'map') {
    return problems.wrong(node, forms, `a ${what} itself does not belong in a target file`);
  }
  const fields = readObject(node, `a ${what}`, KeySources, problems);
  if (node.entries.length !== 1)
    return problems.add(node.place, `a ${what} has one source`, { expected: forms });
  if (fields?.env) return readEnv(fields.env, host.env, problems)?.value;
  const path = readText(fields?.file, `the path of a ${what} file`, problems);
  if (path === undefined || !fields?.file) return undefined;
  const text = host.readText(resolve(host.directory, path));
  if (text !== undefined) return text;
  const message = `the ${what} file ${JSON.stringify(path)} cannot be read`;
  return problems.add(fields.file.place, message, {
    hint: 'the path is relative to the target file',
  });
}
