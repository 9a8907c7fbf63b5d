import { gapIds, gaps } from '../spec/gaps/index.ts';
import { roles } from '../spec/vocabulary.ts';
import {
  count,
  type Fields,
  type Form,
  type Forms,
  isFields,
  list,
  oneOf,
  optional,
  seed,
  text,
  wrongAmong,
  wrongIn,
} from './forms.ts';
import type { CommandName, FaultName, Landmark, Plan } from './plan.ts';

const planFormat = 'assay.plan/1' satisfies Plan['format'];

export type ReadPlan =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problem: string };

const whole: Form = { what: 'a whole number', holds: Number.isSafeInteger };
const object: Form = { what: 'an object', holds: isFields };
const order: Forms = { order: text };
const ofParty: Forms = { party: text };
const partyAndTime: Forms = { party: text, ms: count };

const commandForms: Readonly<Record<CommandName, Forms>> = {
  create: {
    label: text,
    custodian: text,
    receiver: text,
    receiverCustodian: text,
    sourceCurrency: text,
    targetCurrency: text,
    targetAmount: text,
    maximum: text,
    memo: optional(text),
  },
  quote: { order: text, label: text, rate: text, validity: object },
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
  burst: { count },
};

const faultForms: Readonly<Record<FaultName, Forms>> = {
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

const landmarkForms: Readonly<Record<Landmark['of'], Forms>> = {
  expires_at: order,
  'settlement window': order,
  'next leg': order,
  valid_until: { quote: text },
  'token expiry': ofParty,
  heartbeat: { stream: text },
  'end of day': {},
};

const partyForms: Forms = { name: text, role: oneOf(...roles), skewMs: whole };
const planForms: Forms = {
  seed,
  startMs: whole,
  parties: list,
  assignment: object,
  steps: list,
};

/** What must stand in an object by the name that one of its members has. */
function wrongByName(
  place: string,
  value: Fields,
  member: string,
  all: Readonly<Record<string, Forms>>,
): string | undefined {
  const name = value[member];
  const forms = typeof name === 'string' && Object.hasOwn(all, name) ? all[name] : undefined;
  if (forms) return wrongIn(place, value, forms);
  return `${place}.${member} is not one of ${Object.keys(all).join(', ')}`;
}

function wrongMoment(place: string, at: unknown): string | undefined {
  if (!isFields(at)) return `${place} is no object`;
  if (!('near' in at)) return wrongIn(place, at, { afterMs: count });
  const near = at['near'];
  if (!isFields(near)) return `${place}.near is no object`;
  return (
    wrongIn(place, at, { leadMs: whole }) ?? wrongByName(`${place}.near`, near, 'of', landmarkForms)
  );
}

function wrongValidity(place: string, validity: unknown): string | undefined {
  const isRelative = isFields(validity) && 'afterOrderMs' in validity;
  return wrongIn(place, validity, isRelative ? { afterOrderMs: whole } : { forMs: whole });
}

function wrongStep(place: string, step: unknown, names: ReadonlySet<unknown>): string | undefined {
  if (!isFields(step)) return `${place} is no object`;
  const moment = wrongMoment(`${place}.at`, step['at']);
  if (moment !== undefined) return moment;
  if ('fault' in step) return wrongByName(place, step, 'fault', faultForms);
  if (!names.has(step['by'])) return `${place}.by is none of the parties`;
  const wrong = wrongByName(place, step, 'do', commandForms);
  if (wrong !== undefined || step['do'] !== 'quote') return wrong;
  return wrongValidity(`${place}.validity`, step['validity']);
}

/** Every answer must be one that the gap has. */
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

/** Reads a plan back, as `assay simulate` writes it; what is none is answered, not thrown. */
export function readPlan(written: string): ReadPlan {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  if (!isFields(value) || value['format'] !== planFormat)
    return { ok: false, problem: `not a plan: "format" is not "${planFormat}"` };
  const problem =
    wrongIn('', value, planForms) ??
    wrongAmong('parties', value['parties'], partyForms) ??
    wrongParties(value['parties'] as readonly Fields[]) ??
    wrongAnswer(value['assignment']) ??
    wrongSteps(value);
  if (problem !== undefined) return { ok: false, problem: `not a plan: ${problem}` };
  return { ok: true, plan: value as unknown as Plan };
}

function wrongSteps({ parties, steps }: Fields): string | undefined {
  const names = new Set((parties as readonly Fields[]).map(({ name }) => name));
  for (const [index, step] of (steps as readonly unknown[]).entries()) {
    const problem = wrongStep(`steps[${index}]`, step, names);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
