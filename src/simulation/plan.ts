import {
  byMember,
  count,
  type JsonReading,
  listOf,
  type MadeBy,
  membersOf,
  misfitIn,
  object,
  oneOf,
  optional,
  readJsonFile,
  seed,
  type Shape,
  shape,
  text,
  whole,
} from '../history/shape.ts';
import { isObject } from '../history/json.ts';
import type { FaultPlan } from '../faults/faults.ts';
import { parseSeed } from '../random/seed.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { type GapId, gapIds, gaps } from '../spec/gaps/index.ts';
import { roles } from '../spec/vocabulary.ts';

/** The seed of a plan as a number. Throws a RangeError if it is none. */
export function seedOf({ seed: written }: Pick<Plan, 'seed'>): bigint {
  const parsed = parseSeed(written);
  if (parsed === undefined) throw new RangeError(`not a seed: ${written}`);
  return parsed;
}

export type AnswerChanges = { readonly [id in GapId]?: string };

const party = membersOf({
  /** A name of the standard cast; if these are used up, a name of the same kind, such as `sender_2` and `maker_d`. */
  name: text,
  role: oneOf(...roles),
  /** Milliseconds by which the party's clock is ahead of the target's. It shows if the party itself names a moment. */
  skewMs: whole,
});
export type PlannedParty = MadeBy<typeof party>;

/** Name of an order, quote or stream in a plan, such as "order 3". It stays the same if other steps are left out. */
export type Label = string;
const label: Shape<Label> = text;
const order = { order: label };
const ofParty = { party: text };
const ofPartyFor = { party: text, ms: count };

/** Events that a moment can be near to. */
const landmarks = {
  expires_at: order,
  'settlement window': order,
  'next leg': order,
  valid_until: { quote: label },
  'token expiry': ofParty,
  heartbeat: { stream: label },
  'end of day': {},
};
const landmark = byMember('of', landmarks);
export type Landmark = MadeBy<typeof landmark>;
export const landmarkNames = Object.keys(landmarks) as readonly Landmark['of'][];

const later = membersOf({ afterMs: count });
/** Milliseconds before the landmark; negative: after it. If that is past or unknown: at once. */
const nearby = membersOf({ near: landmark, leadMs: whole });
/** Moment of a step: never before the step that precedes it. */
const moment: Shape<MadeBy<typeof later> | MadeBy<typeof nearby>> = (value) =>
  (isObject(value) && 'near' in value ? nearby : later)(value);
export type Moment = MadeBy<typeof moment>;

const lasting = membersOf({ forMs: whole });
/** Milliseconds after the order expires; negative: before. */
const beyondOrder = membersOf({ afterOrderMs: whole });
/** Deadline of a quote. */
const validity: Shape<MadeBy<typeof lasting> | MadeBy<typeof beyondOrder>> = (value) =>
  (isObject(value) && 'afterOrderMs' in value ? beyondOrder : lasting)(value);
export type Validity = MadeBy<typeof validity>;

/** Endpoints of stray requests: those that take no body. */
export const strayEndpoints = [
  'order.read',
  'order.list',
  'order.quotes',
  'order.cancel',
  'proposal.accept',
  'rfq.read',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.read',
  'settlement.list',
] as const satisfies readonly EndpointName[];
export type StrayEndpoint = (typeof strayEndpoints)[number];

/** A well-formed id that no service has issued. */
export const unknownOrder = '5f0e1f0a-0000-4000-8000-00000000dead';

/** A command of one party. Its object may be missing (a quote that was refused): then the command does nothing. */
const command = byMember('do', {
  create: {
    label,
    custodian: text,
    receiver: text,
    receiverCustodian: text,
    /** Sender that the body names. Absent: none. */
    senderInBody: optional(text),
    sourceCurrency: text,
    targetCurrency: text,
    targetAmount: text,
    maximum: text,
    /** Some memos make the reference's own order fail. Absent: a drawn one. Null: no memo is sent. */
    memo: optional(
      shape<string | null>(
        'a text, or null',
        (value) => value === null || typeof value === 'string',
      ),
    ),
  },
  quote: { order: label, label, rate: text, validity },
  accept: { order: label, quote: label },
  cancel: order,
  'accept the proposal': order,
  read: order,
  'list quotes': order,
  /** Reads every view of the order that the party has. */
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
  listen: {
    label,
    /** The one order that it is limited to. */
    order: optional(label),
    /** The stream to resume: its last event id is sent. The stream is closed first if it is open. */
    resumes: optional(label),
  },
  'stop listening': { stream: label },
  /** Sends the token that the party had at the start of the world, however old it is. */
  'ask with its first token': {},
  /** Sends the party's last request once more. */
  repeat: {},
  /**
   * A request that the party or its role may have no right to. Without an order, it names an order that does not exist.
   */
  stray: {
    endpoint: oneOf(...strayEndpoints),
    order: optional(label),
    /** `none`: no token is sent. `first`: that of the start of the world, however old. Absent: the party's own. */
    token: optional(oneOf('none', 'first')),
  },
  /** Sends one read `count` times at once. */
  burst: { count },
});
export type Command = MadeBy<typeof command>;
export type CommandName = Command['do'];
/** Commands of one name. */
export type CommandOf<N extends CommandName> = Command & { readonly do: N };
export type CreateCommand = Extract<Command, { readonly do: 'create' }>;

