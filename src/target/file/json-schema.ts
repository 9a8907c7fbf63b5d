import { gapIds, gaps } from '../../spec/gaps/index.ts';
import { cast, castNames, controls } from '../../spec/requirements/requirement.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const address = (description: string): Schema => ({
  type: 'string',
  pattern: '^https?://',
  description,
});
const duration: Schema = { type: 'string', pattern: '^(\\d+(\\.\\d+)?(d|h|m|s|ms))+$' };

const closed = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  description?: string,
): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
  ...(description !== undefined && { description }),
});

const secret = closed({ env: text }, ['env'], 'Where the secret is: never in the file itself.');

const token: Schema = {
  description: "Where its token comes from; without it, the party's own POST /auth/token.",
  anyOf: [
    closed({ env: text }, ['env']),
    closed({ command: { type: 'array', items: { type: 'string' }, minItems: 1 } }, ['command']),
    closed(
      {
        client_credentials: closed(
          {
            token_url: address('The token endpoint.'),
            client_id: text,
            client_secret: secret,
            scope: text,
            audience: text,
          },
          ['token_url', 'client_id', 'client_secret'],
        ),
      },
      ['client_credentials'],
    ),
  ],
};

const participants: Schema = {
  ...closed(
    Object.fromEntries(
      castNames.map((name) => [
        name,
        closed({ role: { const: cast[name] }, base_url: address('May carry a path.'), token }, [
          'role',
          'base_url',
        ]),
      ]),
    ),
    [],
    'The parties of the cast that the target has, and where they are.',
  ),
  minProperties: 1,
};

const template = (description: string): Schema =>
  closed({ post: address('Where to.'), body: {} }, ['post'], description);

const clock: Schema = {
  description: 'Whose time it is. Without it, the target keeps its own.',
  anyOf: [
    closed({ kind: { const: 'system' }, max_wait: duration }, ['kind']),
    closed(
      {
        kind: { const: 'controlled' },
        max_wait: duration,
        now: closed({ get: address('Tells the time.'), at: { type: 'string' } }, ['get']),
        advance: template('Moves the time: $ms, $to or $to_iso in its body say how far.'),
      },
      ['kind', 'now', 'advance'],
    ),
  ],
};

const signing = closed(
  {
    alg: { enum: ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256', 'HS256', 'HS384', 'HS512'] },
    kid: text,
    private_key: { anyOf: [closed({ file: text }, ['file']), closed({ env: text }, ['env'])] },
  },
  ['alg', 'private_key'],
  "Lets the suite mint expired and forged tokens with the target's own key.",
);

const control: Schema = {
  anyOf: [closed({ order: { type: 'object' } }, ['order']), template('$intent_id is the order.')],
};

/** The JSON Schema of target files, for editors; what it admits is read by `readTargetFile`. */
export const targetSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Assay target file',
  ...closed(
    {
      name: { ...text, description: 'What the target is called in reports.' },
      participants,
      clock,
      signing,
      controls: closed(
        Object.fromEntries(controls.map((name) => [name, control])),
        [],
        'How orders of this target can be made to fail.',
      ),
      orders: closed({ defaults: { type: 'object' } }, [], 'Fields for every order.'),
      gaps: closed(
        Object.fromEntries(gapIds.map((id) => [id, { description: gaps[id].question }])),
        [],
        'Answers to what the document leaves open, so that they need not be found.',
      ),
    },
    ['name', 'participants'],
  ),
};
