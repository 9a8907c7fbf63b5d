import { Decimal } from 'decimal.js';
import { isLoopback } from '../../client/http/route.ts';
import { gapIds, gaps, type GapId } from '../../spec/gaps/index.ts';
import { hasForm } from '../../spec/forms.ts';
import { controls, type ControlName } from '../../spec/requirements/requirement.ts';
import {
  describe,
  parseYaml,
  plain,
  type SourceError,
  type SourceText,
  suggestion,
  type YamlNode,
} from '../../yaml/index.ts';
import { readClock, readRequestTemplate } from './clock-section.ts';
import { configuredSecrets } from './configured-secrets.ts';
import {
  algorithms,
  ControlByOrder,
  Orders,
  restartControl,
  Signing,
  TargetDocument,
} from './json-schema.ts';
import { readParticipants } from './participants.ts';
import { readRoutes, type Routes } from './route-section.ts';
import type {
  ControlSection,
  FileHost,
  Participant,
  RequestTemplate,
  SigningSection,
  TargetFile,
} from './target-file.ts';
import { TargetReader } from './target-reader.ts';

/** Default fields for the body of every order: those of the file, and a maximum that follows from them. */
function readOrderDefaults(
  node: YamlNode | undefined,
  reader: TargetReader,
): Readonly<Record<string, unknown>> {
  const fields = reader.object(node, 'orders', Orders);
  const map = reader.map(fields?.defaults, 'fields of an order');
  return map ? withMaximum(plain(map) as Record<string, unknown>) : {};
}

/** Maximum cost of an order with the usual amount. */
const usualMaximum = new Decimal(2_000);

/** Adds a maximum to an amount that has none: quotes around rate "1" can be accepted under it. */
function withMaximum(defaults: Record<string, unknown>): Record<string, unknown> {
  const { target_amount: amount } = defaults;
  if ('source_amount_max' in defaults || !hasForm('decimal', amount)) return defaults;
  const maximum = Decimal.max(new Decimal(amount).times(2), usualMaximum);
  return { ...defaults, source_amount_max: maximum.toFixed(2) };
}

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
  const parsed = parseYaml(source);
  if (!parsed.ok) return { ...parsed, secrets };
  const reader = new TargetReader(source.file, host);
  const fields = reader.object(parsed.tree, 'a target file', TargetDocument);
  const name = reader.text(fields?.name, 'the name of the target');
  const routes = readRoutes(fields ?? {}, reader);
  const participants = readParticipants(fields?.participants, fields ?? {}, routes, reader);
  const clock = readClock(fields?.clock, reader);
  if (routes.ofAll.tls?.rejectUnauthorized === false && fields?.insecure) {
    const far = participants.find(({ baseUrl }) => !isLoopback(new URL(baseUrl).hostname));
    if (far) {
      reader.add(fields.insecure.place, `insecure, though ${far.name} is on another machine`, {
        expected: 'addresses of this machine only',
        hint: 'name the authority of its certificate by tls.ca',
      });
    }
  }
  const signing = readSigning(fields?.signing, reader);
  const target: TargetFile = {
    file: source.file,
    directory: host.directory,
    name: name ?? '',
    route: routes.ofAll,
    ...(reader.word(fields?.correlation, ['none']) && { correlation: 'none' }),
    participants,
    clock,
    ...(fields?.alone && {
      alone: reader.word(fields.alone, ['true', 'false']) === 'true',
    }),
    ...(signing && { signing }),
    ...readControls(fields?.controls, reader),
    orderDefaults: readOrderDefaults(fields?.orders, reader),
    gaps: readGaps(fields?.gaps, reader),
    secrets: [...secrets, ...(signing ? [signing.key] : []), ...keysOf(routes, participants)],
  };
  return reader.found.length > 0
    ? { ok: false, errors: reader.found, secrets }
    : { ok: true, target };
}

/** Private keys that routes are secured with. */
const keysOf = ({ ofAll }: Routes, participants: readonly Participant[]): readonly string[] =>
  [ofAll, ...participants.map(({ route }) => route)].flatMap(({ tls }) =>
    typeof tls?.key === 'string' ? [tls.key] : [],
  );

function readSigning(node: YamlNode | undefined, reader: TargetReader): SigningSection | undefined {
  const fields = reader.object(node, 'signing', Signing);
  if (!node || !fields) return undefined;
  const alg = reader.word(fields.alg, algorithms);
  const key = reader.keyMaterial(fields.private_key, 'key');
  const kid = reader.text(fields.kid, 'a key id');
  if (alg === undefined || key === undefined) return undefined;
  return { alg, key, ...(kid !== undefined && { kid }), place: node.place };
}

function readControls(
  node: YamlNode | undefined,
  reader: TargetReader,
): Pick<TargetFile, 'controls' | 'restart'> {
  const map = reader.map(node, 'the controls');
  const found: { [name in ControlName]?: ControlSection } = {};
  let restart: RequestTemplate | undefined;
  for (const { key, keyPlace, value } of map?.entries ?? []) {
    if (key === restartControl) {
      restart = readRequestTemplate(value, 'the restart', [], reader);
      continue;
    }
    const name = controls.find((one) => one === key);
    if (name === undefined)
      reader.unknownKey(key, keyPlace, 'the controls', [...controls, restartControl]);
    const control = readControl(value, reader);
    if (name !== undefined && control) found[name] = control;
  }
  return { controls: found, ...(restart && { restart }) };
}

function readControl(node: YamlNode, reader: TargetReader): ControlSection | undefined {
  const forms = '{ order: { field: value } } or { post: URL, body: {...} }';
  const map = reader.map(node, forms);
  if (!map) return undefined;
  if (map.entries.some((entry) => entry.key === 'order')) {
    const fields = reader.object(node, 'a control', ControlByOrder);
    const order = reader.map(fields?.order, 'fields of an order');
    return order && { order: plain(order) as Record<string, unknown> };
  }
  const call = readRequestTemplate(node, 'a control', ['intent_id'], reader);
  return call && { call };
}

function readGaps(node: YamlNode | undefined, reader: TargetReader): TargetFile['gaps'] {
  const map = reader.map(node, 'the gaps');
  const found: { [id in GapId]?: string } = {};
  for (const { key, keyPlace, value } of map?.entries ?? []) {
    const id = gapIds.find((one) => one === key);
    if (id === undefined) {
      reader.add(keyPlace, `no gap is named ${JSON.stringify(key)}`, {
        expected: 'an id of `assay spec gaps`',
        hint: suggestion(key, gapIds),
      });
      continue;
    }
    const answer = readAnswer(id, value, reader);
    if (answer !== undefined) found[id] = answer;
  }
  return found;
}

/** An answer as written; a closed gap takes only the answers that it can have. */
function readAnswer(id: GapId, node: YamlNode, reader: TargetReader): string | undefined {
  const values: readonly string[] = gaps[id].values;
  if (node.kind !== 'scalar' || node.value === null) {
    return reader.add(node.place, `found ${describe(node)}`, {
      expected: `an answer such as ${values.join(' or ')}`,
    });
  }
  const answer = node.written;
  if (!gaps[id].others.startsWith('none') || values.includes(answer)) return answer;
  return reader.word({ ...node, value: answer }, values);
}
