import type { Command, Policy, StepOutcome } from '../../src/reference/core/index.ts';
import type { Tamper } from '../../src/reference/http/index.ts';

/**
 * A place where a mutation changed the reference, as observed while the suite ran. `where`: an
 * endpoint, an event, a stored resource, or a section of the policy. `field`: absent if no field of
 * a body was changed.
 */
export interface ChangedPlace {
  readonly where: string;
  readonly field?: string;
}

/** A tamper that records its changes: it compares the input and the result of each hook. */
export function watched(tamper: Tamper): {
  readonly tamper: Tamper;
  readonly places: () => readonly ChangedPlace[];
} {
  const seen = new Map<string, ChangedPlace>();
  const note = (where: string, fields: readonly string[] = []): void => {
    for (const field of fields.length > 0 ? fields : [wholeAnswer]) {
      seen.set(`${where} ${field}`, { where, ...(field !== wholeAnswer && { field }) });
    }
  };
  return { tamper: hooksOf(tamper, note), places: () => [...seen.values()] };
}

/** In place of a field: the answer differs as a whole. */
const wholeAnswer = '';

type Note = (where: string, fields?: readonly string[]) => void;
/** A hook in its place, where a tamper has it. */
type Hooked = Partial<{ -readonly [K in keyof Tamper]: Tamper[K] }>;

function hooksOf(own: Tamper, note: Note): Tamper {
  if (own.verify) note('token');
  if (own.heartbeatMs !== undefined) note('heartbeat');
  return {
    ...own,
    ...hooksOfTokens(own, note),
    ...hooksOfCore(own, note),
    ...hooksOfAnswers(own, note),
    ...hooksOfEvents(own, note),
  };
}

const whereIs = (command: Command): string =>
  command.type === 'request'
    ? command.endpoint
    : command.type === 'due'
      ? `deadline ${command.deadline.kind}`
      : 'fault';

function hooksOfTokens(own: Tamper, note: Note): Hooked {
  const hooks: Hooked = {};
  if (own.claims) {
    hooks.claims = (given, context) => {
      const made = own.claims?.(given, context) ?? { ...given };
      if (!isSame(made, given)) note('token.create', differing(given, made));
      return made;
    };
  }
  if (own.admits) {
    hooks.admits = (decided, context) => {
      const made = own.admits?.(decided, context);
      const isOther = made !== undefined && made !== (decided === 'admitted');
      if (isOther) note(context.endpoint ?? 'time');
      return made;
    };
  }
  if (own.authRequired) {
    hooks.authRequired = (endpoint) => {
      const made = own.authRequired?.(endpoint);
      if (made !== undefined) note(endpoint);
      return made;
    };
  }
  return hooks;
}

function hooksOfCore(own: Tamper, note: Note): Hooked {
  const hooks: Hooked = {};
  if (own.policy) {
    hooks.policy = (given) => watchedPolicy(given, own.policy?.(given) ?? given, note);
  }
  if (own.command) {
    hooks.command = (given, context) => {
      const made = own.command?.(given, context);
      if (!isSame(made, given)) note(whereIs(given));
      return made;
    };
  }
  if (own.outcome) {
    hooks.outcome = (given, asked, context) => {
      const made = own.outcome?.(given, asked, context) ?? given;
      if (made !== given) noteOutcome(given, made, whereIs(asked), note);
      return made;
    };
  }
  if (own.deadline) {
    hooks.deadline = (given, context) => {
      const made = own.deadline?.(given, context);
      if (made?.at !== given.at) note(`deadline ${given.kind}`);
      return made;
    };
  }
  return hooks;
}

function noteOutcome(given: StepOutcome, made: StepOutcome, where: string, note: Note): void {
  if (!isSame(made.reply, given.reply)) {
    const areAnswers = made.reply?.ok === true && given.reply?.ok === true;
    note(where, areAnswers ? differing(given.reply, made.reply) : []);
  }
  if (made.state !== given.state) note(where);
  const events = [...given.events, ...made.events].filter(
    (one) => !given.events.includes(one) || !made.events.includes(one),
  );
  for (const { event } of events) note(event);
}

