import { constants, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { printable } from '../formats/escape.ts';

/** 40 MB of a history take 7 % more room than at level 4, and two thirds of the time. */
const level = 3;

/** What is shorter stands in the page as it is, so that it can be read there. */
const longest = 20_000;

/**
 * A script element that no browser runs, with text for the page's script to read. Long text is compressed and written
 * in base64; in other text `<` and what a viewer might obey are escaped, so that nothing in it ends the element.
 * @param json a JSON value, or JSON values on lines of their own: only within their strings can `<` stand
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

/** A part of a longer text, compressed so that parts can be put one after the other. */
export type PackedPiece = Uint8Array;

const ofPiece = { level, finishFlush: constants.Z_SYNC_FLUSH };
/** Ends a stream of such parts: an empty block that is the last. */
const endOfStream = Buffer.of(0x03, 0x00);

export const packPiece = (bytes: Uint8Array): PackedPiece => deflateRawSync(bytes, ofPiece);

/** The same by a thread of Node's own, while this one goes on; `bytes` may be used again at once. */
export const packPieceAside = (bytes: Uint8Array): Promise<PackedPiece> =>
  new Promise((resolve, reject) => {
    deflateRaw(bytes.slice(), ofPiece, (error, packed) =>
      error ? reject(error) : resolve(packed),
    );
  });

/** The element of lines that were compressed in parts. */
export function packedBlock(id: string, pieces: readonly PackedPiece[]): string {
  const whole = Buffer.concat([...pieces, endOfStream]);
  const lines = whole.length <= longest ? unpacked(whole) : undefined;
  return lines !== undefined && lines.length <= longest
    ? dataBlock(id, lines.trimEnd())
    : packedElement(id, whole);
}

const unpacked = (bytes: Uint8Array): string => inflateRawSync(bytes).toString('utf8');

/** The text of a block of a page, for whoever reads a page without a browser; undefined where there is none. */
export function readDataBlock(html: string, id: string): string | undefined {
  const found = new RegExp(
    `<script type="application/(json|octet-stream)" id="${id}">([^<]*)</script>`,
  ).exec(html);
  const [, form, text = ''] = found ?? [];
  if (form === undefined) return undefined;
  return form === 'json' ? text : unpacked(Buffer.from(text, 'base64'));
}
