import { cast, castNames } from '../../spec/requirements/requirement.ts';
import { roles } from '../../spec/vocabulary.ts';
import type { Place, YamlEntry, YamlNode } from '../../yaml/index.ts';
import { clientMethods, Credentials, Participant, Secret, TokenSources } from './json-schema.ts';
import type { Routes } from './route-section.ts';
import type {
  ClientAuthentication,
  KeySource,
  Participant as DeclaredParty,
  TokenSource,
} from './target-file.ts';
import type { TargetReader } from './target-reader.ts';

export function readParticipants(
  node: YamlNode | undefined,
  keysOfAll: KeyNodes,
  routes: Routes,
  reader: TargetReader,
): readonly DeclaredParty[] {
  const map = reader.map(node, 'the participants');
  if (!map) return [];
  if (map.entries.length === 0) {
    reader.add(map.place, 'no participant is declared', {
      expected: `at least one of ${castNames.join(', ')}`,
    });
  }
  const ofAll = readKeySource(keysOfAll, reader);
  return map.entries.flatMap((entry) => readParticipant(entry, ofAll, routes, reader) ?? []);
}

function readParticipant(
  { key, keyPlace, value }: YamlEntry,
  keysOfAll: PlacedKeys | undefined,
  routes: Routes,
  reader: TargetReader,
): DeclaredParty | undefined {
  const name = castNames.find((one) => one === key);
  if (name === undefined) reader.unknownKey(key, keyPlace, 'the participants', castNames);
  const fields = reader.object(value, 'a participant', Participant);
  const role = reader.word(fields?.role, roles);
  const baseUrl = reader.url(fields?.base_url);
  const token = readToken(fields?.token, reader);
  const route = routes.of(fields ?? {});
  const keys = readKeySource(fields ?? {}, reader) ?? keysOfAll;
  if (name === undefined || role === undefined || baseUrl === undefined || !token) return undefined;
  if (cast[name] !== role && fields?.role) {
    reader.add(fields.role.place, `${name} is declared as ${role}`, { expected: cast[name] });
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

function readKeySource(
  { jwks_uri: uri, issuer }: KeyNodes,
  reader: TargetReader,
): PlacedKeys | undefined {
  const jwksUri = reader.requestUrl(uri);
  const url = reader.url(issuer);
  if (uri && issuer) {
    return reader.add(issuer.place, 'the keys of an issuer have one address', {
      expected: 'jwks_uri, or issuer, whose metadata name it',
    });
  }
  if (uri && jwksUri !== undefined) return { source: { jwksUri }, place: uri.place };
  return issuer && url !== undefined ? { source: { issuer: url }, place: issuer.place } : undefined;
}

const tokenForms = '{ env: NAME }, { command: [...] } or { client_credentials: {...} }';

function readToken(node: YamlNode | undefined, reader: TargetReader): TokenSource | undefined {
  if (!node) return { kind: 'own' };
  if (node.kind !== 'map') {
    return reader.wrong(node, tokenForms, 'a token itself does not belong in a file');
  }
  const fields = reader.object(node, 'a token source', TokenSources);
  if (node.entries.length !== 1) {
    return reader.add(node.place, 'a token source names exactly one way', {
      expected: tokenForms,
    });
  }
  if (fields?.env) {
    const env = reader.env(fields.env);
    return env && { kind: 'env', variable: env.variable, token: env.value };
  }
  if (fields?.command) return readCommand(fields.command, reader);
  return fields?.client_credentials && readCredentials(fields.client_credentials, reader);
}

function readCommand(node: YamlNode, reader: TargetReader): TokenSource | undefined {
  const what = 'a program and its arguments, as a list of strings';
  if (node.kind !== 'list') return reader.wrong(node, what);
  const words = node.items.map((item) => reader.text(item, 'a string'));
  const [program, ...rest] = words;
  if (words.length === 0) return reader.add(node.place, 'the command is empty', { expected: what });
  if (program === undefined) return undefined;
  const args = rest.filter((word) => word !== undefined);
  return args.length === rest.length ? { kind: 'command', command: [program, ...args] } : undefined;
}

function readCredentials(node: YamlNode, reader: TargetReader): TokenSource | undefined {
  const fields = reader.object(node, 'client_credentials', Credentials);
  if (!fields) return undefined;
  if ((fields.token_url === undefined) === (fields.issuer === undefined)) {
    return reader.add(node.place, 'client_credentials have one address', {
      expected: 'token_url, or issuer, whose metadata name the token endpoint',
    });
  }
  const tokenUrl = reader.requestUrl(fields.token_url);
  const issuer = reader.url(fields.issuer);
  const at = tokenUrl !== undefined ? { tokenUrl } : issuer !== undefined ? { issuer } : undefined;
  const clientId = reader.text(fields.client_id, 'a client id');
  const authentication = readAuthentication(node.place, fields, reader);
  const scope = reader.text(fields.scope, 'a scope');
  const audience = reader.text(fields.audience, 'an audience');
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
  reader: TargetReader,
): ClientAuthentication | undefined {
  const usual = fields.key ? 'private_key_jwt' : 'client_secret_post';
  const method = fields.method ? reader.word(fields.method, clientMethods) : usual;
  if (method === undefined) return undefined;
  const lacks = (key: string): undefined =>
    reader.add(place, `${method} needs a ${key}`, { expected: `${key}, or another method` });
  switch (method) {
    case 'client_secret_post':
    case 'client_secret_basic': {
      if (!fields.client_secret) return lacks('client_secret');
      const { client_secret: node } = fields;
      if (node.kind !== 'map')
        return reader.wrong(node, '{ env: NAME }', 'a secret itself does not belong in a file');
      const secret = reader.env(reader.object(node, 'a secret', Secret)?.env);
      return secret && { method, secret: secret.value, variable: secret.variable };
    }
    case 'private_key_jwt': {
      if (!fields.key) return lacks('key');
      const key = reader.keyMaterial(fields.key, 'key');
      const alg = reader.text(fields.alg, 'an algorithm');
      const kid = reader.text(fields.kid, 'a key id');
      return key === undefined
        ? undefined
        : { method, key, ...(alg !== undefined && { alg }), ...(kid !== undefined && { kid }) };
    }
    case 'tls_client_auth':
      return { method };
  }
}
