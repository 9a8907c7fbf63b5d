/** Values that a target may put in the place of any other, by what is hostile about them. */
const hex = '1220'.padEnd(68, 'ab');

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ data: [inner] }), 1);

export const hostileValues: Readonly<Record<string, unknown>> = {
  'a percent sign that begins nothing': '%',
  'half a percent-encoded sign': '%E0%A4%',
  'half a surrogate pair': '\ud800',
  'the other half, in an identifier': `Bank\udfff::${hex}`,
  'an identifier with percent signs': `%E0%A4%::${hex}`,
  'an identifier of pattern signs': `[(?<Bank*+::${hex}`,
  'an identifier with a name of 40 kB': `${'Bank of Percent '.repeat(2_500)}::${hex}`,
  'an identifier with a key of 300 kB': `Bank::${'ab'.repeat(150_000)}`,
  'colons alone': '::'.repeat(40),
  'no text': '',
  'a text of 300 kB': 'x'.repeat(300_000),
  'a text of blanks': ' '.repeat(50_000),
  'digits without end': '9'.repeat(50_000),
  'a fraction without end': `0.${'3'.repeat(50_000)}`,
  'a power of ten': '1e999999999',
  'a minus before nothing': '-0',
  'not a number': 'NaN',
  'a moment that no calendar has': '2031-02-30T25:61:61.000Z',
  'the last moment of all': '+275760-09-13T00:00:00.000Z',
  'a moment with a fraction without end': `2031-02-03T04:05:06.${'7'.repeat(20_000)}Z`,
  'the name of a prototype': '__proto__',
  'the name of a method': 'constructor',
  'a prototype of its own': JSON.parse(
    '{"__proto__":{"status":"SETTLED"},"intent_id":"__proto__"}',
  ),
  'methods that are none': { toString: 1, valueOf: null, toJSON: 'x', length: -1, constructor: 0 },
  'a list of methods that are none': [{ toString: 1, valueOf: 1 }],
  nothing: null,
  yes: true,
  zero: 0,
  'less than nothing': -1,
  'half a thing': 0.5,
  'a number beyond all': 1e308,
  'a number next to nothing': 1e-320,
  'an empty list': [],
  'an empty object': {},
  'a list of lists': [[[]], [{}], [null]],
  'an object as deep as is read': nested(49),
};

/** Number of members and items that exceeds the stack of code that spreads them as arguments. */
export const manyEntries = 130_000;

export const wideValues: Readonly<Record<string, (like: unknown) => unknown>> = {
  'an object of very many members': (like) => ({
    ...Object.fromEntries(Array.from({ length: manyEntries }, (_, n) => [`field_${n}`, `${n}`])),
    ...Object(like),
  }),
  'a list of very many texts': () => Array.from({ length: manyEntries }, (_, n) => `${n}`),
  'a list of many objects like it': (like) => objectsLike(like, 20_000),
};

export const objectsLike = (like: unknown, count: number): readonly unknown[] =>
  Array.from({ length: count }, (_, n) => ({ ...Object(like), n }));
