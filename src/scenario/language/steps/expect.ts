import { eventKinds, heartbeat } from '../../../spec/events.ts';
import { type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { suggestion, unknownKey } from '../../../yaml/index.ts';
import { matcher, matcherShape } from '../matchers.ts';
import type { EventMatcher, Step } from '../model.ts';
import {
  described,
  durationShape,
  listOf,
  mapOf,
  oneOf,
  readEntries,
  reference,
  type Shape,
  type StepSource,
} from '../shapes.ts';

const eventNames = [...Object.keys(eventKinds), heartbeat];

/** `order_updated`, or `{ order_updated: { status: EXECUTING } }`. */
const eventShape: Shape<EventMatcher> = {
  read(node, reader) {
    const at = reader.location(node.place);
    if (node.kind !== 'map') {
      const name = oneOf('an event', eventNames).read(node, reader);
      return name && { at, event: name.value };
    }
    const [entry, ...more] = node.entries;
    if (!entry || more.length > 0) return reader.problems.wrong(node, 'one event and its payload');
    if (!eventNames.includes(entry.key)) {
      unknownKey(entry.key, entry.keyPlace, 'an expected event', eventNames, reader.problems);
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

const streamStates = ['ended', 'open'] as const;

const eventCounts = mapOf(matcher, 'counts by event');
export const seesFields = {
  of: described(reference('an order'), 'Only the events of this order.'),
  on: described(reference('a saved stream'), 'A saved stream, instead of its own.'),
  since: described(reference('a moment'), 'Only events that came at this moment or later.'),
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
  count: described(eventCounts, 'The number of each event.'),
  stream: described(
    oneOf('a state of the stream', streamStates),
    '`ended`: the target ends the stream. `open`: the stream is still open once `for` is over.',
  ),
  within: described(durationShape, 'How long to wait for the events; 10s by default.'),
  for: described(durationShape, 'How long to watch before the events are judged.'),
};
export const asserted = { is: described(matcher, 'A matcher for the value.') };

export function readExpect({ head, rest, at, reader }: StepSource): Step | undefined {
  const said = head.value.kind === 'scalar' ? String(head.value.value ?? '') : '';
  if (said.startsWith('$')) {
    const value = reader.expr(head.value, 'a saved value');
    const read = readEntries('"expect"', asserted, ['is'], rest, at, reader);
    return value && read ? { kind: 'assert', at, value, is: read.is } : undefined;
  }
  const parties = /^(\w+(?: or \w+)*) sees$/.exec(said)?.[1]?.split(' or ');
  if (!parties) {
    const expected = 'what a party sees ("maker_a sees"), or a value ("$order.status")';
    return reader.problems.wrong(head.value, expected);
  }
  const stranger = parties.find((party) => !(castNames as string[]).includes(party));
  if (stranger !== undefined) {
    return reader.problems.wrong(
      head.value,
      `a party: ${castNames.join(', ')}`,
      suggestion(stranger, castNames),
    );
  }
  const [party, ...or] = parties as [CastName, ...CastName[]];
  const read = readEntries(`"expect: ${said}"`, seesFields, [], rest, at, reader);
  if (!read) return undefined;
  const { within, for: watch, at: _, ...expectations } = read;
  const { stream } = expectations;
  const asks = [
    expectations.in_order,
    expectations.in_any_order,
    expectations.exactly,
    expectations.never,
    expectations.at_most_once,
    expectations.count,
    stream,
  ];
  if (asks.every((one) => one === undefined)) {
    return reader.problems.add(head.value.place, `"${said}" what?`, {
      expected: 'in_order, in_any_order, exactly, never, at_most_once, count or stream',
    });
  }
  const negatives = [expectations.never, expectations.at_most_once];
  const staysOpen = stream?.value === 'open' ? stream : undefined;
  const asksForMore = asks.some(
    (one) => one !== undefined && !negatives.some((no) => no === one) && one !== staysOpen,
  );
  const alone = expectations.on ?? negatives.find((one) => one !== undefined)?.[0] ?? stream;
  if (or.length > 0 && alone) {
    return reader.problems.add(alone.at, `"${said}" is enough where one of them sees it`, {
      expected: 'in_order, in_any_order, exactly or count, each on its own stream',
    });
  }
  if (!asksForMore && within) {
    return reader.problems.add(within.at, '"within" says how long to wait for what comes', {
      expected: `"for", beside "${expectations.never ? 'never' : staysOpen ? 'stream: open' : 'at_most_once'}"`,
    });
  }
  return {
    kind: 'sees',
    at: reader.location(head.value.place),
    party,
    or,
    ...expectations,
    ...(within && { withinMs: within.value }),
    ...(watch && { forMs: watch.value }),
  };
}
