import { castNames } from '../../../spec/requirements/requirement.ts';
import {
  didYouMean,
  parseDuration,
  suggestion,
  type YamlEntry,
  type YamlNode,
} from '../../../yaml/index.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Step } from '../model.ts';
import type { Reader } from '../reader.ts';
import {
  anyArg,
  described,
  durationShape,
  type Fields,
  lazyShape,
  listOf,
  mapOf,
  oneOf,
  readEntries,
  reference,
  type Shape,
  type StepSource,
  trueShape,
  wholeNumber,
  literalText,
} from '../shapes.ts';
import { nameShape, readAct } from './act.ts';
import { faultBeginnings, faultFields, faultWords, readFault } from './fault.ts';
import { asserted, readExpect, seesFields } from './expect.ts';

const step = lazyShape<Step>('step', () => stepShape);
export const stepList = listOf(step, 'steps');

function readWait({ head, rest, at, reader }: StepSource): Step | undefined {
  if (!readEntries('"wait"', {}, [], rest, at, reader)) return undefined;
  const place = reader.location(head.value.place);
  const said = head.value.kind === 'scalar' ? String(head.value.value ?? '') : '';
  const until = /^until\s+/.exec(said);
  if (until && head.value.kind === 'scalar') {
    const { col, width } = head.value.place;
    const skip = until[0].length;
    const moment = {
      ...head.value,
      value: said.slice(skip),
      place: { ...head.value.place, col: col + skip, width: Math.max(1, width - skip) },
    };
    const value = reader.expr(moment, 'a moment: until $order.expires_at');
    return value && { kind: 'wait', at: place, how: 'until', value };
  }
  if (said.startsWith('$')) {
    const value = reader.expr(head.value, 'a duration');
    return value && { kind: 'wait', at: place, how: 'for', value };
  }
  if (parseDuration(said) === undefined && !/^\d/.test(said)) {
    return reader.problems.wrong(head.value, 'a duration ("10s"), or "until" and a moment');
  }
  const ms = durationShape.read(head.value, reader);
  return ms && { kind: 'wait', at: place, how: 'for', value: ms.value };
}

function readTogether({ head, rest, at, reader }: StepSource): Step | undefined {
  if (!readEntries('"together"', {}, [], rest, at, reader)) return undefined;
  const branches = listOf(branch, 'what happens at the same time').read(head.value, reader);
  return branches && { kind: 'together', at, branches };
}

/** A step, or a list of consecutive steps. */
const branch: Shape<readonly Step[]> = {
  read(node, reader) {
    if (node.kind === 'list') return stepList.read(node, reader);
    const one = stepShape.read(node, reader);
    return one && [one];
  },
  schema: { anyOf: [step.schema, stepList.schema] },
};

const repeatFields = {
  as: described(nameShape, 'A name for the number of the round, from 1, or for the item.'),
  every: described(durationShape, 'The time between the beginnings of two rounds.'),
  at_once: described(trueShape, 'All rounds begin together, in an order drawn from the seed.'),
  steps: stepList,
};

function readRepeat({ head, rest, at, reader }: StepSource): Step | undefined {
  const isList = plainText(head.value).startsWith('$');
  const times = isList
    ? reference('a list').read(head.value, reader)
    : wholeNumber('how often, from 1 to 10000, or a list: $page.items', 1, 10_000).read(
        head.value,
        reader,
      )?.value;
  const read = readEntries('"repeat"', repeatFields, ['steps'], rest, at, reader);
  if (times === undefined || !read) return undefined;
  if (read.every && read.at_once)
    reader.problems.add(read.every.at, '"every" and "at_once" exclude each other');
  return {
    kind: 'repeat',
    at,
    times,
    steps: read.steps,
    ...(read.as && { as: read.as }),
    ...(read.every && { everyMs: read.every.value }),
    ...(read.at_once && { atOnce: true }),
  };
}

const castName = oneOf('a party', castNames);
const asEachFields = {
  alike_for: described(
    listOf(castName, 'parties'),
    'Parties that get the same in each round, except for ids and moments.',
  ),
  for: described(durationShape, 'How long each round goes on after its last step; 1s by default.'),
  steps: stepList,
};

function readAsEach({ head, rest, at, reader }: StepSource): Step | undefined {
  const parties = listOf(castName, 'parties').read(head.value, reader);
  const read = readEntries('"as_each"', asEachFields, ['alike_for', 'steps'], rest, at, reader);
  if (!parties || !read) return undefined;
  const { alike_for: alikeFor, steps } = read;
  const forMs = read.for?.value;
  return { kind: 'as_each', at, parties, alikeFor, steps, ...(forMs !== undefined && { forMs }) };
}

function readLet({ head, rest, at, reader }: StepSource): Step | undefined {
  const sound = readEntries('"let"', {}, [], rest, at, reader);
  const values = mapOf(anyArg, 'values by name', /^[A-Za-z_]\w*$/).read(head.value, reader);
  return sound && values && { kind: 'let', at, values };
}

const givenNames = mapOf(
  nameShape,
  'what the template gives, and the name to save it under',
  /^[A-Za-z_]\w*$/,
);
const useFields = {
  with: described(mapOf(anyArg, 'values by name', /^[A-Za-z_]\w*$/), 'Its parameters.'),
  save: described(givenNames, 'A value that the template gives, and the name to save it under.'),
};

