import { castNames, type CastName } from '../../../spec/requirements/requirement.ts';
import { nameShape } from '../actions.ts';
import { type ActStep, readAct } from './act.ts';
import { type AssertStep, expectKeys, readExpect, type SeesStep } from './expect.ts';
import { faultKeys, faultSchema, type FaultStep, readFault } from './fault.ts';
import {
  type At,
  described,
  didYouMean,
  durationShape,
  type Entry,
  lazyShape,
  listOf,
  literalText,
  mapOf,
  oneOf,
  parseDuration,
  type ReadBy,
  type Reader,
  record,
  type Shape,
  type SourceLocation,
  suggestion,
  textOf,
  trueShape,
  wholeNumber,
  type YamlEntry,
  type YamlNode,
} from '../../../yaml/index.ts';
import { anyArg, type Arg, exprOf, type Located, type StepSource } from '../arg.ts';

export type Step =
  | BrokenStep
  | ActStep
  | SeesStep
  | AssertStep
  | WaitStep
  | TogetherStep
  | MeanwhileStep
  | FaultStep
  | RepeatStep
  | AsEachStep
  | LetStep
  | UseStep;

/** A step with an error, which has been reported. The names that it would have saved are treated as known. */
interface BrokenStep {
  readonly kind: 'broken';
  readonly at: SourceLocation;
  /** The parts that could be read. */
  readonly read?: Step;
  readonly saves: readonly string[];
}

const step = lazyShape<Step>('step', () => stepShape);
export const stepList: Shape<readonly Step[]> = listOf(step, 'steps');

export interface WaitStep {
  readonly kind: 'wait';
  readonly at: SourceLocation;
  readonly how: 'for' | 'until';
  readonly value: Located | number;
}

const waitKeys = record('"wait"', {});

function readWait({ head, rest, at: keyAt, reader }: StepSource): WaitStep | undefined {
  if (!waitKeys.readEntries(rest, keyAt, reader)) return undefined;
  const at = reader.location(head.value.place);
  const said = textOf(head.value);
  const until = /^until\s+/.exec(said);
  if (until && head.value.kind === 'scalar') {
    const skip = until[0].length;
    const { col, width } = at;
    const place = { ...at, col: col + skip, width: Math.max(1, width - skip) };
    const moment = { ...head.value, value: said.slice(skip), place };
    const value = exprOf(moment, 'a moment: until $order.expires_at', reader);
    return value && { kind: 'wait', at, how: 'until', value };
  }
  if (said.startsWith('$')) {
    const value = exprOf(head.value, 'a duration', reader);
    return value && { kind: 'wait', at, how: 'for', value };
  }
  if (parseDuration(said) === undefined && !/^\d/.test(said)) {
    return reader.wrong(head.value, 'a duration ("10s"), or "until" and a moment');
  }
  const ms = durationShape.read(head.value, reader);
  return ms && { kind: 'wait', at, how: 'for', value: ms.value };
}

