import {
  bare,
  described,
  durationShape,
  located,
  mapShape,
  oneOf,
  plain,
  type Reader,
  record,
  scalar,
  type Shape,
  type YamlNode,
} from '../../yaml/index.ts';
import { type ClockSection, defaultMaxWaitMs, type RequestTemplate } from './target-file.ts';
import { requestUrl } from './values.ts';

const placeholder = /^\$(\w+)$/;

/** Any content, in which a string may be a placeholder `$name`, of the given names only. */
const contentWith = (placeholders: readonly string[]): Shape<unknown> => ({
  read(node, reader) {
    checkPlaceholders(node, placeholders, reader);
    return plain(node);
  },
  schema: {},
});

function checkPlaceholders(node: YamlNode, placeholders: readonly string[], reader: Reader): void {
  if (node.kind !== 'scalar') {
    const inner = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    for (const one of inner) checkPlaceholders(one, placeholders, reader);
    return;
  }
  const found = placeholder.exec(typeof node.value === 'string' ? node.value : '')?.[1];
  if (found !== undefined && !placeholders.includes(found))
    reader.wrong(node, `one of ${placeholders.map((name) => `$${name}`).join(', ')}`);
}

/** `{ post: URL, body: ... }` whose strings may be placeholders `$name`, of the given names only. */
export const requestTemplate = (
  what: string,
  description: string,
  placeholders: readonly string[],
): Shape<RequestTemplate> =>
  described(
    mapShape(
      record(what, { post: requestUrl('Where to.'), body: contentWith(placeholders) }, ['post']),
      ({ post, body }) => ({ url: post.value, body }),
    ),
    description,
  );

/** The empty pointer means the whole answer. */
const pointer = scalar(
  'a JSON Pointer such as /now',
  { type: 'string', pattern: '^(/|$)' },
  ({ value }) => (typeof value === 'string' && /^(?:\/|$)/.test(value) ? value : undefined),
);

const now = mapShape(
  record(
    "the clock's now",
    {
      get: requestUrl('Tells the time.'),
      at: bare(pointer),
    },
    ['get'],
  ),
  ({ get, at = '' }) => ({ url: get.value, at }),
);

const advance = mapShape(
  requestTemplate(
    "the clock's advance",
    'Moves the time: $ms, $to or $to_iso in its body say how far.',
    ['ms', 'now', 'to', 'now_iso', 'to_iso'],
  ),
  (template, reader, { place }) =>
    /\$(ms|to|to_iso)\b/.test(JSON.stringify(template))
      ? template
      : reader.add(place, 'the advance never says how far', {
          expected: '$ms, $to or $to_iso in its body',
        }),
);

const keys = {
  kind: oneOf('a kind of clock', ['system', 'controlled']),
  max_wait: bare(durationShape),
  now: located(now),
  advance: located(advance),
};
const kindOf = (kind: ClockSection['kind']) => oneOf('a kind of clock', [kind]);
const { max_wait } = keys;
const system = record('a system clock', { kind: kindOf('system'), max_wait }, ['kind']);
const controlled = record('a controlled clock', { ...keys, kind: kindOf('controlled') }, [
  'kind',
  'now',
  'advance',
]);

export const clock: Shape<ClockSection> = {
  ...mapShape(record('the clock', keys, ['kind']), (read, reader): ClockSection | undefined => {
    const { kind, max_wait: maxWaitMs } = read;
    if (kind.value === 'system') {
      for (const { at } of [read.now ?? [], read.advance ?? []].flat())
        reader.add(at, 'a system clock cannot be driven', { hint: 'say kind: controlled' });
      return { kind: 'system', maxWaitMs: maxWaitMs ?? defaultMaxWaitMs };
    }
    for (const key of ['now', 'advance'] as const)
      if (!read[key]) reader.add(read.at, `a controlled clock lacks ${JSON.stringify(key)}`);
    if (!read.now || !read.advance) return undefined;
    return {
      kind: 'controlled',
      // A clock that is moved costs little host time, however far.
      maxWaitMs: maxWaitMs ?? Number.POSITIVE_INFINITY,
      now: read.now.value,
      advance: read.advance.value,
      places: { now: read.now.at, advance: read.advance.at },
    };
  }),
  schema: {
    anyOf: [system.schema, controlled.schema],
    description: 'Whose time it is. Without it, the target keeps its own.',
  },
};

/** A recipe's URL and body with the placeholders filled in; in a URL each value is percent-encoded. */
export function fillTemplate(
  template: RequestTemplate,
  values: Readonly<Record<string, string | number>>,
): RequestTemplate {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const name = /^\$(\w+)$/.exec(value)?.[1];
      return name === undefined ? value : (values[name] ?? value);
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]));
  };
  const url = template.url.replace(/\$(\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(values[name]),
  );
  return { url, body: fill(template.body) };
}
