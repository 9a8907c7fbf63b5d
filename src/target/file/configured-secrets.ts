import { isSecretName } from '../../history/secrets/names.ts';
import type { FileHost } from '../../yaml/index.ts';

/** A key and its value on one line, in block or flow style; the value is a scalar. */
const pair =
  /(?:^|[\s{,[])(["']?)([\w.-]+)\1[^\S\n]*:\s+("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s,{}[\]#&*|>"'][^,}\]\n]*)/g;
/** A key whose value is a block of the lines below it. */
const blockPair =
  /^([^\S\n]*)(?:-[^\S\n]+)?["']?([\w.-]+)["']?[^\S\n]*:[^\S\n]*[|>][+-]?\d*[^\S\n]*\n((?:\1[^\S\n]+.*\n?|\s*\n)+)/gm;
const userInfo = /:\/\/([^\s/"'@<>]+)@/g;
const parameter = /[?&]([\w.-]+)=([^&\s"'#]+)/g;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]*?)(?:-----END|$)/g;
/** An argument of a command by its name, and what follows it in a list. */
const flag =
  /["']?--?([\w-]+)["']?(?:=|["']?[^\S\n]*,\s*(?:#.*\n\s*)?|\s*\n\s*-\s+)(["']?)([^\s"',\]]+)\2/g;

const envNames = /\benv["']?\s*:\s*["']?([^\s"',}#]+)/g;
/** Usual form of variable names; any other text in their place is a secret by mistake. */
const variable = /^[A-Z_][A-Z0-9_]*$/;

const bare = (written: string): string =>
  written
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();

function* below(pattern: RegExp, text: string): Generator<string> {
  for (const [, , name = '', value = ''] of text.matchAll(pattern)) {
    if (isSecretName(name) && !/^[\w-]+\s*:(?:\s|$)/.test(value)) yield bare(value);
  }
}

/**
 * Secret values that a target file holds or names, which must not be written: literal tokens, secrets and keys, even in
 * wrong places and in a text that is no YAML; credentials in addresses; values of the environment. Reads the text, not
 * the YAML, since an error shows lines of the text.
 */
export function configuredSecrets(text: string, { env }: Pick<FileHost, 'env'>): readonly string[] {
  const found: string[] = [...below(pair, text)];
  for (const [, , name = '', block = ''] of text.matchAll(blockPair)) {
    if (isSecretName(name)) found.push(...block.split('\n').map(bare));
  }
  for (const [, user = ''] of text.matchAll(userInfo)) {
    const [, password = ''] = user.split(':');
    found.push(user, password);
  }
  for (const [, name = '', value = ''] of text.matchAll(parameter)) {
    if (isSecretName(name)) found.push(value, decoded(value));
  }
  for (const [, lines = ''] of text.matchAll(pem)) found.push(...lines.split('\n').map(bare));
  for (const [, name = '', , value = ''] of text.matchAll(flag)) {
    if (isSecretName(name)) found.push(value);
  }
  for (const [, name = ''] of text.matchAll(envNames)) {
    const value = env[name];
    if (value !== undefined) found.push(value);
    else if (!variable.test(name)) found.push(name);
  }
  return [...new Set(found)].filter((one) => one !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
