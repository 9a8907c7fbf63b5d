import type { Duplex } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { WireFault } from './wire-errors.ts';

interface Coding {
  /** Throws if the bytes are broken or decode to more than the maximum. */
  readonly decode: (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;
  readonly stream: () => Duplex;
}

const gzip: Coding = {
  decode: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  stream: () => createGunzip(),
};

/** Many servers send `deflate` without its zlib wrapping. */
const deflate: Coding = {
  decode: (bytes, maxOutputLength) => {
    const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8;
    return isWrapped
      ? inflateSync(bytes, { maxOutputLength })
      : inflateRawSync(bytes, { maxOutputLength });
  },
  stream: () => createInflate(),
};

const brotli: Coding = {
  decode: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  stream: () => createBrotliDecompress(),
};

const codings: Readonly<Record<string, Coding>> = { gzip, 'x-gzip': gzip, deflate, br: brotli };

/** The codings of a `content-encoding` header, in the order of decoding. */
function codingsOf(header: string): Coding[] {
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.reverse().map((name) => {
    const coding = Object.hasOwn(codings, name) ? codings[name] : undefined;
    if (!coding)
      throw new WireFault('protocol', `unknown content encoding ${name}`, 'unknown_encoding');
    return coding;
  });
}

/** Decodes a body by its content encoding. Throws a WireFault, or zlib's error, whose codes are known. */
export function decodeContent(bytes: Uint8Array, header: string, maxBytes: number): Uint8Array {
  if (bytes.length === 0) return bytes;
  let decoded = bytes;
  for (const coding of codingsOf(header)) {
    try {
      decoded = coding.decode(decoded, maxBytes);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new WireFault(
          { limit: 'answer.body_bytes' },
          `the body decodes to more than ${maxBytes} bytes`,
        );
      }
      throw new WireFault('protocol', `broken ${header} body: ${(error as Error).message}`);
    }
  }
  return decoded;
}

/** Decoders for a streamed body, in the order in which it passes them. */
export const contentDecoders = (header: string): Duplex[] =>
  codingsOf(header).map((coding) => coding.stream());
