/** A place in JSON: the names and numbers that lead to it. */
type Path = readonly (string | number)[];

const missing = Symbol('missing');
type Bend = readonly [how: string, value: unknown];

const nested = (levels: number): unknown => {
  const text = '['.repeat(levels) + ']'.repeat(levels);
  return JSON.parse(text) as unknown;
};

/** Values of a wrong type, range or depth, as a person or a broken disk may leave them. */
const bends: readonly Bend[] = [
  ['nothing', missing],
  ['null', null],
  ['a number beyond all calendars', 1e308],
  ['less than nothing', -1],
  ['half a thing', 0.5],
  ['a text', 'x'],
  ['no text', ''],
  ['the name of a prototype', '__proto__'],
  ['a text of 100 kB', 'x'.repeat(100_000)],
  ['yes', true],
  ['an empty list', []],
  ['a list of lists', [[[]], [null]]],
  ['an object of methods that are none', { toString: 1, valueOf: 1, toJSON: 'x', length: -1 }],
  ['a list 5,000 deep', nested(5_000)],
];

/** Places, one of each kind: the items of a list are alike. */
function* placesIn(value: unknown, path: Path = [], seen = new Set<string>()): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    const place = [...path, isList ? Number(name) : name];
    const kind = place.map((one) => (typeof one === 'number' ? '*' : one)).join('.');
    if (!seen.has(kind)) yield place;
    seen.add(kind);
    yield* placesIn(inner, place, seen);
  }
}

function bentAt(value: unknown, [name, ...rest]: Path, bend: unknown): unknown {
  if (name === undefined) return bend;
  const inner = bentAt((value as Record<string | number, unknown>)[name], rest, bend);
  if (Array.isArray(value)) {
    return inner === missing ? value.toSpliced(Number(name), 1) : value.with(Number(name), inner);
  }
  const { [name]: _, ...others } = value as Record<string, unknown>;
  return inner === missing ? others : { ...others, [name]: inner };
}

export interface BentJson {
  /** Names and numbers, joined by full stops. */
  readonly place: string;
  readonly how: string;
  readonly bent: unknown;
}

/** JSON with each kind of its places bent in each way, one at a time. */
export function* bentJson(value: unknown): Generator<BentJson> {
  for (const place of placesIn(value)) {
    for (const [how, bend] of bends) {
      yield { place: place.join('.'), how, bent: bentAt(value, place, bend) };
    }
  }
}
