/** Escaping of text from a target, which may contain anything. One function per format. */

/**
 * Control characters (except newline and tab), other line separators, and characters that change the text direction.
 */
const treacherous = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu;

/** Single UTF-16 surrogates: no text encoding can write one alone. */
const lonely = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const visible = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Commands that a CI runner obeys in a log: `::name::` at the beginning of a line, and `##[name]`, `##vso[` or
 * `##teamcity[` anywhere.
 */
const logCommand = /^([^\S\n]*):(?=:)|##(?=\w*\[)/gm;

const withoutLogCommands = (text: string, colon: string, hash: string): string =>
  text.replace(logCommand, (_, indent?: string) =>
    indent === undefined ? `#${hash}` : `${indent}${colon}`,
  );

/** Text for a log: no line of it is a command to the runner of a job. */
export const loggable = (text: string): string =>
  withoutLogCommands(text, visible(':'), visible('#'));

/** JSON for a log, on one line or many: it reads back as the same value. */
export const loggableJson = (json: string): string => loggable(json.replace(treacherous, visible));

/** Text without characters that control a terminal or a viewer. */
export const printable = (text: string): string =>
  text.replace(treacherous, visible).replace(lonely, visible);

/** A JSON-like value with all its strings printable. */
export function printableValue<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => printableValue(item)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [printable(key), printableValue(inner) as unknown]),
  ) as T;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const withEntities = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export const escapeHtml = (text: string): string => withEntities(printable(text));

/** XML text. XML 1.0 cannot contain most control characters, U+FFFE and U+FFFF, so they are written as `\uXXXX`. */
export const escapeXml = (text: string): string =>
  withoutLogCommands(
    withEntities(printable(text).replace(/[\uFFFE\uFFFF]/g, visible)),
    '&#58;',
    '&#35;',
  );

/** XML attribute value. Newlines and tabs are encoded, since an attribute would turn them into spaces. */
export const escapeXmlAttribute = (text: string): string =>
  escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

/** A row of a table, of cells that are escaped. */
export const markdownRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A section with a table of escaped cells. Empty if it has no rows. */
export const markdownTable = (
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] =>
  rows.length === 0
    ? []
    : ['', `## ${title}`, '', ...[head, head.map(() => '---'), ...rows].map(markdownRow)];

/** One line of Markdown without any mark-up, safe in a table cell. */
export const escapeMarkdown = (text: string): string =>
  printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|<>~@$-]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;');

/** Text as code in Markdown, with any number of backticks in it. */
export function codeSpan(text: string): string {
  const line = loggable(printable(text).replace(/\s+/g, ' '));
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const space = /^`|`$|^ | $/.test(line) || line === '' ? ' ' : '';
  return fence + space + line + space + fence;
}
