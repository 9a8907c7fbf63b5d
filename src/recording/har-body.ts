import { decodeContent } from '../client/http/content-encoding.ts';
import { isObject, parsedJson } from '../history/json.ts';
import { ownLimits } from '../history/limits.ts';

type Json = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** Reads a file beside the HAR, as Playwright attaches bodies. */
export type FileNamed = (name: unknown) => Uint8Array | undefined;

/** Values that sanitizers put in place of others. A JWT without its signature ends in `.redacted`. */
const redacted =
  /"(?:[*•]{3,}\d*|x{6,}|[^"]*(?<!\.)\bredacted\b[^"]*|[[<(](?:filtered|masked|removed|hidden|sanitized)[\])>])"/i;

/** A text that is longer than this cannot be a mark as a whole. */
const longestMark = 200;

/** True if a mark in the text replaces a sent value. */
export const isRedacted = (text: string): boolean =>
  redacted.test(text) || (text.length <= longestMark && redacted.test(`"${text}"`));

const isBase64 = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64';

const bytesOf = (text: string, encoding: unknown): Uint8Array =>
  Buffer.from(text, isBase64(encoding) ? 'base64' : 'utf8');

const isJson = (bytes: Uint8Array): boolean =>
  parsedJson(Buffer.from(bytes).toString('utf8')) !== undefined;

/** Base64 only. JSON and event streams contain other characters. */
const onlyBase64 = /^[A-Za-z\d+/]{8,}={0,2}$/;

/** Decodes bytes that an exporter wrote as they came: still compressed, or in base64 without a mark. */
function decoded(bytes: Uint8Array, coding: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  if (onlyBase64.test(text)) return decoded(Buffer.from(text, 'base64'), coding);
  try {
    return decodeContent(bytes, coding, ownLimits['answer.body_bytes']);
  } catch {
    return bytes;
  }
}

/** True for UTF-8 that was read byte by byte: encoded back, it is UTF-8. */
const isTwiceEncoded = (text: string): boolean =>
  /[^\0-\x7f]/.test(text) &&
  !/[^\0-\xff]/.test(text) &&
  !Buffer.from(text, 'latin1').toString('utf8').includes('\ufffd');

/** True if the text was decoded with another character set than it was sent in. A size below 0 tells nothing. */
const isMisread = (text: string, bytes: Uint8Array, size: number): boolean =>
  text.includes('\ufffd') ||
  isTwiceEncoded(text) ||
  (bytes.length > text.length && size > 0 && bytes.length > size);

/**
 * Body of an answer, if it is complete and unchanged. Exporters cut large bodies, write an empty text for bodies that
 * they did not keep, and use wrong character sets; sanitizers change values.
 */
export function answerBodyIn(
  { text, encoding, size }: Json,
  headers: Headers,
  isStream: boolean,
  file: Uint8Array | undefined,
): Uint8Array | undefined {
  const written = file ?? (typeof text === 'string' ? bytesOf(text, encoding) : undefined);
  if (!written || (written.length === 0 && size !== 0)) return undefined;
  // A mark is plain text, whatever the encoding of the body was.
  if (typeof text === 'string' && text.length <= longestMark && isRedacted(text)) return undefined;
  const coding = headers['content-encoding'] ?? '';
  const wasJson = isJson(written);
  const bytes = wasJson ? written : decoded(written, coding);
  const shown = Buffer.from(bytes).toString('utf8');
  const isAsWritten = file === undefined && !isBase64(encoding);
  // The size of a compressed body may be the size before or after decompression.
  const isPlain = coding === '';
  const plainSize = isPlain && typeof size === 'number' ? size : -1;
  if (isRedacted(shown) || (isAsWritten && isMisread(shown, bytes, plainSize))) return undefined;
  if (wasJson || bytes.length === 0 || isJson(bytes)) return bytes;
  const length = isPlain ? Number(headers['content-length'] ?? -1) : -1;
  const told = [size, length].filter((one) => typeof one === 'number' && one > 0) as number[];
  const isShort = told.some((one) => one > bytes.length);
  // Any other text that is no JSON may be a part of a JSON text.
  const isTold = isPlain && told.includes(bytes.length);
  return isShort || (!isStream && !isTold) ? undefined : bytes;
}

export function requestBodyIn(postData: unknown, fileNamed: FileNamed): string | undefined {
  if (!isObject(postData)) return undefined;
  const { text, _file: name, encoding, _encoding: other } = postData;
  const bytes =
    fileNamed(name) ??
    (typeof text === 'string' && text !== '' ? bytesOf(text, encoding ?? other) : undefined);
  const shown = bytes && Buffer.from(bytes).toString('utf8');
  return shown === undefined || isRedacted(shown) ? undefined : shown;
}

/** Body for a record: a JSON value, or the text if it is no JSON; no member if the body was empty. */
export function bodyAsSent(text = ''): { body?: unknown } {
  if (text === '') return {};
  const value = parsedJson(text);
  return { body: value === undefined ? text : value };
}

/** True if a request had a body, by its length, its parameters or its transfer coding. */
export function hadBody({ bodySize, postData }: Json, headers: Headers): boolean {
  const { text, params } = isObject(postData) ? postData : {};
  return (
    (typeof bodySize === 'number' && bodySize > 0) ||
    Number(headers['content-length'] ?? 0) > 0 ||
    headers['transfer-encoding'] !== undefined ||
    (typeof text === 'string' && text !== '') ||
    (Array.isArray(params) && params.length > 0)
  );
}
