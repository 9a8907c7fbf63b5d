import { type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { gapIds, gaps } from '../../spec/gaps/index.ts';
import { cast, castNames, controls } from '../../spec/requirements/requirement.ts';

/**
 * Schema of a target file: the one list of its keys, its required keys and its words. Editors get it as JSON Schema;
 * `readTargetFile` reads by it and also reports, with a place and a hint, the problems that no schema can find: a
 * variable that is not set, a missing key file, an unknown placeholder.
 */

const closed = <Fields extends TProperties>(fields: Fields, options: TSchemaOptions = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });

const optional = <Fields extends TProperties>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties;

const text = (options: TSchemaOptions = {}) => Type.String({ minLength: 1, ...options });
const address = (description: string) => Type.String({ pattern: '^https?://', description });
const duration = Type.String({ pattern: '^(\\d+(\\.\\d+)?(d|h|m|s|ms))+$' });

/** An object with some of these names, all with a value of one kind. */
const named = <Name extends string>(
  names: readonly Name[],
  schemaOf: (name: Name) => TSchema,
  options: TSchemaOptions,
) => {
  const fields = names.map((name) => [name, Type.Optional(schemaOf(name))] as const);
  return closed(Object.fromEntries(fields) as TProperties, options);
};

export const Secret = closed(
  { env: text() },
  { description: 'Where the secret is: never in the file itself.' },
);

/** A choice between objects of one key each. */
const oneKeyOf = (sources: TProperties, options: TSchemaOptions = {}) =>
  Type.Union(
    Object.entries(sources).map(([name, schema]) => closed({ [name]: schema })),
    options,
  );

const keySources = { file: text(), env: text() };
export const KeySources = Type.Partial(closed(keySources));

export const clientMethods = [
  'client_secret_post',
  'client_secret_basic',
  'private_key_jwt',
  'tls_client_auth',
] as const;

/** With `token_url` or `issuer`; with `client_secret`, `key` or neither. */
export const Credentials = closed({
  ...optional({
    token_url: address('The token endpoint.'),
    issuer: address('The authorization server, whose metadata name the token endpoint.'),
  }),
  client_id: text(),
  ...optional({
    method: Type.Union(
      clientMethods.map((method) => Type.Literal(method)),
      { description: 'How the client authenticates. Without it, the secret or the key decides.' },
    ),
    client_secret: Secret,
    key: oneKeyOf(keySources, { description: 'The private key, as PEM or JWK.' }),
    alg: text({ description: 'The algorithm of the key. Without it, the key decides.' }),
    kid: text(),
    scope: text(),
    audience: text(),
  }),
});

/** Each source of a token is an object of one key. */
const tokenSources = {
  env: text(),
  command: Type.Array(Type.String(), { minItems: 1 }),
  client_credentials: Credentials,
};
export const TokenSources = Type.Partial(closed(tokenSources));

const headers = Type.Object(
  {},
  {
    additionalProperties: Type.Union([Type.String(), Secret]),
    description: 'Headers that a gateway wants with each request: a text, or { env: NAME }.',
  },
);

export const Tls = closed(
  optional({
    ca: oneKeyOf(keySources, { description: 'Certificates to trust, in PEM.' }),
    cert: oneKeyOf(keySources, { description: 'The client certificate, in PEM.' }),
    key: oneKeyOf(keySources, { description: 'Its private key, in PEM.' }),
    passphrase: Secret,
    server_name: text({
      description: 'The host name in the certificate, if it is not that of the address.',
    }),
  }),
  { description: 'How connections are secured.' },
);

/** At most one of the two. */
const issuerKeys = {
  jwks_uri: address('The public keys that tokens are verified with.'),
  issuer: address('The issuer of tokens, whose metadata name its public keys.'),
};

const participant = (role: string) =>
  closed({
    role: Type.Literal(role),
    base_url: address('May carry a path.'),
    ...optional({
      headers,
      tls: Tls,
      ...issuerKeys,
      token: oneKeyOf(tokenSources, {
        description: "Where its token comes from; without it, the party's own POST /auth/token.",
      }),
    }),
  });
export const Participant = participant('');

export const Request = closed({ post: address('Where to.'), body: Type.Optional(Type.Unknown()) });
const request = (description: string) => closed(Request.properties, { description });

export const Now = closed({ get: address('Tells the time.'), at: Type.Optional(Type.String()) });

const SystemClock = closed({ kind: Type.Literal('system'), max_wait: Type.Optional(duration) });
const ControlledClock = closed({
  kind: Type.Literal('controlled'),
  max_wait: Type.Optional(duration),
  now: Now,
  advance: request('Moves the time: $ms, $to or $to_iso in its body say how far.'),
});

/** Keys of both kinds of clock; the reader checks that they fit the kind. */
export const Clock = closed({
  ...ControlledClock.properties,
  kind: Type.Union([SystemClock.properties.kind, ControlledClock.properties.kind]),
  now: Type.Optional(Now),
  advance: Type.Optional(Request),
});

export const algorithms = [
  'EdDSA',
  'ES256',
  'ES384',
  'RS256',
  'PS256',
  'HS256',
  'HS384',
  'HS512',
] as const;

export const Signing = closed(
  {
    alg: Type.Enum([...algorithms]),
    kid: Type.Optional(text()),
    private_key: oneKeyOf(keySources),
  },
  { description: "Lets the suite mint expired and forged tokens with the target's own key." },
);

const fieldsOfOrder = Type.Object({});
export const ControlByOrder = closed({ order: fieldsOfOrder });
export const Orders = closed(
  { defaults: Type.Optional(fieldsOfOrder) },
  { description: 'Fields for every order.' },
);

/** The one control that concerns no order. */
export const restartControl = 'restart';
const restart = request('Ends the target and starts it again; answers once it is there.');
const control = Type.Union([ControlByOrder, request('$intent_id is the order.')]);

export const TargetDocument = closed({
  name: text({ description: 'What the target is called in reports.' }),
  participants: named(castNames, (name) => participant(cast[name]), {
    description: 'The parties of the cast that the target has, and where they are.',
    minProperties: 1,
  }),
  ...optional({
    clock: Type.Union([SystemClock, ControlledClock], {
      description: 'Whose time it is. Without it, the target keeps its own.',
    }),
    headers,
    tls: Tls,
    proxy: text({
      description:
        'The HTTP proxy for every address, or none. Without it, HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide.',
    }),
    insecure: Type.Boolean({
      description: 'Accept any certificate. Only for addresses of this machine.',
    }),
    ...issuerKeys,
    correlation: Type.Literal('none', {
      description: 'Send no traceparent and no x-request-id. For targets that refuse them.',
    }),
    signing: Signing,
    controls: named(
      [...controls, restartControl],
      (name) => (name === restartControl ? restart : control),
      {
        description: 'How orders of this target can be made to fail, and the target be restarted.',
      },
    ),
    orders: Orders,
    gaps: named(gapIds, (id) => Type.Unknown({ description: gaps[id].question }), {
      description: 'Answers to what the document leaves open, so that they need not be found.',
    }),
    alone: Type.Boolean({ description: 'Whether nobody else uses the target while a run is on.' }),
  }),
});

/** The JSON Schema of target files, for editors. */
export const targetSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Assay target file',
  ...TargetDocument,
};