/**
 * Faults of the target, of the network, or of an order's settlement. Add new ones at the end: the draws of the others
 * then stay the same.
 */
const faults = {
  'leg reverts': { order: label, leg: oneOf(1, 2, 3, 4) },
  'settlement stalls': order,
  'operator withdraws': order,
  'validation fails': order,
  /** The target ends the streams. */
  'streams drop': ofParty,
  /** The network ends them. */
  'streams break': ofParty,
  /** The party's streams are not read, for `ms` milliseconds. */
  'streams stall': ofPartyFor,
  /** The next request never arrives, or its answer never does, and the party waits for `ms` milliseconds. */
  'request lost': ofPartyFor,
  'answer lost': ofPartyFor,
  /** As above, and it sends the same request again. */
  'answer lost and sent again': ofPartyFor,
  /** The next request, or its answer, is `ms` milliseconds on the way. */
  'request delayed': ofPartyFor,
  'answer delayed': ofPartyFor,
  /** Nothing reaches the target and nothing comes from it, for `ms` milliseconds; streams break. */
  partition: ofPartyFor,
  /** The target's host is paused: requests wait, deadlines are carried out late. */
  'host pauses': { ms: count },
  /**
   * The target is killed, and starts again from its journal after `ms` milliseconds. `tornBytes`: it is killed in the
   * middle of its next write, and this many bytes of the write are lost. Absent: it is killed at once, with nothing
   * under way.
   */
  restart: { ms: count, tornBytes: optional(count) },
  /** Nothing can be written for `ms` milliseconds. */
  'disk full': { ms: count },
};
const fault = byMember('fault', faults);
export type Fault = MadeBy<typeof fault>;
export type FaultName = Fault['fault'];
export const faultNames = Object.keys(faults) as readonly FaultName[];
/** Faults of the settlement of one order. */
export type SettlementFault = Extract<Fault, { readonly order: Label }>;
export type FaultOf<N extends FaultName> = Fault & { readonly fault: N };

export type CommandStep = { readonly at: Moment; readonly by: string } & Command;
export type FaultStep = { readonly at: Moment } & Fault;
export type PlannedStep = CommandStep | FaultStep;

/** Steps of these parties. */
function stepsOf(names: ReadonlySet<unknown>): Shape {
  const timed = membersOf({ at: moment });
  const ofParties = membersOf({ by: shape('one of the parties', (by) => names.has(by)) });
  return listOf(
    (value) =>
      timed(value) ??
      (isObject(value) && 'fault' in value ? fault(value) : (ofParties(value) ?? command(value))),
  );
}

/** A plan without its steps. */
const planHead = membersOf({
  format: oneOf('assay.plan/1'),
  /** Seed of the target's ids and of the order of requests that are sent at once. */
  seed,
  /** When the target's clock starts, in milliseconds since the epoch. */
  startMs: whole,
  parties: listOf(party),
  /** Gap answers that differ from the default ones. */
  assignment: object as Shape<AnswerChanges>,
});

/**
 * Complete description of a world, as plain JSON: the parties, the target's gap answers, and the timed steps. The whole
 * plan is drawn from a seed before anything runs. So steps can be left out, a plan can be stored, and it can be played
 * against another target. Only things that never show are drawn while it is played: ids, keys, the order of turns.
 */
export interface Plan extends MadeBy<typeof planHead> {
  readonly steps: readonly PlannedStep[];
}

export const isFault = (step: PlannedStep): step is FaultStep => 'fault' in step;

/** The fault without what the party does then. */
export const plainFault = (planned: Fault): FaultPlan<string> =>
  planned.fault === 'answer lost and sent again' ? { ...planned, fault: 'answer lost' } : planned;

type Fields = Readonly<Record<string, unknown>>;

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
    'assay.plan/1' satisfies Plan['format'],
    (value) =>
      misfitIn(planHead, value) ??
      wrongParties(value['parties'] as readonly Fields[]) ??
      wrongAnswer(value['assignment']) ??
      misfitIn(membersOf({ steps: stepsOf(namesIn(value)) }), value),
  );