export interface TogetherStep {
  readonly kind: 'together';
  readonly at: SourceLocation;
  readonly branches: readonly (readonly Step[])[];
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
const branchList = listOf(branch, 'what happens at the same time');
const togetherKeys = record('"together"', {});

function readTogether({ head, rest, at, reader }: StepSource): TogetherStep | undefined {
  if (!togetherKeys.readEntries(rest, at, reader)) return undefined;
  const branches = branchList.read(head.value, reader);
  return branches && { kind: 'together', at, branches };
}

export interface MeanwhileStep {
  readonly kind: 'meanwhile';
  readonly at: SourceLocation;
  readonly steps: readonly Step[];
}

const meanwhileKeys = record('"meanwhile"', {});

function readMeanwhile({ head, rest, at, reader }: StepSource): MeanwhileStep | undefined {
  if (!meanwhileKeys.readEntries(rest, at, reader)) return undefined;
  const steps = stepList.read(head.value, reader);
  return steps && { kind: 'meanwhile', at, steps };
}

const repeatKeys = record(
  '"repeat"',
  {
    as: described(nameShape, 'A name for the number of the round, from 1, or for the item.'),
    every: described(durationShape, 'The time between the beginnings of two rounds.'),
    at_once: described(trueShape, 'All rounds begin together, in an order drawn from the seed.'),
    steps: stepList,
  },
  ['steps'],
);

export interface RepeatStep extends ReadBy<typeof repeatKeys> {
  readonly kind: 'repeat';
  /** A number of rounds, or a list: one round for each of its items. */
  readonly times: number | Located;
}

function readRepeat({ head, rest, at, reader }: StepSource): RepeatStep | undefined {
  const count = wholeNumber('how often, from 1 to 10000, or a list: $page.items', 1, 10_000);
  const times = textOf(head.value).startsWith('$')
    ? exprOf(head.value, 'a list', reader)
    : count.read(head.value, reader)?.value;
  const keys = repeatKeys.readEntries(rest, at, reader);
  if (times === undefined || !keys) return undefined;
  if (keys.every && keys.at_once)
    reader.add(keys.every.at, '"every" and "at_once" exclude each other');
  return { ...keys, kind: 'repeat', times };
}

const partyList = listOf(oneOf('a party', castNames), 'parties');
const asEachKeys = record(
  '"as_each"',
  {
    alike_for: described(
      partyList,
      'Parties that get the same in each round, except for ids and moments.',
    ),
    for: described(
      durationShape,
      'How long each round goes on after its last step; 1s by default.',
    ),
    steps: stepList,
  },
  ['alike_for', 'steps'],
);

/**
 * Steps that several parties perform in the same way, one after another. Other parties must not be able to tell which
 * one it was.
 */
export interface AsEachStep extends ReadBy<typeof asEachKeys> {
  readonly kind: 'as_each';
  /** The first one performs the steps as written. */
  readonly parties: readonly At<CastName>[];
}

function readAsEach({ head, rest, at, reader }: StepSource): AsEachStep | undefined {
  const parties = partyList.read(head.value, reader);
  const keys = asEachKeys.readEntries(rest, at, reader);
  return parties && keys && { ...keys, kind: 'as_each', parties };
}

export interface LetStep {
  readonly kind: 'let';
  readonly at: SourceLocation;
  readonly values: readonly Entry<Arg>[];
}

const letKeys = record('"let"', {});
const valueMap = mapOf(anyArg, 'values by name');

function readLet({ head, rest, at, reader }: StepSource): LetStep | undefined {
  const isSound = letKeys.readEntries(rest, at, reader);
  const values = valueMap.read(head.value, reader);
  return isSound && values && { kind: 'let', at, values };
}

const useKeys = record('"use"', {
  with: described(valueMap, 'Its parameters.'),
  save: described(
    mapOf(nameShape, 'what the template gives, and the name to save it under'),
    'A value that the template gives, and the name to save it under.',
  ),
});

export interface UseStep extends ReadBy<typeof useKeys> {
  readonly kind: 'use';
  readonly template: At<string>;
}

function readUse({ head, rest, at, reader }: StepSource): UseStep | undefined {
  const template = literalText('the name of a template').read(head.value, reader);
  const keys = useKeys.readEntries(rest, at, reader);
  return template && keys && { ...keys, kind: 'use', template };
}

/** Keys that a step can begin with, other than a party. */
export const stepTypes = {
  expect: {
    read: readExpect,
    keys: expectKeys,
    doc: 'checks the events of a party (`maker_a sees`) or a value (`$order.status`)',
    value: { type: 'string' },
  },
  wait: {
    read: readWait,
    keys: waitKeys,
    doc: 'lets time pass: `10s`, or `until $order.expires_at`',
    value: { type: 'string' },
  },
  together: {
    read: readTogether,
    keys: togetherKeys,
    doc: 'runs steps at the same time, in an order drawn from the seed',
    value: branchList.schema,
  },
  meanwhile: {
    read: readMeanwhile,
    keys: meanwhileKeys,
    doc: 'begins steps, and goes on with the next step at once',
    value: stepList.schema,
  },
  fault: {
    read: readFault,
    keys: faultKeys,
    doc: 'causes a fault',
    value: faultSchema,
  },
  repeat: {
    read: readRepeat,
    keys: repeatKeys,
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
    keys: asEachKeys,
    doc: 'runs steps once for each of these parties',
    value: { type: 'array', items: { enum: castNames }, minItems: 2 },
  },
  let: { read: readLet, keys: letKeys, doc: 'names values', value: { type: 'object' } },
  use: {
    read: readUse,
    keys: useKeys,
    doc: 'runs the steps of a template',
    value: { type: 'string' },
  },
};
export type StepKeyword = keyof typeof stepTypes;
export const stepKeywords = Object.keys(stepTypes) as StepKeyword[];
const stepHeads: readonly string[] = [...stepKeywords, ...castNames];

/**
 * Reads a step. An invalid step is reported and kept as `broken`, so that all errors of a file are reported at once.
 */
const stepShape: Shape<Step> = {
  read(node, reader) {
    const before = reader.found.length;
    const read = readStep(node, reader);
    if (read && reader.found.length === before) return read;
    const at = reader.location(node.place);
    return { kind: 'broken', at, saves: savesIn(node), ...(read && { read }) };
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
    if (isSave && value.kind === 'map') return value.entries.map((one) => textOf(one.value));
    if (key === 'let' && value.kind === 'map') return value.entries.map((one) => one.key);
    return savesIn(value);
  });
}

