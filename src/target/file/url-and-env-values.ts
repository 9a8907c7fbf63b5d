import { type Problems, readText, type YamlNode } from '../../yaml/index.ts';

/** An address of a service: http or https, no credentials, query or fragment; without a slash at its end. */
export function readUrl(node: YamlNode | undefined, problems: Problems): string | undefined {
  const text = readText(node, 'an http or https address', problems);
  if (text === undefined || !node) return undefined;
  const problem = urlProblem(text);
  if (problem === undefined) return text.replace(/\/+$/, '');
  return problems.add(node.place, problem, {
    expected: 'an address such as http://127.0.0.1:9000',
  });
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

/** The URL of a request, used unchanged, with its query. */
export function readRequestUrl(node: YamlNode | undefined, problems: Problems): string | undefined {
  const text = readText(node, 'an http or https address', problems);
  if (text === undefined || !node) return undefined;
  const problem = urlProblem(text.replace(/[?#].*$/s, ''));
  return problem === undefined ? text : problems.add(node.place, problem);
}

/** A secret from the environment: `{ env: NAME }`. */
export function readEnv(
  node: YamlNode | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: Problems,
): { readonly variable: string; readonly value: string } | undefined {
  const variable = readText(node, 'the name of an environment variable', problems);
  if (variable === undefined || !node) return undefined;
  const value = env[variable];
  if (value !== undefined && value !== '') return { variable, value };
  return problems.add(node.place, `the environment variable ${variable} is not set`, {
    hint: `run with ${variable}=... in front of the command`,
  });
}
