import { constants, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { printable } from '../formats/escape.ts';

/** Compression level. 40 MB of a history take 7 % more space than at level 4, and two thirds of the time. */
const level = 3;

/** Maximum characters of uncompressed text: shorter text stays readable in the page. */
const longest = 20_000;

/**
 * A script element that no browser runs, with text for the page's script to read. Long text is compressed and written
 * in base64; in other text `<` and what a viewer might obey are escaped, so that nothing in it ends the element.
 * @param json a JSON value, or one JSON value per line: `<` can only occur within strings
 */
export function dataBlock(id: string, json: string): string {
  if (json.length <= longest) {
    const safe = printable(json).replaceAll('<', '\\u003c');
    return `<script type="application/json" id="${id}">${safe}</script>\n`;
  }
  return packedElement(id, deflateRawSync(json, { level }));
}

const packedElement = (id: string, packed: Buffer): string =>
  `<script type="application/octet-stream" id="${id}">${packed.toString('base64')}</script>\n`;

/** A compressed part of a longer text. Parts can be concatenated. */
export type PackedPiece = Uint8Array;

const ofPiece = { level, finishFlush: constants.Z_SYNC_FLUSH };
/** End of a stream of parts: an empty final block. */
const endOfStream = Buffer.of(0x03, 0x00);

export const packPiece = (bytes: Uint8Array): PackedPiece => deflateRawSync(bytes, ofPiece);

/** Compresses in a thread of Node, asynchronously. The caller may reuse `bytes` at once. */
export const packPieceAside = (bytes: Uint8Array): Promise<PackedPiece> =>
  new Promise((resolve, reject) => {
    deflateRaw(bytes.slice(), ofPiece, (error, packed) =>
      error ? reject(error) : resolve(packed),
    );
  });

/** Script element with lines that were compressed in parts. */
export function packedBlock(id: string, pieces: readonly PackedPiece[]): string {
  const whole = Buffer.concat([...pieces, endOfStream]);
  const lines = whole.length <= longest ? unpacked(whole) : undefined;
  return lines !== undefined && lines.length <= longest
    ? dataBlock(id, lines.trimEnd())
    : packedElement(id, whole);
}

const unpacked = (bytes: Uint8Array): string => inflateRawSync(bytes).toString('utf8');

/** Text of a data block of a page, for readers without a browser. Undefined if there is no such block. */
export function readDataBlock(html: string, id: string): string | undefined {
  const found = new RegExp(
    `<script type="application/(json|octet-stream)" id="${id}">([^<]*)</script>`,
  ).exec(html);
  const [, form, text = ''] = found ?? [];
  if (form === undefined) return undefined;
  return form === 'json' ? text : unpacked(Buffer.from(text, 'base64'));
}
