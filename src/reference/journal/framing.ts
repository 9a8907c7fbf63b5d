import { crc32 } from 'node:zlib';

/**
 * One record is one line: three groups of eight hexadecimal digits (the length of the text in bytes, its CRC-32, and
 * the CRC-32 of these two groups), each followed by a space, then the text, then a line feed. A head that is whole says
 * how long its record is, and one that says something else is damage: so a record that a crash cut short is told from
 * one that was changed later.
 */
const headBytes = 27;
const lineFeed = 0x0a;
const headForm = /^([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) $/;

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** Line of one record. A batch is several lines, joined. */
export function lineOf(text: string): string {
  const said = `${hex(Buffer.byteLength(text))} ${hex(crc32(text))}`;
  return `${said} ${hex(crc32(said))} ${text}\n`;
}

export interface Frame {
  /** Start of the record's line in the file, in bytes. */
  readonly offset: number;
  readonly text: string;
}

/** End of the bytes: after a whole record, in the middle of one, or at bytes that no writer wrote in this form. */
export type Ending =
  | { readonly kind: 'whole' }
  | { readonly kind: 'torn'; readonly offset: number }
  | { readonly kind: 'damaged'; readonly offset: number; readonly reason: string };

export interface ReadFrames {
  readonly frames: readonly Frame[];
  /** Length of the whole records, in bytes. */
  readonly length: number;
  readonly ending: Ending;
}

/** Splits bytes into records, up to the first bytes that are no whole record. */
export function framesOf(bytes: Uint8Array): ReadFrames {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let offset = 0;
  while (offset < buffer.length) {
    const found = frameAt(buffer, offset);
    if (!('text' in found)) return { frames, length: offset, ending: found };
    frames.push({ offset, text: found.text });
    offset = found.end;
  }
  return { frames, length: offset, ending: { kind: 'whole' } };
}

function frameAt(
  buffer: Buffer,
  offset: number,
): { readonly text: string; readonly end: number } | Exclude<Ending, { readonly kind: 'whole' }> {
  const damaged = (reason: string) => ({ kind: 'damaged', offset, reason }) as const;
  const torn = { kind: 'torn', offset } as const;
  if (buffer.length - offset < headBytes) return torn;
  const head = buffer.toString('latin1', offset, offset + headBytes);
  const [, length, sum, check] = headForm.exec(head) ?? [];
  if (length === undefined || check !== hex(crc32(`${length} ${sum}`))) {
    // Space that the file system had reserved for the file, and not written, when the power failed.
    if (isZero(buffer, offset)) return torn;
    return damaged('the length of the record cannot be read');
  }
  const begin = offset + headBytes;
  const end = begin + Number.parseInt(length, 16);
  if (end + 1 > buffer.length) return torn;
  const payload = buffer.subarray(begin, end);
  if (buffer[end] !== lineFeed) return damaged('the record does not end where it says');
  if (hex(crc32(payload)) !== sum) return damaged('the checksum is another one');
  return { text: payload.toString(), end: end + 1 };
}

function isZero(buffer: Buffer, from: number): boolean {
  for (let at = from; at < buffer.length; at += 1) if (buffer[at] !== 0) return false;
  return true;
}
