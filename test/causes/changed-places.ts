import type { Policy } from '../../src/reference/core/index.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';

/**
 * Where a mutation changed the reference, as it was seen while the suite ran. `where`: an endpoint, an event, a resource
 * as it is stored, or a section of the policy. `field`: absent where no field of a body was changed.
 */
export interface ChangedPlace {
  readonly where: string;
  readonly field?: string;
}

/** A tamper that writes down what it changes, by comparing what each hook was given with what it handed back. */
export function watched(tamper: Tamper): {
  readonly tamper: Tamper;
  readonly places: () => readonly ChangedPlace[];
} {
  const seen = new Map<string, ChangedPlace>();
  const note = (where: string, fields: readonly string[] = []): void => {
    for (const field of fields.length > 0 ? fields : [undefined]) {
      seen.set(`${where} ${field ?? ''}`, { where, ...(field !== undefined && { field }) });
    }
  };
  return { tamper: hooksOf(tamper, note), places: () => [...seen.values()] };
}

type Note = (where: string, fields?: readonly string[]) => void;

function hooksOf(own: Tamper, note: Note): Tamper {
  const { authRequired, eventDelayMs } = own;
  if (own.verify) note('token');
  if (own.heartbeatMs !== undefined) note('heartbeat');
  const { policy, command, outcome, deadline, claims, admits, response, event, frame } = own;
  const at = (endpoint: EndpointName | undefined): string => endpoint ?? 'time';
  return {
    ...own,
    ...(policy && {
      policy: (given) => watchedPolicy(given, policy.call(own, given), note),
    }),
    ...(command && {
      command: (given, context) => {
        const made = command.call(own, given, context);
        if (made !== given && !isSame(made, given)) {
          note(
            given.type === 'request'
              ? given.endpoint
              : given.type === 'due'
                ? `deadline ${given.deadline.kind}`
                : 'fault',
          );
        }
        return made;
      },
    }),
    ...(outcome && {
      outcome: (given, asked, context) => {
        const made = outcome.call(own, given, asked, context);
        if (made === given) return made;
        const where =
          asked.type === 'request'
            ? asked.endpoint
            : asked.type === 'due'
              ? `deadline ${asked.deadline.kind}`
              : 'fault';
        if (!isSame(made.reply, given.reply)) {
          const areAnswers = made.reply?.ok === true && given.reply?.ok === true;
          note(where, areAnswers ? differing(given.reply, made.reply) : []);
        }
        if (made.state !== given.state) note(where);
        if (!isSame(made.events, given.events)) {
          const names = [...given.events, ...made.events]
            .filter((one) => !given.events.includes(one) || !made.events.includes(one))
            .map((one) => one.event);
          for (const name of names) note(name);
        }
        return made;
      },
    }),
    ...(deadline && {
      deadline: (given, context) => {
        const made = deadline.call(own, given, context);
        if (made?.at !== given.at) note(`deadline ${given.kind}`);
        return made;
      },
    }),
    ...(claims && {
      claims: (given, context) => {
        const made = claims.call(own, given, context);
        if (!isSame(made, given)) note('token.create', differing(given, made));
        return made;
      },
    }),
    ...(admits && {
      admits: (decided, context) => {
        const made = admits.call(own, decided, context);
        if (made !== undefined && made !== (decided === 'admitted')) note(at(context.endpoint));
        return made;
      },
    }),
    ...(authRequired && {
      authRequired: (endpoint) => {
        const made = authRequired.call(own, endpoint);
        if (made !== undefined) note(endpoint);
        return made;
      },
    }),
    ...(eventDelayMs && {
      eventDelayMs: (given, context) => {
        const made = eventDelayMs.call(own, given, context);
        if (made > 0) note(given.event);
        return made;
      },
    }),
    ...(response && {
      response: (given, context) => {
        const made = response.call(own, given, context);
        if (made !== given && !isSame(made, given)) {
          note(
            at(context.endpoint),
            made.status === given.status ? differing(given.body, made.body) : [],
          );
        }
        return made;
      },
    }),
    ...(event && {
      event: (given, context) => {
        const made = event.call(own, given, context);
        const [one] = made;
        if (made.length === 1 && one === given) return made;
        const isAlike =
          made.length === 1 && one && one.to === given.to && one.event === given.event;
        if (!isAlike) note(given.event);
        else if (!isSame(one.data, given.data)) note(given.event, differing(given.data, one.data));
        return made;
      },
    }),
    ...(frame && {
      frame: (given, context) => {
        const made = frame.call(own, given, context);
        if (made !== given) note(context.event);
        return made;
      },
    }),
  };
}

/** Functions of a policy are compared by what they answer, all else by its value. */
function watchedPolicy(given: Policy, made: Policy, note: Note): Policy {
  const sections = Object.entries(made as unknown as Record<string, object>).map(
    ([name, section]) => {
      const before = (given as unknown as Record<string, object>)[name];
      if (section === before || typeof section !== 'object') return [name, section] as const;
      const members = Object.entries(section).map(([key, value]) => {
        const former = (before as Record<string, unknown> | undefined)?.[key];
        if (value === former) return [key, value] as const;
        if (typeof value !== 'function' || typeof former !== 'function') {
          const differ = isPlain(value) && isPlain(former) ? shallowly(former, value) : [];
          if (differ.length > 0)
            for (const one of differ) note(/[._]/.test(one) ? one : `${name}.${one}`);
          else note(`${name}.${key}`);
          return [key, value] as const;
        }
        const wrapped = (...of: unknown[]): unknown => {
          const now = value(...of);
          const then = former(...of);
          if (!isSame(now, then)) note(`${name}.${key}`, differing(then, now).map(kebabless));
          return now;
        };
        return [key, wrapped] as const;
      });
      return [name, Object.fromEntries(members)] as const;
    },
  );
  return Object.fromEntries(sections) as unknown as Policy;
}

/** Records name their members otherwise than the wire does. */
const kebabless = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const shallowly = (one: Record<string, unknown>, other: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isSame(one[key], other[key]),
  );

/** Names of the innermost members in which two values differ; none where one of them is no object. */
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
        // Another list of items is no other value of one field.
        if (key === 'data' && key in one && key in other) return differing(one[key], other[key]);
        const inner = differing(one[key], other[key]);
        return inner.length > 0 ? inner : [key];
      }),
    ),
  ];
}