function hooksOfAnswers(own: Tamper, note: Note): Hooked {
  if (!own.response) return {};
  return {
    response: (given, context) => {
      const made = own.response?.(given, context) ?? given;
      if (!isSame(made, given)) {
        const isOther = made.status !== given.status;
        note(context.endpoint ?? 'time', isOther ? [] : differing(given.body, made.body));
      }
      return made;
    },
  };
}

function hooksOfEvents(own: Tamper, note: Note): Hooked {
  const hooks: Hooked = {};
  if (own.event) {
    hooks.event = (given, context) => {
      const made = own.event?.(given, context) ?? [given];
      const [one] = made;
      const isAlike = made.length === 1 && one?.to === given.to && one.event === given.event;
      if (!isAlike) note(given.event);
      else if (!isSame(one.data, given.data)) note(given.event, differing(given.data, one.data));
      return made;
    };
  }
  if (own.eventDelayMs) {
    hooks.eventDelayMs = (given, context) => {
      const made = own.eventDelayMs?.(given, context) ?? 0;
      if (made > 0) note(given.event);
      return made;
    };
  }
  if (own.frame) {
    hooks.frame = (given, context) => {
      const made = own.frame?.(given, context);
      if (made !== given) note(context.event);
      return made;
    };
  }
  return hooks;
}

/** Functions of a policy are compared by what they answer, all else by its value. */
function watchedPolicy(given: Policy, made: Policy, note: Note): Policy {
  const before = given as unknown as Record<string, unknown>;
  const sections = Object.entries(made as unknown as Record<string, unknown>).map(
    ([name, section]) => {
      const former = before[name];
      if (section === former || !isPlain(section) || !isPlain(former)) return [name, section];
      const members = Object.entries(section).map(([key, value]) => [
        key,
        value === former[key] ? value : watchedMember(`${name}.${key}`, value, former[key], note),
      ]);
      return [name, Object.fromEntries(members)];
    },
  );
  return Object.fromEntries(sections) as Policy;
}

type Answer = (...of: unknown[]) => unknown;

function watchedMember(where: string, value: unknown, former: unknown, note: Note): unknown {
  if (typeof value !== 'function' || typeof former !== 'function') {
    const names = isPlain(value) && isPlain(former) ? shallowly(former, value) : [];
    // Names of endpoints and events, for changes of who may call and who is notified.
    for (const one of names) note(/[._]/.test(one) ? one : `${where}.${one}`);
    if (names.length === 0) note(where);
    return value;
  }
  return (...of: unknown[]): unknown => {
    const now = (value as Answer)(...of);
    const then = (former as Answer)(...of);
    if (!isSame(now, then)) note(where, differing(then, now).map(onTheWire));
    return now;
  };
}

/** Records use other member names than the wire. */
const onTheWire = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const shallowly = (one: Record<string, unknown>, other: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isSame(one[key], other[key]),
  );

/** Names of the innermost members that differ; none if one of the values is no object. */
function differing(one: unknown, other: unknown): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    // A list with other items in it differs as a whole.
    if (one.length !== other.length) return [];
    return [...new Set(one.flatMap((item, place) => differing(item, other[place])))];
  }
  if (!isPlain(one) || !isPlain(other)) return [];
  return [
    ...new Set(
      shallowly(one, other).flatMap((key) => {
        // Another list of items is no other value of one field, and changes the counts beside it.
        if (key === 'data' && key in one && key in other) {
          const fields = differing(one[key], other[key]);
          return fields.length > 0 ? fields : [wholeAnswer];
        }
        const inner = differing(one[key], other[key]);
        return inner.length > 0 ? inner : [key];
      }),
    ),
  ];
}