/** `expect` is also a key of actions, so it makes a step only if no other key does. */
function headAmong(
  entries: readonly YamlEntry[],
  found: readonly YamlEntry[],
): YamlEntry | undefined {
  const sure = found.find(({ key }) => key !== 'expect');
  const alone = entries.every(
    ({ key }) => key === 'expect' || Object.hasOwn(expectKeys.fields, key),
  );
  return sure ?? (alone || entries[0]?.key === 'expect' ? found[0] : undefined);
}

function readStep(node: YamlNode, reader: Reader): Step | undefined {
  if (node.kind !== 'map') {
    return reader.wrong(
      node,
      'a step: a party and what it does, or one of ' + stepKeywords.join(', '),
    );
  }
  const found = node.entries.filter((entry) => stepHeads.includes(entry.key));
  const parties = found.filter((entry) => (castNames as string[]).includes(entry.key));
  const [second] = parties.slice(1);
  if (second) {
    return reader.add(second.keyPlace, 'a second party in one step', {
      hint: 'each step begins with its own "- "',
    });
  }
  const head = parties[0] ?? headAmong(node.entries, found);
  if (!head) {
    const [first] = node.entries;
    const at = first?.keyPlace ?? node.place;
    const hint = suggestion(first?.key ?? '', stepHeads);
    return reader.add(at, `a step that begins with ${JSON.stringify(first?.key ?? 'nothing')}`, {
      expected: `a party (${castNames.join(', ')}), or one of ${stepKeywords.join(', ')}`,
      hint,
    });
  }
  const rest = node.entries.filter((entry) => entry !== head);
  const source = { head, rest, at: reader.location(head.keyPlace), reader };
  return parties.length > 0 ? readAct(source) : stepTypes[head.key as StepKeyword].read(source);
}

/** Lists of steps inside a step: its branches, its own steps, or its template. */
export function stepsIn(
  step: Step,
  templates: ReadonlyMap<string, { readonly value: { readonly steps: readonly Step[] } }>,
): readonly (readonly Step[])[] {
  if (step.kind === 'together') return step.branches;
  if (step.kind === 'use') return [templates.get(step.template.value)?.value.steps ?? []];
  return 'steps' in step ? [step.steps] : [];
}
