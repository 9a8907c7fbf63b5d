import { isLoopback } from '../../client/http/route.ts';
import { gapIds, gaps, type GapId } from '../../spec/gaps/index.ts';
import { controls, type ControlName } from '../../spec/requirements/requirement.ts';
import {
  describe,
  parseYaml,
  plain,
  Problems,
  readMap,
  readText,
  readWord,
  type SourceError,
  type SourceText,
  suggestion,
  unknownKey,
  type YamlNode,
} from '../../yaml/index.ts';
import { readClock, readRequestTemplate } from './clock-section.ts';
import {
  algorithms,
  ControlByOrder,
  Orders,
  readObject,
  restartControl,
  Signing,
  TargetDocument,
} from './json-schema.ts';
import type {
  ControlSection,
  FileHost,
  Participant,
  RequestTemplate,
  SigningSection,
  TargetFile,
} from './target-file.ts';
import { configuredSecrets } from './configured-secrets.ts';
import { readParticipants } from './participants.ts';
import { readKeyMaterial } from './key-material.ts';
import { readRoutes, type Routes } from './route-section.ts';
import { Decimal } from 'decimal.js';
import { hasForm } from '../../spec/forms.ts';

/** Default fields for the body of every order: those of the file, and a maximum that follows from them. */
function readOrderDefaults(
  node: YamlNode | undefined,
  problems: Problems,
): Readonly<Record<string, unknown>> {
  const fields = readObject(node, 'orders', Orders, problems);
  const map = fields?.defaults && readMap(fields.defaults, 'fields of an order', problems);
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
  const problems = new Problems(source.file);
  const fields = readObject(parsed.tree, 'a target file', TargetDocument, problems);
  const name = readText(fields?.name, 'the name of the target', problems);
  const routes = readRoutes(fields ?? {}, host, problems);
  const participants = readParticipants(fields?.participants, fields ?? {}, routes, host, problems);
  const clock = readClock(fields?.clock, problems);
  if (routes.ofAll.tls?.rejectUnauthorized === false && fields?.insecure) {
    const far = participants.find(({ baseUrl }) => !isLoopback(new URL(baseUrl).hostname));
    if (far) {
      problems.add(fields.insecure.place, `insecure, though ${far.name} is on another machine`, {
        expected: 'addresses of this machine only',
        hint: 'name the authority of its certificate by tls.ca',
      });
    }
  }
  const signing = readSigning(fields?.signing, host, problems);
  const target: TargetFile = {
    file: source.file,
    directory: host.directory,
    name: name ?? '',
    route: routes.ofAll,
    ...(readWord(fields?.correlation, ['none'], problems) && { correlation: 'none' }),
    participants,
    clock,
    ...(fields?.alone && {
      alone: readWord(fields.alone, ['true', 'false'], problems) === 'true',
    }),
    ...(signing && { signing }),
    ...readControls(fields?.controls, problems),
    orderDefaults: readOrderDefaults(fields?.orders, problems),
    gaps: readGaps(fields?.gaps, problems),
    secrets: [...secrets, ...(signing ? [signing.key] : []), ...keysOf(routes, participants)],
  };
  return problems.found.length > 0
    ? { ok: false, errors: problems.found, secrets }
    : { ok: true, target };
}

/** Private keys that routes are secured with. */
const keysOf = ({ ofAll }: Routes, participants: readonly Participant[]): readonly string[] =>
  [ofAll, ...participants.map(({ route }) => route)].flatMap(({ tls }) =>
    typeof tls?.key === 'string' ? [tls.key] : [],
  );

function readSigning(
  node: YamlNode | undefined,
  host: FileHost,
  problems: Problems,
): SigningSection | undefined {
  const fields = readObject(node, 'signing', Signing, problems);
  if (!node || !fields) return undefined;
  const alg = readWord(fields.alg, algorithms, problems);
  const key = readKeyMaterial(fields.private_key, 'key', host, problems);
  const kid = readText(fields.kid, 'a key id', problems);
  if (alg === undefined || key === undefined) return undefined;
  return { alg, key, ...(kid !== undefined && { kid }), place: node.place };
}

function readControls(
  node: YamlNode | undefined,
  problems: Problems,
): Pick<TargetFile, 'controls' | 'restart'> {
  const map = node && readMap(node, 'the controls', problems);
  const found: { [name in ControlName]?: ControlSection } = {};
  let restart: RequestTemplate | undefined;
  for (const { key, keyPlace, value } of map?.entries ?? []) {
    if (key === restartControl) {
      restart = readRequestTemplate(value, 'the restart', [], problems);
      continue;
    }
    const name = controls.find((one) => one === key);
    if (name === undefined)
      unknownKey(key, keyPlace, 'the controls', [...controls, restartControl], problems);
    const control = readControl(value, problems);
    if (name !== undefined && control) found[name] = control;
  }
  return { controls: found, ...(restart && { restart }) };
}

function readControl(node: YamlNode, problems: Problems): ControlSection | undefined {
  const forms = '{ order: { field: value } } or { post: URL, body: {...} }';
  const map = readMap(node, forms, problems);
  if (!map) return undefined;
  if (map.entries.some((entry) => entry.key === 'order')) {
    const fields = readObject(node, 'a control', ControlByOrder, problems);
    const order = fields?.order && readMap(fields.order, 'fields of an order', problems);
    return order && { order: plain(order) as Record<string, unknown> };
  }
  const call = readRequestTemplate(node, 'a control', ['intent_id'], problems);
  return call && { call };
}

function readGaps(node: YamlNode | undefined, problems: Problems): TargetFile['gaps'] {
  const map = node && readMap(node, 'the gaps', problems);
  const found: { [id in GapId]?: string } = {};
  for (const { key, keyPlace, value } of map?.entries ?? []) {
    const id = gapIds.find((one) => one === key);
    if (id === undefined) {
      const hint = suggestion(key, gapIds);
      problems.add(keyPlace, `no gap is named ${JSON.stringify(key)}`, {
        expected: 'an id of `assay spec gaps`',
        ...(hint !== undefined && { hint }),
      });
      continue;
    }
    const answer = readAnswer(id, value, problems);
    if (answer !== undefined) found[id] = answer;
  }
  return found;
}

/** An answer as written; a closed gap takes only the answers that it can have. */
function readAnswer(id: GapId, node: YamlNode, problems: Problems): string | undefined {
  const values: readonly string[] = gaps[id].values;
  if (node.kind !== 'scalar' || node.value === null) {
    return problems.add(node.place, `found ${describe(node)}`, {
      expected: `an answer such as ${values.join(' or ')}`,
    });
  }
  const answer = node.written;
  if (!gaps[id].others.startsWith('none') || values.includes(answer)) return answer;
  return readWord({ ...node, value: answer }, values, problems);
}
