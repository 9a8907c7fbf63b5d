import { cast, type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import {
  type Place,
  type Problems,
  readMap,
  readText,
  readWord,
  unknownKey,
  type YamlEntry,
  type YamlNode,
} from '../../yaml/index.ts';
import {
  clientMethods,
  Credentials,
  Participant,
  readObject,
  Secret,
  TokenSources,
} from './json-schema.ts';
import { readKeyMaterial } from './key-material.ts';
import type { Routes } from './route-section.ts';
import type { KeySource } from './target-file.ts';
import type {
  ClientAuthentication,
  FileHost,
  Participant as DeclaredParty,
  TokenSource,
} from './target-file.ts';
import { readEnv, readRequestUrl, readUrl } from './url-and-env-values.ts';

export function readParticipants(
  node: YamlNode | undefined,
  keysOfAll: KeyNodes,
  routes: Routes,
  host: FileHost,
  problems: Problems,
): readonly DeclaredParty[] {
  const map = node && readMap(node, 'the participants', problems);
  if (!map) return [];
  if (map.entries.length === 0) {
    problems.add(map.place, 'no participant is declared', {
      expected: `at least one of ${castNames.join(', ')}`,
    });
  }
  const ofAll = readKeySource(keysOfAll, problems);
  return map.entries.flatMap(
    (entry) => readParticipant(entry, ofAll, routes, host, problems) ?? [],
  );
}

function readParticipant(
  { key, keyPlace, value }: YamlEntry,
  keysOfAll: PlacedKeys | undefined,
  routes: Routes,
  host: FileHost,
  problems: Problems,
): DeclaredParty | undefined {
  const name = castNames.find((one) => one === key);
  if (name === undefined) unknownKey(key, keyPlace, 'the participants', castNames, problems);
  const fields = readObject(value, 'a participant', Participant, problems);
  const role = readWord(fields?.role, roles, problems);
  const baseUrl = readUrl(fields?.base_url, problems);
  const token = readToken(fields?.token, host, problems);
  const route = routes.of(fields ?? {});
  const keys = readKeySource(fields ?? {}, problems) ?? keysOfAll;
  if (name === undefined || role === undefined || baseUrl === undefined || !token) return undefined;
  if (!roleFits(name, role) && fields?.role) {
    problems.add(fields.role.place, `${name} is declared as ${role}`, { expected: cast[name] });
  }
  const places = {
    name: keyPlace,
    role: fields?.role?.place ?? keyPlace,
    baseUrl: fields?.base_url?.place ?? keyPlace,
    token: fields?.token?.place ?? keyPlace,
    keys: keys?.place ?? keyPlace,
  };
  return { name, role, baseUrl, token, route, ...(keys && { keys: keys.source }), places };
}

/** Keys of a file, or of one of its participants, that name the source of the issuer's public keys. */
interface KeyNodes {
  readonly jwks_uri?: YamlNode;
  readonly issuer?: YamlNode;
}

interface PlacedKeys {
  readonly source: KeySource;
  readonly place: Place;
}

function readKeySource(nodes: KeyNodes, problems: Problems): PlacedKeys | undefined {
  const jwksUri = readRequestUrl(nodes.jwks_uri, problems);
  const issuer = readUrl(nodes.issuer, problems);
  if (nodes.jwks_uri && nodes.issuer) {
    return problems.add(nodes.issuer.place, 'the keys of an issuer have one address', {
      expected: 'jwks_uri, or issuer, whose metadata name it',
    });
  }
  if (nodes.jwks_uri && jwksUri !== undefined)
    return { source: { jwksUri }, place: nodes.jwks_uri.place };
  if (nodes.issuer && issuer !== undefined)
    return { source: { issuer }, place: nodes.issuer.place };
  return undefined;
}

const roleFits = (name: CastName, role: Role): boolean => cast[name] === role;

const tokenForms = '{ env: NAME }, { command: [...] } or { client_credentials: {...} }';

function readToken(
  node: YamlNode | undefined,
  host: FileHost,
  problems: Problems,
): TokenSource | undefined {
  if (!node) return { kind: 'own' };
  if (node.kind !== 'map') {
    return problems.wrong(node, tokenForms, 'a token itself does not belong in a file');
  }
  const fields = readObject(node, 'a token source', TokenSources, problems);
  if (node.entries.length !== 1) {
    return problems.add(node.place, 'a token source names exactly one way', {
      expected: tokenForms,
    });
  }
  if (fields?.env) {
    const env = readEnv(fields.env, host.env, problems);
    return env && { kind: 'env', variable: env.variable, token: env.value };
  }
  if (fields?.command) return readCommand(fields.command, problems);
  return fields?.client_credentials && readCredentials(fields.client_credentials, host, problems);
}

function readCommand(node: YamlNode, problems: Problems): TokenSource | undefined {
  const what = 'a program and its arguments, as a list of strings';
  if (node.kind !== 'list') return problems.wrong(node, what);
  const words = node.items.map((item) => readText(item, 'a string', problems));
  const [program, ...rest] = words;
  if (words.length === 0)
    return problems.add(node.place, 'the command is empty', { expected: what });
  if (program === undefined) return undefined;
  const args = rest.filter((word) => word !== undefined);
  return args.length === rest.length ? { kind: 'command', command: [program, ...args] } : undefined;
}

function readCredentials(
  node: YamlNode,
  host: FileHost,
  problems: Problems,
): TokenSource | undefined {
  const fields = readObject(node, 'client_credentials', Credentials, problems);
  if (!fields) return undefined;
  if ((fields.token_url === undefined) === (fields.issuer === undefined)) {
    return problems.add(node.place, 'client_credentials have one address', {
      expected: 'token_url, or issuer, whose metadata name the token endpoint',
    });
  }
  const tokenUrl = readRequestUrl(fields.token_url, problems);
  const issuer = readUrl(fields.issuer, problems);
  const at = tokenUrl !== undefined ? { tokenUrl } : issuer !== undefined ? { issuer } : undefined;
  const clientId = readText(fields.client_id, 'a client id', problems);
  const authentication = readAuthentication(node.place, fields, host, problems);
  const scope = readText(fields.scope, 'a scope', problems);
  const audience = readText(fields.audience, 'an audience', problems);
  if (at === undefined || clientId === undefined || authentication === undefined) return undefined;
  return {
    kind: 'client_credentials',
    at,
    clientId,
    authentication,
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
  };
}

type CredentialFields = {
  readonly [key in 'method' | 'client_secret' | 'key' | 'alg' | 'kid']?: YamlNode;
};

/** Uses the method that is named; without one, the method that fits the given credentials. */
function readAuthentication(
  place: Place,
  fields: CredentialFields,
  host: FileHost,
  problems: Problems,
): ClientAuthentication | undefined {
  const usual = fields.key ? 'private_key_jwt' : 'client_secret_post';
  const method = fields.method ? readWord(fields.method, clientMethods, problems) : usual;
  if (method === undefined) return undefined;
  const lacks = (key: string): undefined =>
    problems.add(place, `${method} needs a ${key}`, { expected: `${key}, or another method` });
  switch (method) {
    case 'client_secret_post':
    case 'client_secret_basic': {
      if (!fields.client_secret) return lacks('client_secret');
      const secret = readSecret(fields.client_secret, host, problems);
      return secret && { method, secret: secret.value, variable: secret.variable };
    }
    case 'private_key_jwt': {
      if (!fields.key) return lacks('key');
      const key = readKeyMaterial(fields.key, 'key', host, problems);
      const alg = readText(fields.alg, 'an algorithm', problems);
      const kid = readText(fields.kid, 'a key id', problems);
      return key === undefined
        ? undefined
        : { method, key, ...(alg !== undefined && { alg }), ...(kid !== undefined && { kid }) };
    }
    case 'tls_client_auth':
      return { method };
  }
}

function readSecret(
  node: YamlNode | undefined,
  host: FileHost,
  problems: Problems,
): { readonly variable: string; readonly value: string } | undefined {
  if (!node) return undefined;
  if (node.kind !== 'map') {
    return problems.wrong(node, '{ env: NAME }', 'a secret itself does not belong in a file');
  }
  const fields = readObject(node, 'a secret', Secret, problems);
  return readEnv(fields?.env, host.env, problems);
}
