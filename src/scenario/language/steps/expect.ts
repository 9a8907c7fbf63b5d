import { eventKinds, heartbeat } from '../../../spec/events.ts';
import { type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { type Matcher, matcher, matcherShape } from '../matchers.ts';
import {
  described,
  durationShape,
  listOf,
  mapOf,
  oneOf,
  type ReadBy,
  record,
  type Shape,
  type SourceLocation,
  suggestion,
  textOf,
} from '../../../yaml/index.ts';
import { exprOf, type Located, reference, type StepSource } from '../arg.ts';

const eventNames = [...Object.keys(eventKinds), heartbeat];

export interface EventMatcher {
  readonly at: SourceLocation;
  readonly event: string;
  readonly payload?: Matcher;
}

/** `order_updated`, or `{ order_updated: { status: EXECUTING } }`. */
const eventShape: Shape<EventMatcher> = {
  read(node, reader) {
    if (node.kind !== 'map') {
      const name = oneOf('an event', eventNames).read(node, reader);
      return name && { at: name.at, event: name.value };
    }
    const [entry, ...more] = node.entries;
    if (!entry || more.length > 0) return reader.wrong(node, 'one event and its payload');
    if (!eventNames.includes(entry.key)) {
      reader.unknownKey(entry.key, entry.keyPlace, 'an expected event', eventNames);
      return undefined;
    }
    const payload = matcherShape.read(entry.value, reader);
    return payload && { at: reader.location(entry.keyPlace), event: entry.key, payload };
  },
  schema: {
    anyOf: [
      { enum: eventNames },
      {
        type: 'object',
        properties: Object.fromEntries(eventNames.map((name) => [name, matcher.schema])),
        additionalProperties: false,
      },
    ],
  },
};
const eventList = listOf(eventShape, 'events');

/** Expectations of events, in the order of the language. */
const expectations = {
  in_order: described(eventList, 'These events in this order; others may come between.'),
  in_any_order: described(eventList, 'All of these events, in any order.'),
  exactly: described(eventList, 'These events in this order and no others, except heartbeats.'),
  never: described(
    eventList,
    'None of these events until `for` is over; without `for`, in the whole scenario.',
  ),
  at_most_once: described(
    eventList,
    'Each of these events at most once until `for` is over; without `for`, in the whole scenario.',
  ),
  count: described(
    mapOf(matcher, 'counts by event', /^[A-Za-z_][\w ]*$/),
    'The number of each event.',
  ),
  stream: described(
    oneOf('a state of the stream', ['ended', 'open']),
    '`ended`: the target ends the stream. `open`: the stream is still open once `for` is over.',
  ),
};
const seesFields = {
  of: described(reference('an order'), 'Only the events of this order.'),
  on: described(reference('a saved stream'), 'A saved stream, instead of its own.'),
  since: described(reference('a moment'), 'Only events that came at this moment or later.'),
  ...expectations,
  within: described(durationShape, 'How long to wait for the events; 10s by default.'),
  for: described(durationShape, 'How long to watch before the events are judged.'),
};
const asserted = record('"expect"', { is: described(matcher, 'A matcher for the value.') }, ['is']);

/** Keys of both kinds of `expect`. */
export const expectKeys = record('"expect"', { ...seesFields, ...asserted.fields });

export interface AssertStep extends ReadBy<typeof asserted> {
  readonly kind: 'assert';
  readonly value: Located;
}

type SeesKeys = { readonly [K in keyof typeof seesFields]?: ReadBy<(typeof seesFields)[K]> };
export interface SeesStep extends SeesKeys {
  readonly kind: 'sees';
  readonly at: SourceLocation;
  readonly party: CastName;
  /** Parties of which one that sees it is enough. */
  readonly or: readonly CastName[];
}

export function readExpect(source: StepSource): SeesStep | AssertStep | undefined {
  const { head, rest, at, reader } = source;
  const said = textOf(head.value);
  if (said.startsWith('$')) {
    const value = exprOf(head.value, 'a saved value', reader);
    const keys = asserted.readEntries(rest, at, reader);
    return value && keys && { ...keys, kind: 'assert', value };
  }
  const parties = /^(\w+(?: or \w+)*) sees$/.exec(said)?.[1]?.split(' or ');
  if (!parties) {
    const expected = 'what a party sees ("maker_a sees"), or a value ("$order.status")';
    return reader.wrong(head.value, expected);
  }
  const stranger = parties.find((party) => !(castNames as string[]).includes(party));
  if (stranger !== undefined) {
    const hint = suggestion(stranger, castNames);
    return reader.wrong(head.value, `a party: ${castNames.join(', ')}`, hint);
  }
  const [party, ...or] = parties as [CastName, ...CastName[]];
  const keys = record(`"expect: ${said}"`, seesFields).readEntries(rest, at, reader);
  if (!keys) return undefined;
  const step = { ...keys, kind: 'sees', at: reader.location(head.value.place), party, or } as const;
  return isSound(said, step, source) ? step : undefined;
}

/** Checks that the keys of a step fit each other. */
function isSound(said: string, step: SeesStep, { head, reader }: StepSource): boolean {
  const { never, at_most_once: once, stream, within } = step;
  const asked = Object.keys(expectations).filter((key) => key in step);
  if (asked.length === 0) {
    reader.add(head.value.place, `"${said}" what?`, {
      expected: 'in_order, in_any_order, exactly, never, at_most_once, count or stream',
    });
    return false;
  }
  const alone = step.on ?? (never ?? once)?.[0] ?? stream;
  if (step.or.length > 0 && alone) {
    reader.add(alone.at, `"${said}" is enough where one of them sees it`, {
      expected: 'in_order, in_any_order, exactly or count, each on its own stream',
    });
    return false;
  }
  const isOpen = stream?.value === 'open';
  const waits = asked.some(
    (key) => key !== 'never' && key !== 'at_most_once' && !(key === 'stream' && isOpen),
  );
  if (waits || !within) return true;
  reader.add(within.at, '"within" says how long to wait for what comes', {
    expected: `"for", beside "${never ? 'never' : isOpen ? 'stream: open' : 'at_most_once'}"`,
  });
  return false;
}
