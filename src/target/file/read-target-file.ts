import { Decimal } from 'decimal.js';
import { isLoopback } from '../../client/http/route.ts';
import { hasForm } from '../../spec/forms.ts';
import { controls } from '../../spec/requirements/requirement.ts';
import {
  bare,
  described,
  type FileHost,
  type JsonSchema,
  mapShape,
  namedOf,
  oneOf,
  plainMap,
  readYaml,
  record,
  type Shape,
  type SourceError,
  type SourceText,
  yesOrNo,
} from '../../yaml/index.ts';
import { clock, requestTemplate } from './clock-section.ts';
import { configuredSecrets } from './configured-secrets.ts';
import { gapAnswers } from './gap-section.ts';
import { issuerKeys, keySourceOf, participantOf, participants } from './participants.ts';
import { commonRouteKeys, routeKeys, routeOfAll } from './route-section.ts';
import {
  type ControlSection,
  defaultMaxWaitMs,
  type SigningSection,
  type TargetFile,
} from './target-file.ts';
import { keyMaterial, text } from './values.ts';

const algorithms = [
  'EdDSA',
  'ES256',
  'ES384',
  'RS256',
  'PS256',
  'HS256',
  'HS384',
  'HS512',
] as const;

const signing: Shape<SigningSection> = mapShape(
  record(
    'signing',
    {
      alg: bare(oneOf('', algorithms)),
      kid: text('a key id'),
      private_key: keyMaterial('key'),
    },
    ['alg', 'private_key'],
  ),
  ({ private_key: key, at: place, ...read }) => ({ ...read, key, place }),
);

const fieldsOfOrder = plainMap('fields of an order');

const byOrder = record('a control', { order: fieldsOfOrder }, ['order']);
const byCall = requestTemplate('a control', '$intent_id is the order.', ['intent_id']);
const control: Shape<ControlSection> = {
  read(node, reader) {
    if (node.kind !== 'map')
      return reader.wrong(node, '{ order: { field: value } } or { post: URL, body: {...} }');
    if (!node.entries.some(({ key }) => key === 'order')) {
      const call = byCall.read(node, reader);
      return call && { call };
    }
    const read = byOrder.read(node, reader);
    return read && { order: read.order };
  },
  schema: { anyOf: [byOrder.schema, byCall.schema] },
};

/** The one control that concerns no order. */
const restart: Shape<ControlSection> = mapShape(
  requestTemplate(
    'the restart',
    'Ends the target and starts it again; answers once it is there.',
    [],
  ),
  (call) => ({ call }),
);

const controlSection = mapShape(
  namedOf('the controls', [...controls, 'restart'], (name) =>
    name === 'restart' ? restart : control,
  ),
  (entries): Pick<TargetFile, 'controls' | 'restart'> => {
    const { restart: ended, ...found } = Object.fromEntries(
      entries.map(({ key, value }) => [key, value]),
    );
    return { controls: found, ...(ended?.call && { restart: ended.call }) };
  },
);

/** Maximum cost of an order with the usual amount. */
const usualMaximum = new Decimal(2_000);

/** Adds a maximum to an amount that has none: quotes around rate "1" can be accepted under it. */
function withMaximum(defaults: Readonly<Record<string, unknown>>): TargetFile['orderDefaults'] {
  const { target_amount: amount } = defaults;
  if ('source_amount_max' in defaults || !hasForm('decimal', amount)) return defaults;
  const maximum = Decimal.max(new Decimal(amount).times(2), usualMaximum);
  return { ...defaults, source_amount_max: maximum.toFixed(2) };
}

const orders = mapShape(record('orders', { defaults: fieldsOfOrder }), ({ defaults = {} }) =>
  withMaximum(defaults),
);

/** A target file: each key with its form, its description for editors, and what is read of it. */
const document = record(
  'a target file',
  {
    name: described(text('the name of the target'), 'What the target is called in reports.'),
    participants,
    clock,
    ...routeKeys,
    ...commonRouteKeys,
    ...issuerKeys,
    correlation: described(
      bare(oneOf('the headers of requests', ['none'])),
      'Send no traceparent and no x-request-id. For targets that refuse them.',
    ),
    signing: described(
      signing,
      "Lets the suite mint expired and forged tokens with the target's own key.",
    ),
    controls: described(
      controlSection,
      'How orders of this target can be made to fail, and the target be restarted.',
    ),
    orders: described(orders, 'Fields for every order.'),
    gaps: described(
      gapAnswers('any'),
      'Answers to what the document leaves open, so that they need not be found.',
    ),
    alone: described(bare(yesOrNo), 'Whether nobody else uses the target while a run is on.'),
  },
  ['name', 'participants'],
);

type Content = Omit<TargetFile, 'file' | 'directory' | 'secrets'>;

const content: Shape<Content> = mapShape(document, (read, reader): Content => {
  const route = routeOfAll(read, reader.host);
  const keys = keySourceOf(read, reader);
  const parties = read.participants.map((one) => participantOf(one, route, keys));
  const far = parties.find(({ baseUrl }) => !isLoopback(new URL(baseUrl).hostname));
  if (read.insecure?.value && far) {
    reader.add(read.insecure.at, `insecure, though ${far.name} is on another machine`, {
      expected: 'addresses of this machine only',
      hint: 'name the authority of its certificate by tls.ca',
    });
  }
  return {
    name: read.name,
    route,
    ...(read.correlation && { correlation: read.correlation }),
    participants: parties,
    clock: read.clock ?? { kind: 'system', maxWaitMs: defaultMaxWaitMs },
    ...(read.alone !== undefined && { alone: read.alone }),
    ...(read.signing && { signing: read.signing }),
    ...(read.controls ?? { controls: {} }),
    orderDefaults: read.orders ?? {},
    gaps: read.gaps ?? {},
  };
});

export type TargetFileResult =
  | { readonly ok: true; readonly target: TargetFile }
  | {
      readonly ok: false;
      readonly errors: readonly SourceError[];
      /** Secret values in the lines of the file: they must not be written. */
      readonly secrets: readonly string[];
    };

/** Reads a target file; reports all its errors at once. */
export function readTargetFile(source: SourceText, host: FileHost): TargetFileResult {
  const secrets = configuredSecrets(source.text, host);
  const read = readYaml(source, content, host);
  if (!read.ok) return { ...read, secrets };
  const { signing: ownKey, route, participants: parties } = read.value;
  // Routes are secured with private keys.
  const keys = [route, ...parties.map((one) => one.route)].flatMap(({ tls }) =>
    typeof tls?.key === 'string' ? [tls.key] : [],
  );
  const target: TargetFile = {
    ...read.value,
    file: source.file,
    directory: host.directory,
    secrets: [...secrets, ...(ownKey ? [ownKey.key] : []), ...keys],
  };
  return { ok: true, target };
}

/** The JSON Schema of target files, for editors. */
export const targetSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Assay target file',
  ...document.schema,
};