function readUse({ head, rest, at, reader }: StepSource): Step | undefined {
  const template = literalText('the name of a template').read(head.value, reader);
  const read = readEntries('"use"', useFields, [], rest, at, reader);
  if (!template || !read) return undefined;
  const save = (read.save ?? []).map(({ key, value }) => ({
    given: key,
    name: value.value,
    at: value.at,
  }));
  return { kind: 'use', at, template, with: read.with ?? [], save };
}

/** Keys that a step can begin with, other than a party. */
export const stepTypes = {
  expect: {
    read: readExpect,
    fields: { ...seesFields, ...asserted },
    doc: 'checks the events of a party (`maker_a sees`) or a value (`$order.status`)',
    value: { type: 'string' },
  },
  wait: {
    read: readWait,
    fields: {},
    doc: 'lets time pass: `10s`, or `until $order.expires_at`',
    value: { type: 'string' },
  },
  together: {
    read: readTogether,
    fields: {},
    doc: 'runs steps at the same time, in an order drawn from the seed',
    value: { type: 'array', items: branch.schema, minItems: 1 },
  },
  fault: {
    read: readFault,
    fields: faultFields,
    doc: 'causes a fault',
    value: {
      anyOf: [{ enum: faultWords }, { type: 'string', pattern: `^(${faultBeginnings.join('|')})` }],
    },
  },
  repeat: {
    read: readRepeat,
    fields: repeatFields,
    doc: 'runs steps several times, or once for each item of a list; each round has its own saved values',
    value: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: '^\\$' },
      ],
    },
  },
  as_each: {
    read: readAsEach,
    fields: asEachFields,
    doc: 'runs steps once for each of these parties',
    value: { type: 'array', items: { enum: castNames }, minItems: 2 },
  },
  let: { read: readLet, fields: {}, doc: 'names values', value: { type: 'object' } },
  use: {
    read: readUse,
    fields: useFields,
    doc: 'runs the steps of a template',
    value: { type: 'string' },
  },
} as const satisfies Record<
  string,
  {
    read({ head, rest, at, reader }: StepSource): Step | undefined;
    readonly fields: Fields;
    readonly doc: string;
    readonly value: JsonSchema;
  }
>;
export type StepKeyword = keyof typeof stepTypes;
export const stepKeywords = Object.keys(stepTypes) as StepKeyword[];
const stepHeads: readonly string[] = [...stepKeywords, ...castNames];

/**
 * Reads a step. An invalid step is reported and kept as `broken`, so that all errors of a file are reported at once.
 */
const stepShape: Shape<Step> = {
  read(node, reader) {
    const before = reader.problems.found.length;
    const read = readStep(node, reader);
    if (read && reader.problems.found.length === before) return read;
    return {
      kind: 'broken',
      at: reader.location(node.place),
      saves: savesIn(node),
      ...(read && { read }),
    };
  },
  schema: {},
};

/** All texts that look like names that a step saves. */
function savesIn(node: YamlNode): string[] {
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap(savesIn);
  return node.entries.flatMap(({ key, value }) => {
    const isSave = didYouMean(key, ['save']) !== undefined;
    if (isSave && value.kind === 'scalar') return [String(value.value)];
    if (isSave && value.kind === 'map') return value.entries.map((one) => plainText(one.value));
    if (key === 'let' && value.kind === 'map') return value.entries.map((one) => one.key);
    return savesIn(value);
  });
}
const plainText = (node: YamlNode): string => (node.kind === 'scalar' ? String(node.value) : '');

/** `expect` is also a key of actions, so it makes a step only if no other key does. */
function headAmong(
  entries: readonly YamlEntry[],
  found: readonly YamlEntry[],
): YamlEntry | undefined {
  const sure = found.find(({ key }) => key !== 'expect');
  const own = Object.keys(stepTypes.expect.fields);
  const alone = entries.every(({ key }) => key === 'expect' || own.includes(key));
  return sure ?? (alone || entries[0]?.key === 'expect' ? found[0] : undefined);
}

function readStep(node: YamlNode, reader: Reader): Step | undefined {
  if (node.kind !== 'map') {
    return reader.problems.wrong(
      node,
      'a step: a party and what it does, or one of ' + stepKeywords.join(', '),
    );
  }
  const found = node.entries.filter((entry) => stepHeads.includes(entry.key));
  const parties = found.filter((entry) => (castNames as string[]).includes(entry.key));
  const [second] = parties.slice(1);
  if (second) {
    return reader.problems.add(second.keyPlace, 'a second party in one step', {
      hint: 'each step begins with its own "- "',
    });
  }
  const head = parties[0] ?? headAmong(node.entries, found);
  if (!head) {
    const [first] = node.entries;
    const at = first?.keyPlace ?? node.place;
    const hint = suggestion(first?.key ?? '', stepHeads);
    return reader.problems.add(
      at,
      `a step that begins with ${JSON.stringify(first?.key ?? 'nothing')}`,
      { expected: `a party (${castNames.join(', ')}), or one of ${stepKeywords.join(', ')}`, hint },
    );
  }
  const rest = node.entries.filter((entry) => entry !== head);
  const source = { head, rest, at: reader.location(head.keyPlace), reader };
  return parties.length > 0 ? readAct(source) : stepTypes[head.key as StepKeyword].read(source);
}
