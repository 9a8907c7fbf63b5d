import { gapIds, gaps } from '../spec/gaps/index.ts';
import { roles } from '../spec/vocabulary.ts';
import { isObject } from '../history/json.ts';
import {
  type JsonReading,
  type Members,
  type Shape,
  count,
  listOf,
  membersOf,
  misfitIn,
  object,
  oneOf,
  optional,
  readJsonFile,
  seed,
  shape,
  text,
  whole,
} from '../history/shape.ts';
import {
  type CommandName,
  type FaultName,
  type Landmark,
  type Plan,
  strayEndpoints,
} from './plan.ts';

const planFormat = 'assay.plan/1' satisfies Plan['format'];

const order: Members = { order: text };
const ofParty: Members = { party: text };
const partyAndTime: Members = { party: text, ms: count };

/** Deadline of a quote: `afterOrderMs` after its order expires, or in `forMs` milliseconds. */
const validity: Shape = (value) =>
  membersOf(
    isObject(value) && 'afterOrderMs' in value ? { afterOrderMs: whole } : { forMs: whole },
  )(value);

const commands: Readonly<Record<CommandName, Members>> = {
  create: {
    label: text,
    custodian: text,
    receiver: text,
    receiverCustodian: text,
    senderInBody: optional(text),
    sourceCurrency: text,
    targetCurrency: text,
    targetAmount: text,
    maximum: text,
    memo: optional(
      shape('a text, or null', (value) => value === null || typeof value === 'string'),
    ),
  },
  quote: { order: text, label: text, rate: text, validity },
  accept: { order: text, quote: text },
  cancel: order,
  'accept the proposal': order,
  read: order,
  'list quotes': order,
  look: order,
  'read settlement': order,
  list: {
    what: oneOf('orders', 'requests', 'quotes', 'settlements'),
    status: optional(text),
    page: optional(count),
    pageSize: optional(count),
  },
  'read stats': {},
  'ask who it is': {},
  listen: { label: text, order: optional(text), resumes: optional(text) },
  'stop listening': { stream: text },
  'ask with its first token': {},
  repeat: {},
  stray: {
    endpoint: oneOf(...strayEndpoints),
    order: optional(text),
    token: optional(oneOf('none')),
  },
  burst: { count },
};

const faults: Readonly<Record<FaultName, Members>> = {
  'leg reverts': { order: text, leg: oneOf(1, 2, 3, 4) },
  'settlement stalls': order,
  'operator withdraws': order,
  'validation fails': order,
  'streams drop': ofParty,
  'streams break': ofParty,
  'streams stall': partyAndTime,
  'request lost': partyAndTime,
  'answer lost': partyAndTime,
  'answer lost and sent again': partyAndTime,
  'request delayed': partyAndTime,
  'answer delayed': partyAndTime,
  partition: partyAndTime,
  'host pauses': { ms: count },
  restart: { ms: count, tornBytes: optional(count) },
  'disk full': { ms: count },
};

const landmarks: Readonly<Record<Landmark['of'], Members>> = {
  expires_at: order,
  'settlement window': order,
  'next leg': order,
  valid_until: { quote: text },
  'token expiry': ofParty,
  heartbeat: { stream: text },
  'end of day': {},
};

const party = membersOf({ name: text, role: oneOf(...roles), skewMs: whole });

/** Shape of an object whose member `member` decides which other members it has. */
const byName = (member: string, all: Readonly<Record<string, Members>>): Shape => {
  const name = membersOf({ [member]: oneOf(...Object.keys(all)) });
  return (value) => name(value) ?? membersOf(all[(value as Fields)[member] as string] ?? {})(value);
};

type Fields = Readonly<Record<string, unknown>>;

const moment: Shape = (value) =>
  membersOf(
    isObject(value) && 'near' in value
      ? { near: byName('of', landmarks), leadMs: whole }
      : { afterMs: count },
  )(value);

function stepOf(names: ReadonlySet<unknown>): Shape {
  const fault = byName('fault', faults);
  const command = byName('do', commands);
  const timed = membersOf({ at: moment });
  const ofParties = membersOf({ by: shape('one of the parties', (by) => names.has(by)) });
  return (value) =>
    timed(value) ??
    (isObject(value) && 'fault' in value ? fault(value) : (ofParties(value) ?? command(value)));
}

const head = membersOf({
  seed,
  startMs: whole,
  parties: listOf(party),
  assignment: object,
});
const namesIn = ({ parties }: Fields): ReadonlySet<unknown> =>
  new Set((parties as readonly Fields[]).map(({ name }) => name));

/** Problem of a gap answer that the gap does not have; undefined if there is none. */
function wrongAnswer(assignment: unknown): string | undefined {
  for (const [name, answer] of Object.entries(assignment as Fields)) {
    const id = gapIds.find((one) => one === name);
    if (id === undefined) return `assignment has ${name}, which is no gap`;
    const values: readonly unknown[] = gaps[id].values;
    if (!values.includes(answer)) return `assignment.${id} is not one of ${values.join(', ')}`;
  }
  return undefined;
}

function wrongParties(parties: readonly Fields[]): string | undefined {
  const names = parties.map(({ name }) => name);
  if (new Set(names).size < names.length) return 'two of parties have one name';
  const missing = roles.find((role) => !parties.some((one) => one['role'] === role));
  return missing === undefined ? undefined : `parties have no ${missing}`;
}

/** Reads a plan as `assay simulate` writes it. */
export const readPlan = (written: string): JsonReading<Plan> =>
  readJsonFile(
    written,
    'a plan',
    planFormat,
    (value) =>
      misfitIn(head, value) ??
      wrongParties(value['parties'] as readonly Fields[]) ??
      wrongAnswer(value['assignment']) ??
      misfitIn(membersOf({ steps: listOf(stepOf(namesIn(value))) }), value),
  );
