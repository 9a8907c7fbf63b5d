import { resolve } from 'node:path';
import {
  type At,
  bare,
  described,
  literalText,
  mapShape,
  oneSource,
  type Shape,
} from '../../yaml/index.ts';

export const text = (what: string): Shape<string> => bare(literalText(what));

/** The problem of a base URL, as a phrase; undefined if there is none. */
export function urlProblem(written: string): string | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url) return `${JSON.stringify(written)} is not an address`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `the scheme ${JSON.stringify(url.protocol.slice(0, -1))} is neither http nor https`;
  }
  if (url.username !== '' || url.password !== '') return 'an address must not carry credentials';
  if (url.search !== '' || url.hash !== '') return 'an address must not carry a query or fragment';
  return undefined;
}

const http: Shape<At<string>> = {
  ...literalText('an http or https address'),
  schema: { type: 'string', pattern: '^https?://' },
};

/** An address of a service: http or https, no credentials, query or fragment; without a slash at its end. */
export const address = (description: string): Shape<At<string>> =>
  described(
    mapShape(http, ({ value, at }, reader) => {
      const problem = urlProblem(value);
      if (problem === undefined) return { value: value.replace(/\/+$/, ''), at };
      return reader.add(at, problem, { expected: 'an address such as http://127.0.0.1:9000' });
    }),
    description,
  );

/** The URL of a request, used unchanged, with its query. */
export const requestUrl = (description: string): Shape<At<string>> =>
  described(
    mapShape(http, (url, reader) => {
      const problem = urlProblem(url.value.replace(/[?#].*$/s, ''));
      return problem === undefined ? url : reader.add(url.at, problem);
    }),
    description,
  );

interface EnvValue {
  readonly variable: string;
  readonly value: string;
}

/** A value of the environment, by the name of its variable. */
export const fromEnv: Shape<EnvValue> = mapShape(
  literalText('the name of an environment variable'),
  ({ value: variable, at }, reader) => {
    const value = reader.host.env[variable];
    if (value !== undefined && value !== '') return { variable, value };
    return reader.add(at, `the environment variable ${variable} is not set`, {
      hint: `run with ${variable}=... in front of the command`,
    });
  },
);

export const secret: Shape<EnvValue> = described(
  bare(oneSource('a secret', '{ env: NAME }', { env: fromEnv })),
  'Where the secret is: never in the file itself.',
);

const fileText = (what: string): Shape<string> =>
  mapShape(literalText(`the path of a ${what} file`), ({ value: path, at }, reader) => {
    const found = reader.host.readText(resolve(reader.host.directory, path));
    if (found !== undefined) return found;
    return reader.add(at, `the ${what} file ${JSON.stringify(path)} cannot be read`, {
      hint: 'the path is relative to the target file',
    });
  });

/** Text such as a key or a certificate, from a file beside the target file or from the environment. */
export const keyMaterial = (what: 'key' | 'certificate'): Shape<string> =>
  bare(
    oneSource(`a ${what}`, '{ file: PATH } or { env: NAME }', {
      file: fileText(what),
      env: mapShape(fromEnv, ({ value }) => value),
    }),
  );
