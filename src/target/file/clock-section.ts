import {
  plain,
  type Problems,
  readDuration,
  readText,
  readWord,
  type YamlNode,
} from '../../yaml/index.ts';
import { type ClockSection, defaultMaxWaitMs, type RequestTemplate } from './target-file.ts';
import { Clock, Now, readObject, Request } from './json-schema.ts';
import { readRequestUrl } from './url-and-env-values.ts';

export const clockPlaceholders = ['ms', 'now', 'to', 'now_iso', 'to_iso'] as const;

const systemClock: ClockSection = { kind: 'system', maxWaitMs: defaultMaxWaitMs };

export function readClock(node: YamlNode | undefined, problems: Problems): ClockSection {
  const fields = readObject(node, 'the clock', Clock, problems);
  if (!node || !fields) return systemClock;
  const kind = readWord(fields.kind, ['system', 'controlled'], problems);
  const maxWaitMs = readDuration(fields.max_wait, problems);
  if (kind === 'controlled') {
    const now = readNow(fields.now, node, problems);
    const advance = readAdvance(fields.advance, node, problems);
    if (!now || !advance) return systemClock;
    // A clock that is moved costs little host time, however far.
    const unbounded = Number.POSITIVE_INFINITY;
    const places = {
      now: fields.now?.place ?? node.place,
      advance: fields.advance?.place ?? node.place,
    };
    return { kind, maxWaitMs: maxWaitMs ?? unbounded, now, advance, places };
  }
  for (const extra of [fields.now, fields.advance]) {
    if (kind === 'system' && extra) {
      problems.add(extra.place, 'a system clock cannot be driven', {
        hint: 'say kind: controlled',
      });
    }
  }
  return { kind: 'system', maxWaitMs: maxWaitMs ?? defaultMaxWaitMs };
}

function readNow(node: YamlNode | undefined, clock: YamlNode, problems: Problems) {
  if (!node) return problems.add(clock.place, 'a controlled clock lacks "now"');
  const fields = readObject(node, "the clock's now", Now, problems);
  const url = readRequestUrl(fields?.get, problems);
  const at = fields?.at ? readText(fields.at, 'a JSON Pointer', problems) : '';
  if (url === undefined || at === undefined) return undefined;
  if (at !== '' && !at.startsWith('/') && fields?.at) {
    return problems.wrong(fields.at, 'a JSON Pointer such as /now');
  }
  return { url, at };
}

function readAdvance(
  node: YamlNode | undefined,
  clock: YamlNode,
  problems: Problems,
): RequestTemplate | undefined {
  if (!node) return problems.add(clock.place, 'a controlled clock lacks "advance"');
  const template = readRequestTemplate(node, "the clock's advance", clockPlaceholders, problems);
  if (!template) return undefined;
  const text = JSON.stringify(template);
  if (/\$(ms|to|to_iso)\b/.test(text)) return template;
  return problems.add(node.place, 'the advance never says how far', {
    expected: '$ms, $to or $to_iso in its body',
  });
}

/** `{ post: URL, body: ... }` whose strings may be placeholders `$name`, of the given names only. */
export function readRequestTemplate(
  node: YamlNode,
  what: string,
  placeholders: readonly string[],
  problems: Problems,
): RequestTemplate | undefined {
  const fields = readObject(node, what, Request, problems);
  const url = readRequestUrl(fields?.post, problems);
  if (fields?.body) checkPlaceholders(fields.body, placeholders, problems);
  if (url === undefined) return undefined;
  return { url, body: fields?.body ? plain(fields.body) : undefined };
}

function checkPlaceholders(
  node: YamlNode,
  placeholders: readonly string[],
  problems: Problems,
): void {
  if (node.kind === 'list') {
    for (const item of node.items) checkPlaceholders(item, placeholders, problems);
  } else if (node.kind === 'map') {
    for (const entry of node.entries) checkPlaceholders(entry.value, placeholders, problems);
  } else if (typeof node.value === 'string') {
    const found = /^\$(\w+)$/.exec(node.value)?.[1];
    if (found !== undefined && !placeholders.includes(found)) {
      problems.wrong(node, `one of ${placeholders.map((name) => `$${name}`).join(', ')}`);
    }
  }
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
