import { plain, type YamlNode } from '../../yaml/index.ts';
import { Clock, Now, Request } from './json-schema.ts';
import { type ClockSection, defaultMaxWaitMs, type RequestTemplate } from './target-file.ts';
import type { TargetReader } from './target-reader.ts';

const clockPlaceholders = ['ms', 'now', 'to', 'now_iso', 'to_iso'] as const;

const systemClock: ClockSection = { kind: 'system', maxWaitMs: defaultMaxWaitMs };

export function readClock(node: YamlNode | undefined, reader: TargetReader): ClockSection {
  const fields = reader.object(node, 'the clock', Clock);
  if (!node || !fields) return systemClock;
  const kind = reader.word(fields.kind, ['system', 'controlled']);
  const maxWaitMs = reader.duration(fields.max_wait);
  if (kind !== 'controlled') {
    const extra = [fields.now, fields.advance].flatMap((one) => one ?? []);
    for (const { place } of kind === 'system' ? extra : [])
      reader.add(place, 'a system clock cannot be driven', { hint: 'say kind: controlled' });
    return { kind: 'system', maxWaitMs: maxWaitMs ?? defaultMaxWaitMs };
  }
  const lacks = (key: string): undefined =>
    reader.add(node.place, `a controlled clock lacks "${key}"`);
  const now = fields.now ? readNow(fields.now, reader) : lacks('now');
  const advance = fields.advance ? readAdvance(fields.advance, reader) : lacks('advance');
  if (!now || !advance || !fields.now || !fields.advance) return systemClock;
  // A clock that is moved costs little host time, however far.
  const unbounded = Number.POSITIVE_INFINITY;
  const places = { now: fields.now.place, advance: fields.advance.place };
  return { kind, maxWaitMs: maxWaitMs ?? unbounded, now, advance, places };
}

function readNow(node: YamlNode, reader: TargetReader) {
  const fields = reader.object(node, "the clock's now", Now);
  const url = reader.requestUrl(fields?.get);
  const at = fields?.at ? reader.text(fields.at, 'a JSON Pointer') : '';
  if (url === undefined || at === undefined) return undefined;
  if (at !== '' && !at.startsWith('/') && fields?.at)
    return reader.wrong(fields.at, 'a JSON Pointer such as /now');
  return { url, at };
}

function readAdvance(node: YamlNode, reader: TargetReader): RequestTemplate | undefined {
  const template = readRequestTemplate(node, "the clock's advance", clockPlaceholders, reader);
  if (!template || /\$(ms|to|to_iso)\b/.test(JSON.stringify(template))) return template;
  return reader.add(node.place, 'the advance never says how far', {
    expected: '$ms, $to or $to_iso in its body',
  });
}

/** `{ post: URL, body: ... }` whose strings may be placeholders `$name`, of the given names only. */
export function readRequestTemplate(
  node: YamlNode,
  what: string,
  placeholders: readonly string[],
  reader: TargetReader,
): RequestTemplate | undefined {
  const fields = reader.object(node, what, Request);
  const url = reader.requestUrl(fields?.post);
  if (fields?.body) checkPlaceholders(fields.body, placeholders, reader);
  if (url === undefined) return undefined;
  return { url, body: fields?.body && plain(fields.body) };
}

function checkPlaceholders(
  node: YamlNode,
  placeholders: readonly string[],
  reader: TargetReader,
): void {
  if (node.kind !== 'scalar') {
    const inner = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    for (const one of inner) checkPlaceholders(one, placeholders, reader);
    return;
  }
  const found = /^\$(\w+)$/.exec(typeof node.value === 'string' ? node.value : '')?.[1];
  if (found !== undefined && !placeholders.includes(found))
    reader.wrong(node, `one of ${placeholders.map((name) => `$${name}`).join(', ')}`);
}

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
