import { resolve } from 'node:path';
import type { TObject, TProperties } from 'typebox';
import { Problems, type YamlNode } from '../../yaml/index.ts';
import { KeySources } from './json-schema.ts';
import type { FileHost } from './target-file.ts';

const keyForms = '{ file: PATH } or { env: NAME }';

/** Reads the nodes of a target file by their schemas, with access to the machine that the file names things of. */
export class TargetReader extends Problems {
  readonly host: FileHost;

  constructor(file: string, host: FileHost) {
    super(file);
    this.host = host;
  }

  /** The values of a mapping by the keys of its schema. */
  object<Fields extends TProperties>(
    node: YamlNode | undefined,
    what: string,
    schema: TObject<Fields>,
  ): { readonly [name in keyof Fields & string]?: YamlNode } | undefined {
    const names = Object.keys(schema.properties) as (keyof Fields & string)[];
    const needed = (schema.required as readonly string[] | undefined) ?? [];
    return this.fields(node, what, {
      required: names.filter((name) => needed.includes(name)),
      optional: names.filter((name) => !needed.includes(name)),
    });
  }

  /** An address of a service: http or https, no credentials, query or fragment; without a slash at its end. */
  url(node: YamlNode | undefined): string | undefined {
    const text = this.text(node, 'an http or https address');
    if (text === undefined || !node) return undefined;
    const problem = urlProblem(text);
    if (problem === undefined) return text.replace(/\/+$/, '');
    return this.add(node.place, problem, { expected: 'an address such as http://127.0.0.1:9000' });
  }

  /** The URL of a request, used unchanged, with its query. */
  requestUrl(node: YamlNode | undefined): string | undefined {
    const text = this.text(node, 'an http or https address');
    if (text === undefined || !node) return undefined;
    const problem = urlProblem(text.replace(/[?#].*$/s, ''));
    return problem === undefined ? text : this.add(node.place, problem);
  }

  /** A secret from the environment, by the name of its variable. */
  env(node: YamlNode | undefined): EnvValue | undefined {
    const variable = this.text(node, 'the name of an environment variable');
    if (variable === undefined || !node) return undefined;
    const value = this.host.env[variable];
    if (value !== undefined && value !== '') return { variable, value };
    return this.add(node.place, `the environment variable ${variable} is not set`, {
      hint: `run with ${variable}=... in front of the command`,
    });
  }

  /** Text such as a key or a certificate, from a file beside the target file or from the environment. */
  keyMaterial(node: YamlNode | undefined, what: 'key' | 'certificate'): string | undefined {
    if (!node) return undefined;
    if (node.kind !== 'map')
      return this.wrong(node, keyForms, `a ${what} itself does not belong in a target file`);
    const fields = this.object(node, `a ${what}`, KeySources);
    if (node.entries.length !== 1)
      return this.add(node.place, `a ${what} has one source`, { expected: keyForms });
    if (fields?.env) return this.env(fields.env)?.value;
    const path = this.text(fields?.file, `the path of a ${what} file`);
    if (path === undefined || !fields?.file) return undefined;
    const text = this.host.readText(resolve(this.host.directory, path));
    if (text !== undefined) return text;
    const message = `the ${what} file ${JSON.stringify(path)} cannot be read`;
    return this.add(fields.file.place, message, {
      hint: 'the path is relative to the target file',
    });
  }
}

interface EnvValue {
  readonly variable: string;
  readonly value: string;
}

/** The problem of a base URL, as a phrase; undefined if there is none. */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return `${JSON.stringify(text)} is not an address`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `the scheme ${JSON.stringify(url.protocol.slice(0, -1))} is neither http nor https`;
  }
  if (url.username !== '' || url.password !== '') return 'an address must not carry credentials';
  if (url.search !== '' || url.hash !== '') return 'an address must not carry a query or fragment';
  return undefined;
}
