import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventDecoder, type StreamMessage } from './event-decoder.ts';

/** Cuts bytes at the given places, whatever they cut through. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [...new Set(places.map((place) => place % (bytes.length + 1)))];
  const ends = [...edges.sort((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
}

function read(text: string, places: readonly number[] = []): StreamMessage[] {
  const messages: StreamMessage[] = [];
  const decoder = eventDecoder((message) => messages.push(message));
  for (const piece of cutAt(new TextEncoder().encode(text), places)) decoder.feed(piece);
  return messages;
}

const word = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => text.replace(/[\r\n\0]/g, '_'));
const name = word.filter((text) => text !== '');
const message = fc.record({
  event: name,
  data: fc.option(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
    {
      nil: undefined,
    },
  ),
  id: fc.option(word, { nil: undefined }),
});

/** Variations in how one message is written: field order, spaces, comments, line ends. */
const manner = fc.record({
  order: fc.constantFrom('event,data,id', 'data,id,event', 'id,event,data'),
  spaces: fc.boolean(),
  noise: fc.array(fc.constantFrom(':', ': ping', 'retry: 5', 'unknown: x', 'unknown'), {
    maxLength: 3,
  }),
  end: fc.constantFrom('\n', '\r', '\r\n'),
});

interface Written {
  readonly message: { readonly event: string; readonly data?: string; readonly id?: string };
  readonly manner: { order: string; spaces: boolean; noise: string[]; end: string };
}

function write({
  message: { event, data, id },
  manner: { order, spaces, noise, end },
}: Written): string {
  // Without a space the reader must not eat one that belongs to the value.
  const field = (key: string, value: string): string =>
    spaces || value.startsWith(' ') ? `${key}: ${value}` : `${key}:${value}`;
  const fields: Record<string, string[]> = {
    event: [field('event', event)],
    data: data === undefined ? [] : data.split('\n').map((line) => field('data', line)),
    id: id === undefined ? [] : [field('id', id)],
  };
  const lines = order.split(',').flatMap((key) => [...(fields[key] ?? []), ...noise]);
  return [...lines, '', ''].join(end);
}

const present = ({ message, manner: { noise } }: Written): StreamMessage =>
  JSON.parse(
    JSON.stringify({ ...message, ...(noise.includes(': ping') && { comments: ['ping'] }) }),
  ) as StreamMessage;

const written = fc.record({ message, manner });
const cuts = fc.array(fc.nat(), { maxLength: 20 });

test('any messages, in any manner of writing and cut anywhere, are read as they were meant', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 6 }), fc.boolean(), cuts, (all, mark, places) => {
      const text = (mark ? '\uFEFF' : '') + all.map((one) => write(one as Written)).join('');
      const expected = all.map((one) => present(one as Written));
      expect(read(text, places)).toEqual(expected);
    }),
  );
});

test('any text at all is read alike however it is cut', () => {
  const piece = fc.constantFrom(
    'data',
    'event',
    'id',
    ':',
    ' ',
    '\r',
    '\n',
    '\r\n',
    'x',
    'ü',
    '\uFEFF',
    '💶',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), cuts, (pieces, places) => {
      const text = pieces.join('');
      expect(read(text, places)).toEqual(read(text));
    }),
  );
});

test('messages with data are those that another reader finds', () => {
  const piece = fc.constantFrom('data', 'event', ':', ' ', '\r\n', '\n', '\n\n', 'x', 'id', '7');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const theirs: unknown[] = [];
      const parser = createParser({
        onEvent: ({ event, data }) => theirs.push({ event: event ?? '', data }),
      });
      parser.feed(text);
      const ours = read(text).filter(({ data }) => data !== undefined);
      expect(ours.map(({ event, data }) => ({ event, data }))).toEqual(theirs);
    }),
  );
});
