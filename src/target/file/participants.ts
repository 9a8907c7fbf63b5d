import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import {
  anyText,
  type At,
  bare,
  described,
  listOf,
  mapShape,
  namedOf,
  oneOf,
  oneSource,
  type ReadBy,
  type Reader,
  record,
  type Shape,
} from '../../yaml/index.ts';
import type { Route } from '../../client/http/route.ts';
import { routeKeys, routeOf } from './route-section.ts';
import type { ClientAuthentication, KeySource, Participant, TokenSource } from './target-file.ts';
import { address, fromEnv, keyMaterial, requestUrl, secret, text } from './values.ts';

/** Keys of a file and of each of its participants that name the source of the issuer's public keys. */
export const issuerKeys = {
  jwks_uri: requestUrl('The public keys that tokens are verified with.'),
  issuer: address('The issuer of tokens, whose metadata name its public keys.'),
};

export function keySourceOf(
  { jwks_uri: jwksUri, issuer }: { readonly [key in keyof typeof issuerKeys]?: At<string> },
  reader: Reader,
): At<KeySource> | undefined {
  if (jwksUri && issuer) {
    return reader.add(issuer.at, 'the keys of an issuer have one address', {
      expected: 'jwks_uri, or issuer, whose metadata name it',
    });
  }
  if (jwksUri) return { value: { jwksUri: jwksUri.value }, at: jwksUri.at };
  return issuer && { value: { issuer: issuer.value }, at: issuer.at };
}

const methods = [
  'client_secret_post',
  'client_secret_basic',
  'private_key_jwt',
  'tls_client_auth',
] as const satisfies readonly ClientAuthentication['method'][];

const credentialKeys = record(
  'client_credentials',
  {
    token_url: requestUrl('The token endpoint.'),
    issuer: address('The authorization server, whose metadata name the token endpoint.'),
    client_id: text('a client id'),
    method: described(
      bare(oneOf('', methods)),
      'How the client authenticates. Without it, the secret or the key decides.',
    ),
    client_secret: secret,
    key: described(keyMaterial('key'), 'The private key, as PEM or JWK.'),
    alg: described(text('an algorithm'), 'The algorithm of the key. Without it, the key decides.'),
    kid: text('a key id'),
    scope: text('a scope'),
    audience: text('an audience'),
  },
  ['client_id'],
);

/** Uses the method that is named; without one, the method that fits the given credentials. */
function authenticationOf(
  { at, client_secret: given, key, alg, kid, ...read }: ReadBy<typeof credentialKeys>,
  reader: Reader,
): ClientAuthentication | undefined {
  const { method = key === undefined ? 'client_secret_post' : 'private_key_jwt' } = read;
  const lacks = (what: string): undefined =>
    reader.add(at, `${method} needs a ${what}`, { expected: `${what}, or another method` });
  switch (method) {
    case 'client_secret_post':
    case 'client_secret_basic':
      if (!given) return lacks('client_secret');
      return { method, secret: given.value, variable: given.variable };
    case 'private_key_jwt':
      if (key === undefined) return lacks('key');
      return { method, key, ...(alg !== undefined && { alg }), ...(kid !== undefined && { kid }) };
    case 'tls_client_auth':
      return { method };
  }
}

const credentials: Shape<TokenSource> = mapShape(credentialKeys, (read, reader) => {
  const { token_url: tokenUrl, issuer, client_id: clientId, scope, audience } = read;
  if ((tokenUrl === undefined) === (issuer === undefined)) {
    return reader.add(read.at, 'client_credentials have one address', {
      expected: 'token_url, or issuer, whose metadata name the token endpoint',
    });
  }
  const authentication = authenticationOf(read, reader);
  return (
    authentication && {
      kind: 'client_credentials',
      at: issuer ? { issuer: issuer.value } : { tokenUrl: tokenUrl?.value ?? '' },
      clientId,
      authentication,
      ...(scope !== undefined && { scope }),
      ...(audience !== undefined && { audience }),
    }
  );
});

const program = 'a program and its arguments, as a list of strings';
const words = listOf(bare(anyText('a string')), program);
const command: Shape<TokenSource> = {
  ...mapShape(words, ([first = '', ...rest]) => ({ kind: 'command', command: [first, ...rest] })),
  read(node, reader) {
    if (node.kind === 'list' && node.items.length === 0)
      return reader.add(node.place, 'the command is empty', { expected: program });
    const [first, ...rest] = words.read(node, reader) ?? [];
    return first === undefined ? undefined : { kind: 'command', command: [first, ...rest] };
  },
};

const token = described(
  oneSource('a token', '{ env: NAME }, { command: [...] } or { client_credentials: {...} }', {
    env: mapShape(fromEnv, ({ variable, value }): TokenSource => {
      return { kind: 'env', variable, token: value };
    }),
    command,
    client_credentials: credentials,
  }),
  "Where its token comes from; without it, the party's own POST /auth/token.",
);

const anyRole = oneOf('', roles);
const roleOf = (name: CastName): Shape<At<Role>> => ({
  read(node, reader) {
    const role = anyRole.read(node, reader);
    if (!role || role.value === cast[name]) return role;
    const expected = cast[name];
    return reader.add(role.at, `${name} is declared as ${role.value}`, { expected });
  },
  schema: { const: cast[name] },
});

const participant = (name: CastName) =>
  mapShape(
    record(
      'a participant',
      {
        role: roleOf(name),
        base_url: address('May carry a path.'),
        ...routeKeys,
        ...issuerKeys,
        token,
      },
      ['role', 'base_url'],
    ),
    (read, reader) => ({ ...read, keys: keySourceOf(read, reader) }),
  );

const parties = namedOf('the participants', castNames, participant);

/** The participants as written, in the order of the file. */
export const participants: typeof parties = {
  ...mapShape(parties, (read, reader, { place }) =>
    read.length > 0
      ? read
      : reader.add(place, 'no participant is declared', {
          expected: `at least one of ${castNames.join(', ')}`,
        }),
  ),
  schema: {
    ...parties.schema,
    description: 'The parties of the cast that the target has, and where they are.',
    minProperties: 1,
  },
};

/** A participant with what the file says for all of them. */
export function participantOf(
  { key: name, at, value: read }: ReadBy<typeof participants>[number],
  route: Route,
  keysOfAll: At<KeySource> | undefined,
): Participant {
  const { role, base_url: baseUrl, token: source } = read;
  const keys = read.keys ?? keysOfAll;
  return {
    name,
    role: role.value,
    baseUrl: baseUrl.value,
    token: source?.value ?? { kind: 'own' },
    route: routeOf(read, route),
    ...(keys && { keys: keys.value }),
    places: {
      name: at,
      role: role.at,
      baseUrl: baseUrl.at,
      token: source?.at ?? at,
      keys: keys?.at ?? at,
    },
  };
}
